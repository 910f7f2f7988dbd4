/** NIGHT-69, NIGHT-68: messages in each format, and names in messages to chats, whatever they are. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import { isolated, visibleName } from '#shared/names.ts'
import type { Announcement, NightEvent } from '../storage/notifications/messages.ts'
import { textsOf } from '../texts/texts.ts'
import { messageIn, type WeekNamed } from './webhooks.ts'

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
  // Others are none (ENT-16).
  .filter((name) => visibleName(name) !== undefined)

test('NIGHT-69: in the text of JSON no name is a mention or a tag', () => {
  fc.assert(
    fc.property(fc.tuple(names, names, names), ([title, group, pick]) => {
      const { text } = messageIn.json(
        {
          event: 'decided',
          group: { group_id: 1, name: group },
          night: { night_id: 7, title, starts_at: Date.UTC(2026, 5, 1, 12), in: 2, pick: 730 },
        },
        {
          publicUrl: 'https://games.example.org',
          texts: textsOf('en'),
          pick: { appid: 730, name: pick, image_url: null },
        },
      ) as { text: string }
      expect(text).not.toMatch(/[<>&]|\]\(/)
      // No mention, address, emoji or control character.
      expect(text).not.toMatch(/@[\p{L}\p{N}_.-]|:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}]|:\w+:|[~#]\w/u)
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      // Nothing is lost: what is seen is what was given, and look-alikes may be in a name too.
      const plain = (any: string) => any.replaceAll('‹', '<').replaceAll('›', '>').replaceAll('＆', '&')
      const [night, game] = [title, pick].map((name) =>
        // U+FDD0 is no character, and texts use it themselves (`message.ts`).
        plain(name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(/[\u200B\uFDD0\u2066-\u2069]/g, '')),
      )
      const seen = plain(text).replaceAll(/[\u200B\u2066-\u2069]/g, '')
      expect(seen).toBe(`The game night is decided (${night}): ${game}.`)
    }),
    { numRuns: 1000, examples: [[['\uFDD0a', 'b', 'c']]] },
  )
})

test('NIGHT-69: in Discord any punctuation of a name is escaped, but in titles, where nothing formats', () => {
  fc.assert(
    fc.property(names, names, (title, group) => {
      const { embeds, allowed_mentions } = messageIn.discord(
        {
          event: 'planned',
          group: { group_id: 1, name: group },
          night: { night_id: 7, title, starts_at: 0, in: 1, pick: null },
        },
        { publicUrl: 'https://games.example.org', texts: textsOf('en'), pick: null },
      ) as { embeds: { title: string; description: string }[]; allowed_mentions: object }
      expect(allowed_mentions).toEqual({ parse: [] })
      const { title: shown, description } = embeds[0]!
      expect(shown).toBe(isolated(visibleName(title) ?? visibleName(group) ?? 'Game night'))
      const left = description.replace('<t:0:F>', '').replaceAll(/\\[!-/:-@[-`{-~]/g, '')
      expect(left).not.toMatch(/[\\*_~`|>#<@:[\]()]/)
    }),
  )
})

const FORMATS: WebhookFormat[] = ['discord', 'json']
const at = Date.UTC(2026, 5, 5, 18, 30)
const DAY = 24 * 60 * 60_000

/** What is shown of a night in each format. */
function shownIn(
  language: 'en' | 'de',
  event: NightEvent,
  change: Partial<NonNullable<Announcement['night']>> = {},
  group: Announcement['group'] = { group_id: 1, name: 'Crew' },
) {
  const night = { night_id: 7, title: null, starts_at: at, in: 2, pick: null, ...change }
  const pick = night.pick === null ? null : { appid: 730, name: 'Portal 2', image_url: null }
  const context = { publicUrl: 'https://games.example.org', texts: textsOf(language), pick }
  return Object.fromEntries(
    FORMATS.map((format) => [format, messageIn[format]({ event, group, night }, context)]),
  )
}

test('NIGHT-68: proposed times are listed in each format, up to twelve of them', () => {
  const { discord, json } = shownIn('en', 'dating', { times: [at, at + DAY] })
  expect(discord).toMatchObject({
    content: 'When can you play?',
    embeds: [{ title: 'Crew', description: `<t:${at / 1000}:F>\n<t:${(at + DAY) / 1000}:F>\nCrew` }],
  })
  expect(json).toMatchObject({ event: 'night.dating', night: { starts_at: null } })
  // Discord takes descriptions of 4096 characters.
  const times = Array.from({ length: 12 }, (_, nth) => at + nth * DAY)
  const { embeds } = shownIn('de', 'dating', { times }).discord as { embeds: { description: string }[] }
  expect(embeds[0]!.description.match(/<t:/g)).toHaveLength(12)
})

test('NIGHT-68: a night without a title or group that can be seen has no name', () => {
  const unseen = { group_id: 1, name: '\u3164' }
  const { discord, json } = shownIn('de', 'decided', { pick: 730 }, unseen)
  expect(json).toMatchObject({ text: 'Der Spieleabend ist entschieden: Portal 2.', group: unseen })
  expect(discord).toMatchObject({
    embeds: [{ title: 'Spieleabend', description: expect.stringMatching(/\n2 dabei$/) as string }],
  })
  expect(shownIn('en', 'planned', {}, unseen).json).toMatchObject({ text: 'A game night is planned.' })
  expect(shownIn('en', 'planned', { title: 'Raid' }, unseen).json).toMatchObject({
    text: 'A game night is planned (Raid).',
  })
})

test('LATELY-4, NIGHT-69: a week in Discord has a line for each kind of news, and harmless names that fit it', () => {
  const games = (name: string, count: number) =>
    Array.from({ length: count }, (_, nth) => ({ appid: nth + 1, name, image_url: null }))
  const shown = (week: WeekNamed) => {
    const announcement = { event: 'week', group: { group_id: 5, name: 'Crew' }, night: null } as const
    const context = { publicUrl: 'https://games.example.org', texts: textsOf('en'), pick: null, week }
    return messageIn.discord(announcement, context) as {
      content: string
      embeds: { description: string; url: string }[]
    }
  }
  const { content, embeds } = shown({ owned: games('*bold*', 1), wanted: [], played: games('Portal', 2) })
  expect(content).toBe('This week in your group.')
  expect(embeds[0]).toMatchObject({
    url: 'https://games.example.org/groups/5',
    description: 'Now all of you own \\*bold\\*.\nYou played Portal and Portal.',
  })
  const long = games('*'.repeat(300), 5)
  expect(shown({ owned: long, wanted: long, played: long }).embeds[0]!.description.length).toBeLessThan(4096)
})
