/** Messages to webhooks in Discord's format and as plain JSON (NIGHT-68, NIGHT-69). Pure functions only. */
import type { Announcement, NightEvent } from '../storage/messages.ts'

/** What a message is made of besides the announcement itself. */
export type MessageContext = {
  /** Address of this server. */
  publicUrl: string
  /** Name and picture of the pick. */
  pick: { appid: number; name: string; image_url: string | null } | null
}

const WORDS: Record<NightEvent, string> = {
  planned: 'A game night is planned',
  moved: 'The game night has another time',
  cancelled: 'The game night is cancelled',
  started: 'The game night starts now',
  decided: 'The game night is decided',
}

/** A message as plain JSON. */
export function plainMessage(announcement: Announcement, context: MessageContext) {
  const { event, group, night } = announcement
  return {
    event: night ? `night.${event}` : event,
    text: textOf(announcement, context),
    group,
    night: night && {
      night_id: night.night_id,
      url: pageOf(night.night_id, context),
      title: night.title,
      starts_at: new Date(night.starts_at).toISOString(),
      in: night.in,
      pick: context.pick,
    },
  }
}

/** A message in Discord's format. Names can neither format it nor ping anyone. */
export function discordMessage(announcement: Announcement, context: MessageContext) {
  const { group, night } = announcement
  const { pick } = context
  const picture = pick?.image_url?.startsWith('https:') ? pick.image_url : undefined
  return {
    content: night ? `${wordsOf(announcement)}.` : textOf(announcement, context),
    allowed_mentions: { parse: [] },
    embeds: night
      ? [
          {
            title: escaped(night.title ?? group.name),
            url: pageOf(night.night_id, context),
            description: [
              // Discord shows it in the time zone of each reader.
              `<t:${Math.floor(night.starts_at / 1000)}:F>`,
              ...(pick ? [`Picked: **${escaped(pick.name)}**`] : []),
              `${night.in} in · ${escaped(group.name)}`,
            ].join('\n'),
            ...(picture !== undefined && { thumbnail: { url: picture } }),
          },
        ]
      : [],
  }
}

function textOf(announcement: Announcement, { pick }: MessageContext): string {
  const { event, group, night } = announcement
  if (!night) return 'This is a test of Shelfmates: messages about game nights arrive here.'
  const what = event === 'decided' && pick ? `: ${pick.name}` : ''
  return `${wordsOf(announcement)} (${night.title ?? group.name})${what}.`
}

function wordsOf({ event }: Announcement): string {
  return WORDS[event as NightEvent]
}

function pageOf(nightId: number, { publicUrl }: MessageContext): string {
  return `${publicUrl}/nights/${nightId}`
}

/** Punctuation that Discord could take for formatting, links or mentions. */
function escaped(name: string): string {
  return name.replace(/[\\*_~`|>#<@:[\]()\-+.]/g, '\\$&')
}
