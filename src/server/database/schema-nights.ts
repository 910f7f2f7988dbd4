/**
 * The tables of game nights, and of their messages, links and calendars. What holds for all tables is in `schema.ts`.
 */
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import type { Repeat } from '#shared/nights/repeats.ts'
import type { Generated } from 'kysely'

export type Flag = 0 | 1

export type NightsTable = {
  night_id: Generated<number>
  /** Null for a night of players chosen for the occasion. */
  group_id: number | null
  /** Null when nobody is left who could be the host. */
  host_steam_id: string | null
  title: string | null
  /** While its date is being found: the last of its times. */
  starts_at: number
  created_at: number
  /** 1 when a time was chosen, rather than 'now'. */
  planned: Flag
  /**
   * 'over' is stored by housekeeping; a night is over before that (`nights.ts#isOver`). 'dating' while `night_dates` has
   * its times.
   */
  status: 'dating' | 'open' | 'tied' | 'decided' | 'cancelled' | 'over'
  /** Rises with every change of the night, its players or its draws. */
  version: number
  /** 1 when a 'not tonight' rules a game out. */
  forbids: Flag
  /** Of the next draw: 32 random bytes as hex, whose hash is shown before it (NIGHT-32). */
  seed: string
  /**
   * The list and its scores when the vote ended, as JSON (`NightResult` in storage/night-votes.ts); null before that.
   */
  result: string | null
  decided_at: number | null
  /** When it was decided, cancelled or over. */
  ended_at: number | null
  /** SEQUENCE of its entry in calendars. */
  calendar_sequence: Generated<number>
  /** 1 when its group was notified that it starts. */
  start_announced: Generated<Flag>
  /** Of its public page; null while it is not shared. */
  share_token: Generated<string | null>
  /** IANA name of the time zone that its time was chosen in; null when that is not known. */
  zone: Generated<string | null>
  /** 1 when its link shows names and pictures of those who are in. */
  faces: Generated<Flag>
  /** 1 when games may be picked that somebody lacks who has not said no (NIGHT-152). */
  any_owner: Generated<Flag>
  /** When the vote ends by itself; null for not at a time (NIGHT-153). */
  vote_closes_at: Generated<number | null>
}

/** Who is asked to a night, in the order they were added. */
export type NightPlayersTable = {
  night_id: number
  steam_id: string
  answer: 'in' | 'maybe' | 'out' | null
  word: string | null
  answered_at: number | null
  voted_at: number | null
  /** The ballot, `appid:mark` joined by commas; empty when nothing was marked. Null when not voted. */
  marks: string | null
  /** Who asked them; empty when that account was deleted. Null for the host, in a group's night, and for guests by link. */
  added_by: string | null
  added_at: number
  /**
   * 1: has left its group since it was past, so came, but may not see it any more; 2: has left, 3: was removed by the
   * host, while it was not.
   */
  gone: Generated<0 | 1 | 2 | 3>
}

/** Nights whose date is being found (DATE-1); the row goes when that ends. */
export type NightDatesTable = {
  night_id: number
  /** The proposed times in milliseconds since 1970, ascending, joined by commas. */
  times: string
  /** When the best time is taken; null for never. */
  close_at: number | null
  /** When it is looked at next: at the deadline, and when a time passes. */
  due_at: number
}

/** What a player answers to the proposed times; the row goes with that of `night_dates`. */
export type NightDateAnswersTable = {
  night_id: number
  steam_id: string
  /** `time:answer` joined by commas; times without an answer are missing. */
  answers: string
  answered_at: number
}

/** A night that repeats: what its next nights are like (SERIES-1). */
export type NightSeriesTable = {
  series_id: Generated<number>
  /** Null for players chosen for the occasion. */
  group_id: number | null
  host_steam_id: string
  title: string | null
  every: Repeat
  /** IANA name of the time zone whose clocks say when it is. */
  zone: string
  /** As for a night; null: as its group has chosen. */
  forbids: Flag | null
  /** The local time in `zone` of the first night that does not exist yet, '2026-12-04T20:30:00.000'. */
  next_time: string
  /** When that night is created, or tried again. */
  due_at: number
  created_at: number
}

/** The nights of a series by their dates in its zone: the first and the latest ones. */
export type NightSeriesNightsTable = { series_id: number; date: string; night_id: number }

/** Members of its group whom a series does not ask. */
export type NightSeriesLeftOutTable = { series_id: number; steam_id: string }

/** The results of a night; the pick is the one with the highest number. */
export type NightDrawsTable = {
  night_id: number
  number: number
  appid: number
  by: 'votes' | 'draw'
  /** [{appid, weight}] as JSON. */
  odds: string
  reason: string | null
  /** Null when the vote ended by itself, and for a deleted account. */
  drawn_by: string | null
  at: number
  /** What it was drawn with; null for 'votes'. */
  seed: Generated<string | null>
}

/** Links by which players join a group or a night; one of each, and renewing replaces it. */
export type InvitesTable = {
  token: string
  group_id: number | null
  night_id: number | null
  created_by: string
  created_at: number
  expires_at: number
}

/** Where the nights of a group are announced. */
export type WebhooksTable = {
  webhook_id: Generated<number>
  group_id: number
  url: string
  format: WebhookFormat
  /** Signs the messages. */
  secret: string
  created_by: string
  created_at: number
  last_ok_at: number | null
  last_error: string | null
  last_error_at: number | null
}

/** Messages to webhooks, written with what they announce; claimed by lease, and counted for an hour (NIGHT-72). */
export type MessagesTable = {
  message_id: Generated<number>
  webhook_id: number
  event: string
  /** `Announcement` as JSON (`storage/messages.ts`). */
  body: string
  attempts: Generated<number>
  next_attempt_at: number
  lease_until: Generated<number>
  created_at: number
  /** When it was sent or given up; null while it waits. */
  done_at: Generated<number | null>
}

/** Notifications of devices; `body` is JSON (`storage/notifications.ts`). */
export type PushMessagesTable = Omit<MessagesTable, 'webhook_id'> & { subscription_id: string }

/** When the players of a planned night are reminded next; the row goes when nothing is left to do (PUSH-6). */
export type NightRemindersTable = { night_id: number; due_at: number }

/** The address of a player's calendar of game nights. */
export type CalendarFeedsTable = { token: string; steam_id: string; created_at: number }

export type NightSchema = {
  nights: NightsTable
  night_people: NightPlayersTable
  night_draws: NightDrawsTable
  night_dates: NightDatesTable
  night_date_answers: NightDateAnswersTable
  night_series: NightSeriesTable
  night_series_nights: NightSeriesNightsTable
  night_series_left_out: NightSeriesLeftOutTable
  invites: InvitesTable
  webhooks: WebhooksTable
  messages: MessagesTable
  push_messages: PushMessagesTable
  night_reminders: NightRemindersTable
  calendar_feeds: CalendarFeedsTable
}
