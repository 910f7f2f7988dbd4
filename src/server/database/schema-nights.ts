/**
 * The tables of game nights, and of their messages, links and calendars. What holds for all tables is in `schema.ts`.
 */
import type { WebhookFormat } from '#shared/contract/webhooks.ts'
import type { Repeat } from '#shared/nights/repeats.ts'
import { bigint, integer, serial, table, text } from './columns.ts'

export type Flag = 0 | 1

/** What both tables of messages that wait to be sent have beside their ids. */
const message = {
  event: text(),
  /** JSON (`storage/notifications`). */
  body: text(),
  attempts: integer().default(0),
  next_attempt_at: bigint(),
  lease_until: bigint().default(0),
  created_at: bigint(),
  /** When it was sent or given up; null while it waits. */
  done_at: bigint().orNull(),
}

export const nightTables = {
  nights: table({
    night_id: serial(),
    /** Null for a night of players chosen for the occasion. */
    group_id: bigint().orNull().of('groups'),
    /** Null when no possible host is left. */
    host_steam_id: text().orNull().of('people'),
    title: text().orNull(),
    /** While its date is being found: the last of its times. */
    starts_at: bigint(),
    created_at: bigint(),
    /** 1 when a time was chosen, rather than 'now'. */
    planned: integer<Flag>(),
    /**
     * 'over' is stored by background work; a night is over before that (`nights.ts#isOver`). 'dating' while `night_dates` has
     * its times.
     */
    status: text<'dating' | 'open' | 'tied' | 'decided' | 'cancelled' | 'over'>(),
    /** Rises with every change of the night, its players or its draws. */
    version: bigint(),
    /** 1 when a 'not tonight' rules a game out. */
    forbids: integer<Flag>(),
    /** Of the next draw: 32 random bytes as hex, whose hash is shown before it (NIGHT-32). */
    seed: text(),
    /**
     * The list and its scores when the vote ended, as JSON (`NightResult` in storage/nights/nights.ts); null before that.
     */
    result: text().orNull(),
    decided_at: bigint().orNull(),
    /** When it was decided, cancelled or over. */
    ended_at: bigint().orNull(),
    /** SEQUENCE of its entry in calendars. */
    calendar_sequence: integer().default(0),
    /** 1 when its group was notified that it starts. */
    start_announced: integer<Flag>().default(0),
    /** Of its public page; null while it is not shared. */
    share_token: text().orNull().unique(),
    /** IANA name of the time zone that its time was chosen in; null when that is not known. */
    zone: text().orNull(),
    /** 1 when its link shows names and pictures of those who are in. */
    faces: integer<Flag>().default(0),
    /** 1 when the pick may be a game that an expected player lacks (NIGHT-152). */
    any_owner: integer<Flag>().default(0),
    /** When the vote ends by itself; null for not at a time (NIGHT-153). */
    vote_closes_at: bigint().orNull(),
    /** When its vote became complete because somebody left; null once that was handled (NIGHT-16). */
    completed_at: bigint().orNull(),
  })
    .index('nights_by_group', '(group_id, starts_at)')
    .index('nights_by_host', '(host_steam_id)')
    .index('nights_by_status', '(status, starts_at)')
    .index('nights_by_time', '(starts_at)')
    .index('nights_by_vote_end', '(vote_closes_at) WHERE vote_closes_at IS NOT NULL')
    .index('nights_by_completion', '(completed_at) WHERE completed_at IS NOT NULL'),
  /** Who is asked to a night, in the order they were added. */
  night_people: table({
    night_id: bigint().of('nights'),
    steam_id: text().of('people'),
    answer: text<'in' | 'maybe' | 'out'>().orNull(),
    word: text().orNull(),
    answered_at: bigint().orNull(),
    voted_at: bigint().orNull(),
    /** The ballot, `appid:mark` joined by commas; empty when nothing was marked. Null when not voted. */
    marks: text().orNull(),
    /** Who asked them; empty when that account was deleted. Null for the host, in a group's night, and for guests by link. */
    added_by: text().orNull(),
    added_at: bigint(),
    /**
     * 1: has left its group since it was past, so came, but may not see it any more; 2: has left, 3: was removed by the
     * host, while it was not.
     */
    gone: integer<0 | 1 | 2 | 3>().default(0),
  })
    .key('night_id', 'steam_id')
    .index('night_people_by_person', '(steam_id, night_id)')
    .index('night_people_by_adder', '(added_by) WHERE added_by IS NOT NULL'),
  /** Nights whose date is being found (DATE-1); the row goes when that ends. */
  night_dates: table({
    night_id: bigint().key().of('nights', 'ON DELETE CASCADE'),
    /** The proposed times in milliseconds since 1970, ascending, joined by commas. */
    times: text(),
    /** When the best time is taken; null for never. */
    close_at: bigint().orNull(),
    /** When it is looked at next: at the deadline, and when a time passes. */
    due_at: bigint(),
  }).index('night_dates_by_turn', '(due_at)'),
  /** What a player answers to the proposed times; the row goes with that of `night_dates`. */
  night_date_answers: table({
    night_id: bigint(),
    steam_id: text(),
    /** `time:answer` joined by commas; times without an answer are missing. */
    answers: text(),
    answered_at: bigint(),
  })
    .key('night_id', 'steam_id')
    .constraint('FOREIGN KEY (night_id, steam_id) REFERENCES night_people ON DELETE CASCADE')
    .index('night_date_answers_by_person', '(steam_id, night_id)'),
  /** A night that repeats: what its next nights are like (SERIES-1). */
  night_series: table({
    series_id: serial(),
    /** Null for players chosen for the occasion. */
    group_id: bigint().orNull().of('groups', 'ON DELETE CASCADE'),
    host_steam_id: text().of('people', 'ON DELETE CASCADE'),
    title: text().orNull(),
    every: text<Repeat>(),
    /** IANA name of the time zone whose clocks say when it is. */
    zone: text(),
    /** As for a night; null: as its group has chosen. */
    forbids: integer<Flag>().orNull(),
    /** The local time in `zone` of the first night that does not exist yet, '2026-12-04T20:30:00.000'. */
    next_time: text(),
    /** When that night is created, or tried again. */
    due_at: bigint(),
    created_at: bigint(),
  })
    .index('night_series_by_turn', '(due_at)')
    .index('night_series_by_host', '(host_steam_id)')
    .index('night_series_by_group', '(group_id)'),
  /** The nights of a series by their dates in its zone: the first and the latest ones. */
  night_series_nights: table({
    series_id: bigint().of('night_series', 'ON DELETE CASCADE'),
    date: text(),
    night_id: bigint().of('nights', 'ON DELETE CASCADE'),
  })
    .key('series_id', 'date')
    .index('night_series_nights_by_night', '(night_id)', 'UNIQUE'),
  /** Members of its group whom a series does not ask. */
  night_series_left_out: table({
    series_id: bigint().of('night_series', 'ON DELETE CASCADE'),
    steam_id: text().of('people', 'ON DELETE CASCADE'),
  })
    .key('series_id', 'steam_id')
    .index('night_series_left_out_by_person', '(steam_id)'),
  /** The results of a night; the pick is the one with the highest number. */
  night_draws: table({
    night_id: bigint().of('nights'),
    number: integer(),
    appid: bigint(),
    by: text<'votes' | 'draw'>(),
    /** [{appid, weight}] as JSON. */
    odds: text(),
    reason: text().orNull(),
    /** Null when the vote ended by itself, and for a deleted account. */
    drawn_by: text().orNull(),
    at: bigint(),
    /** What it was drawn with; null for 'votes'. */
    seed: text().orNull(),
  })
    .key('night_id', 'number')
    .index('night_draws_by_drawer', '(drawn_by) WHERE drawn_by IS NOT NULL'),
  /** Links by which players join a group or a night; one of each, and renewing replaces it. */
  invites: table({
    token: text().key(),
    group_id: bigint().orNull().unique().of('groups'),
    night_id: bigint().orNull().unique().of('nights'),
    created_by: text().of('people'),
    created_at: bigint(),
    expires_at: bigint(),
  })
    .index('invites_by_creator', '(created_by)')
    .index('invites_by_end', '(expires_at)'),
  /** Years that are shared (LATELY-5, LATELY-6): of their creator, or of a group. At most one link of each. */
  year_links: table({
    token: text().key(),
    created_by: text().of('people'),
    group_id: bigint().orNull().of('groups'),
    year: integer(),
    created_at: bigint(),
  })
    .index('year_links_by_creator', '(created_by)')
    .index('year_links_by_group', '(group_id) WHERE group_id IS NOT NULL'),
  /** Where the nights of a group are announced. */
  webhooks: table({
    webhook_id: serial(),
    /** Null for webhooks of users, which are no more. */
    group_id: bigint().orNull().unique().of('groups').as<number>(),
    url: text(),
    format: text<WebhookFormat>(),
    /** Signs the messages. */
    secret: text(),
    created_by: text().of('people'),
    created_at: bigint(),
    last_ok_at: bigint().orNull(),
    last_error: text().orNull(),
    last_error_at: bigint().orNull(),
    /** When it gets the next message of the week (LATELY-4). */
    weekly_due_at: bigint().orNull(),
    /** Unused, as the next one. */
    gone_count: integer().default(0),
    off_at: bigint().orNull(),
  })
    .index('webhooks_by_creator', '(created_by)')
    .index('webhooks_by_week', '(weekly_due_at) WHERE weekly_due_at IS NOT NULL'),
  /** Messages to webhooks, written with what they announce; claimed by lease, and counted for an hour (NIGHT-72). */
  messages: table({
    message_id: serial(),
    webhook_id: bigint().of('webhooks'),
    ...message,
  })
    .index('messages_by_turn', '(next_attempt_at)')
    .index('messages_by_webhook', '(webhook_id)'),
  /** Notifications of devices. */
  push_messages: table({
    message_id: serial(),
    subscription_id: text(),
    ...message,
  })
    .index('push_messages_by_turn', '(next_attempt_at) WHERE done_at IS NULL')
    .index('push_messages_untried', '(next_attempt_at, message_id) WHERE done_at IS NULL AND attempts = 0')
    .index('push_messages_by_subscription', '(subscription_id)'),
  /** When the players of a planned night are reminded next; the row goes when nothing is left to do (PUSH-6). */
  night_reminders: table({
    night_id: bigint().key(),
    due_at: bigint(),
  }).index('night_reminders_by_time', '(due_at)'),
  /** The address of a player's calendar of game nights. */
  calendar_feeds: table({
    token: text().key(),
    steam_id: text().unique().of('people'),
    created_at: bigint(),
  }),
}
