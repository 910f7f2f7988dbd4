/** NIGHT-69 and NIGHT-121: names in messages to chats, whatever they are. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import { messageIn } from './format.ts'

const URL_OF_NIGHT = 'https://games.example.org/nights/7'

const nasty = fc.constantFrom(
  ...[
    '@everyone',
    '@here',
    '<!channel>',
    '<@U123>',
    '<#C1|x>',
    '<https://evil.example|free>',
    '&lt;!here&gt;',
  ],
  ...[
    '[free](https://evil.example)',
    'https://evil.example',
    'www.evil.example',
    'evil.example',
    'a@b.example',
  ],
  ...[
    '*bold*',
    '_it_',
    '~gone~',
    '`code`',
    ':boom:',
    '#tag',
    '~town-square',
    '\n> quote',
    '\r\n# head',
    '\n- x',
  ],
  ...[
    '\\',
    '\\@all',
    '|',
    '||',
    '![x](y)',
    '<a href=x>',
    '\u2028* x',
    '$$x$$',
    '1. x',
    '<!date^1^x|y>',
    ') [a](b',
  ],
)
const names = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ maxLength: 8 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join(''))

/** The text of a message about a night with these names; each is in it. */
function textIn(format: WebhookFormat, [title, group, pick]: readonly [string, string, string]): string {
  const { text } = messageIn[format](
    {
      event: 'decided',
      group: { group_id: 1, name: group },
      night: { night_id: 7, title, starts_at: Date.UTC(2026, 5, 1, 12), in: 2, pick: 730 },
    },
    { publicUrl: 'https://games.example.org', pick: { appid: 730, name: pick, image_url: null } },
  ) as { text: string }
  return text
}

/** Checks texts with any names; `own`: what the message itself has of what names must not have. */
function forAnyNames(
  format: WebhookFormat,
  own: string[],
  check: (text: string) => void,
  plain: (text: string) => string,
) {
  fc.assert(
    fc.property(fc.tuple(names, names, names), (given) => {
      const text = textIn(format, given)
      for (const part of own) expect(text.split(part)).toHaveLength(2)
      check(own.reduce((left, part) => left.replace(part, ''), text))
      // Nothing is lost: what is seen is what was given.
      const shown = given
        .map((name) => name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll('\u200B', ''))
        // Look-alikes may be in a name too.
        .map((name) => (format === 'json' ? plain(name) : name))
      const seen = plain(text).replaceAll('\u200B', '')
      expect(seen.startsWith(`The game night is decided (${shown[0]}): ${shown[2]}.`)).toBe(true)
      if (format !== 'json') expect(seen.endsWith(`2 in · ${shown[1]}`)).toBe(true)
    }),
    { numRuns: 1000 },
  )
}

/** No mention, address, emoji or control character, in any chat. */
function expectHarmless(text: string): void {
  expect(text).not.toMatch(/@[\p{L}\p{N}_.-]|:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}]|:\w+:|[~#]\w/u)
  expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
}

test('NIGHT-121: in Slack no name is a mention, a link or formatting', () => {
  const own = [
    `<${URL_OF_NIGHT}|Open>\n`,
    '<!date^1780315200^{date_long_pretty} {time}|Mon, 01 Jun 2026 12:00 UTC>\n',
  ]
  const check = (text: string) => {
    expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    expect(text).not.toMatch(/[*_~`](?!\u200B)|(?<!\u200B)[*_~`]/)
    expectHarmless(text)
  }
  forAnyNames('slack', own, check, (text) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )
})

const unescaped = (text: string) => text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

test('NIGHT-121: in Mattermost no name is a mention, a link or formatting', () => {
  const own = [`[Open](${URL_OF_NIGHT})\nMon, 01 Jun 2026 12:00 UTC\n`]
  const check = (text: string) => {
    // Without escaped punctuation only the sentence's own is left: brackets, a colon and the full stop.
    const left = text.replaceAll(/\\[!-/:-@[-`{-~]/g, '')
    expect(left.replaceAll(/[^!-/:-@[-`{-~]/g, '')).toBe('():.')
    expectHarmless(unescaped(text))
  }
  forAnyNames('mattermost', own, check, unescaped)
})

test('NIGHT-121: in the text of JSON no name is a mention or a tag', () => {
  const check = (text: string) => {
    expect(text).not.toMatch(/[<>&]|\]\(/)
    expectHarmless(text)
  }
  forAnyNames('json', [], check, (text) =>
    text.replaceAll('‹', '<').replaceAll('›', '>').replaceAll('＆', '&'),
  )
})

test('in Discord any punctuation of a name is escaped', () => {
  fc.assert(
    fc.property(names, (title) => {
      const { embeds, allowed_mentions } = messageIn.discord(
        {
          event: 'planned',
          group: { group_id: 1, name: 'x' },
          night: { night_id: 7, title, starts_at: 0, in: 1, pick: null },
        },
        { publicUrl: 'https://games.example.org', pick: null },
      ) as { embeds: { title: string }[]; allowed_mentions: object }
      expect(allowed_mentions).toEqual({ parse: [] })
      expect(embeds[0]!.title.replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[\\*_~`|>#<@:[\]()]/)
    }),
  )
})
