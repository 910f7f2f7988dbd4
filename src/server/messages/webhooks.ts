/**
 * Messages to webhooks, in the format of Discord and as plain JSON, and their signature (NIGHT-68 to NIGHT-72). Names can
 * neither format a message nor mention anyone in it.
 */
import { createHmac } from 'node:crypto'
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import { isolated, visibleName } from '#shared/names.ts'
import { summaryOf } from '../catalogue/catalogue.ts'
import { findInviteOf } from '../storage/groups/links.ts'
import {
  type Announcement,
  isStillTrue,
  type NightEvent,
  noteResult,
  type Week,
} from '../storage/notifications/messages.ts'
import { chosenLanguage } from '../storage/players/players.ts'
import type { ServerTexts } from '../texts/texts.ts'
import type { Channel, ChannelOptions } from './sender.ts'

export function toWebhooks(options: ChannelOptions): Channel<'messages'> {
  const { database, catalogue, publicUrl, textsOf, clock } = options
  const { queries } = database
  const gamesOf = async (appids: readonly number[]) =>
    (await catalogue.games(appids)).map(({ details }) => summaryOf(details))

  return {
    outbox: 'messages',
    atOnce: 8,

    async open({ webhook_id, message_id, body: stored, created_at: writtenAt }) {
      const webhook = await queries
        .selectFrom('webhooks')
        .selectAll()
        .where('webhook_id', '=', webhook_id)
        .executeTakeFirst()
      const announcement = JSON.parse(stored) as Announcement
      if (!webhook || !(await isStillTrue(queries, announcement, { writtenAt, now: clock() })))
        return undefined
      // The group's owner has set it (NIGHT-113).
      const texts = textsOf(await chosenLanguage(queries, webhook.created_by))
      const { night, week } = announcement
      const [pick = null] = await gamesOf(typeof night?.pick === 'number' ? [night.pick] : [])
      const invite = night && (await findInviteOf(queries, { night_id: night.night_id }, clock()))
      const named = week && {
        owned: await gamesOf(week.owned),
        wanted: await gamesOf(week.wanted),
        played: await gamesOf(week.played),
      }
      const context = { publicUrl, texts, pick, invite: invite?.token, week: named }
      const body = JSON.stringify(messageIn[webhook.format](announcement, context))
      return {
        url: webhook.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Shelfmates/1.0 (webhooks)',
          // The same for every attempt.
          'idempotency-key': `${webhook_id}-${message_id}`,
          'x-shelfmates-signature': signatureOf(webhook.secret, body, clock()),
        },
        body,
        about: { webhook: webhook_id },

        async settle(tx, failed, { at, isLast }) {
          if (!failed) return noteResult(tx, webhook_id, at)
          const { failures, givenUp } = texts.messages
          const failure =
            failed.why === 'refused' ? failures.refused({ status: failed.status }) : failures[failed.why]
          return noteResult(tx, webhook_id, at, isLast ? givenUp({ failure }) : failure)
        },
      }
    },
  }
}

/** The header `X-Shelfmates-Signature`: `t` in seconds since 1970, and the HMAC-SHA256 of `{t}.{body}` as hex. */
function signatureOf(secret: string, body: string, now: number): string {
  const t = Math.floor(now / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}

/** What a message is derived from besides the announcement itself. */
export type MessageContext = {
  /** Address of this server. */
  publicUrl: string
  /** The token by which one joins the night; undefined where its leader has switched that off. */
  invite?: string | undefined
  /** In the language of who has set the webhook (LANG-7). */
  texts: ServerTexts
  /** Name and picture of the pick. */
  pick: NamedGame | null
  /** Of a message about a week. */
  week?: WeekNamed | undefined
}

type NamedGame = { appid: number; name: string; image_url: string | null }
export type WeekNamed = Record<keyof Week, readonly NamedGame[]>

/** How a message is written in each format. */
export const messageIn: Record<
  WebhookFormat,
  (announcement: Announcement, context: MessageContext) => object
> = {
  discord: discordMessage,
  json: plainMessage,
}

/**
 * A message as plain JSON. Its names are as they are, but for those in `text`: whatever shows that, such as a chat,
 * must take none of them for markup.
 */
function plainMessage(announcement: Announcement, context: MessageContext) {
  const { event, group, night } = announcement
  return {
    event: night ? `night.${event}` : event,
    text: textOf(announcement, context),
    group,
    ...(context.week && { week: context.week }),
    night: night && {
      night_id: night.night_id,
      url: pageOf(night.night_id, context),
      title: night.title,
      starts_at: night.times ? null : new Date(night.starts_at).toISOString(),
      times: (night.times ?? []).map((at) => new Date(at).toISOString()),
      in: night.in,
      pick: context.pick,
      lacking: night.lacking ?? 0,
    },
  }
}

function discordMessage(announcement: Announcement, context: MessageContext) {
  const { night } = announcement
  const { pick, texts, publicUrl, week } = context
  const [content, page] = night
    ? [texts.messages.what[newsOf(announcement)], pageOf(night.night_id, context)]
    : week
      ? [texts.messages.week.title, `${publicUrl}/groups/${announcement.group.group_id}`]
      : [texts.messages.test, publicUrl]
  // Discord refuses a message with a link to a host without a dot, such as one of a network at home.
  const isLinked = new URL(page).hostname.includes('.')
  const picture = pick?.image_url?.startsWith('https:') ? pick.image_url : undefined
  return {
    content,
    allowed_mentions: { parse: [] },
    // A test has what Discord could refuse, too.
    embeds: [
      {
        title: isolated(nameOfNight(announcement) ?? texts.notifications.night),
        ...(isLinked && { url: page }),
        description: [
          // Discord shows it in the time zone of each reader.
          ...(night ? (night.times ?? [night.starts_at]).map((at) => `<t:${Math.floor(at / 1000)}:F>`) : []),
          ...(pick ? [texts.messages.picked({ game: `**${escaped(pick.name)}**` })] : []),
          ...(night ? lastLine(announcement, context) : []),
          ...(week ? weekLines(week, texts, escaped) : []),
          ...(isLinked ? [] : [page]),
        ].join('\n'),
        ...(picture !== undefined && { thumbnail: { url: picture } }),
      },
    ],
  }
}

/** The message as a sentence, in which names are harmless. */
function textOf(announcement: Announcement, { pick, texts, week }: MessageContext): string {
  const { event, night } = announcement
  const { messages } = texts
  if (week) return [messages.week.title, ...weekLines(week, texts, harmless)].join(' ')
  if (!night) return messages.test
  const game = event === 'decided' && pick ? harmless(pick.name) : undefined
  const name = nameOfNight(announcement)
  if (name === undefined)
    return game === undefined ? messages.what[newsOf(announcement)] : messages.decidedAs({ game })
  const about = { night: harmless(name) }
  return game === undefined
    ? messages.about[newsOf(announcement)](about)
    : messages.decidedFor({ ...about, game })
}

/** Characters of a name in a list of fifteen: Discord takes 4,096 in all. */
const NAME_IN_LIST = 80
const shortened = (name: string) =>
  name.length <= NAME_IN_LIST ? name : `${name.slice(0, NAME_IN_LIST - 1)}…`

/** A line for each kind of news of a week. @param safe makes a name harmless */
function weekLines(week: WeekNamed, { language, messages }: ServerTexts, safe: (name: string) => string) {
  const list = new Intl.ListFormat(language)
  return (['owned', 'wanted', 'played'] as const)
    .filter((kind) => week[kind].length > 0)
    .map((kind) =>
      messages.week[kind]({ games: list.format(week[kind].map(({ name }) => safe(shortened(name)))) }),
    )
}

/** How many lack the pick and how many are in, unless its date is being found, and its group. */
function lastLine({ group, night }: Announcement, { texts: { messages } }: MessageContext): string[] {
  const visible = visibleName(group.name)
  const name = visible && escaped(visible)
  if (night?.times) return name === undefined ? [] : [isolated(name)]
  const count = night?.in ?? 0
  return [
    ...(night?.lacking ? [messages.lacking({ count: night.lacking })] : []),
    name === undefined ? messages.in({ count }) : messages.inOfGroup({ count, group: name }),
  ]
}

/** Its title, or its group's name; undefined when neither can be seen. */
function nameOfNight({ night, group }: Announcement): string | undefined {
  return visibleName(night?.title) ?? visibleName(group.name)
}

/** What the text says has happened: that a night is planned may be because its date was found (DATE-9). */
function newsOf({ event, night }: Announcement): NightEvent | 'found' {
  return night?.date_found ? 'found' : (event as NightEvent)
}

/** The address by which whoever reads the message joins the night. */
function pageOf(nightId: number, { publicUrl, invite }: MessageContext): string {
  return invite === undefined ? `${publicUrl}/nights/${nightId}` : `${publicUrl}/join/${invite}`
}

/** Punctuation that Discord could take for formatting, links or mentions. */
function escaped(name: string): string {
  return name.replace(/[\\*_~`|>#<@:[\]()\-+.]/g, '\\$&')
}

/** Keeps a mark from working together with what follows it, and is not seen. */
const APART = '\u200B'
/** What begins formatting, mentions, emoji and addresses in chats. */
const MARKS = /[@*_~`:#|!]|(?<=\S)[.\uFF0E\u3002](?=\S)/g
/** Line breaks and other control characters would begin quotes, lists and headings. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
/** Look-alikes of what would otherwise begin a mention or a tag. A link in Markdown needs `](`. */
const FULL_WIDTH: Record<string, string> = { '<': '‹', '>': '›', '&': '＆' }

/** A name for a program that may show it as text, in whatever format. */
function harmless(name: string): string {
  return name
    .replace(CONTROLS, ' ')
    .replace(MARKS, `${APART}$&${APART}`)
    .replace(/[<>&]/g, (mark) => FULL_WIDTH[mark]!)
    .replaceAll('](', `]${APART}(`)
}
