/** Voting on the games of a night, and what is picked (NIGHT-15 to NIGHT-19). */
import { NIGHT_START_AHEAD_MS, NIGHT_START_PAST_MS } from '#shared/limits.ts'
import type { nightsContract } from '#shared/contract/nights.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import {
  changeNight,
  changeNightPlayer,
  listDraws,
  nextDueAt,
  type NightDates,
  packMarks,
  readDates,
  saveDateAnswers,
  setDueAt,
} from '../../storage/nights/nights.ts'
import { notify } from '../../storage/notifications/notifications.ts'
import {
  type Changing,
  drawNext,
  endIfComplete,
  endVote,
  type LockedNight,
  reopenVote,
  requireDate,
  requireLeads,
  requireNotPast,
  requireVoteOpen,
} from './change.ts'
import { readShortlist } from './shortlist.ts'
import type { PlainReason } from '#shared/errors.ts'
import type { BodyOf } from '#shared/contract/endpoint.ts'
import { takeAgreedTime, takeTime, timeDue } from './starts.ts'

export function nightVotesHandlers(changing: Changing) {
  return {
    vote: ({ params, body: { marks }, user }) => {
      const appids = new Set(marks.map((mark) => mark.appid))
      if (appids.size < marks.length)
        throw new AppError('invalid_input', { field: 'marks', problem: 'A game can be marked only once.' })
      return changing(params.id, user, async (locked) => {
        requireVoteOpen(locked)
        const { tx, night, me, now } = locked
        if (me.answer !== 'in') throw new AppError('not_in_night')
        if (me.marks === packMarks(marks)) return
        // Any game may be marked: whether one is on the list can depend on libraries that not everyone may see.
        await changeNightPlayer(tx, night.night_id, user, { marks: packMarks(marks), voted_at: now })
        await changeNight(tx, night.night_id)
        if (me.marks === null) await notify(tx, night.night_id, 'vote', { now, by: user })
        await endIfComplete(locked)
      })
    },

    close: ({ params, body: { by }, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        // Of two that close at once, the second gets what the first has done.
        if (locked.night.status === 'tied' || locked.night.status === 'decided') return
        requireVoteOpen(locked)
        const list = await readShortlist(locked.deps, locked.night, locked.players)
        await endVote(locked, list, { by, endedBy: user, seenBy: user })
      }),

    reopen: ({ params, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        requireNotPast(locked)
        requireDate(locked)
        if (locked.night.status !== 'open') await reopenVote(locked)
      }),

    draw: ({ params, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        if (locked.night.status === 'decided') return
        requireNotPast(locked)
        requireDate(locked)
        await drawNext(locked, null)
      }),

    redraw: ({ params, body: { reason, replaces }, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        requireNotPast(locked)
        requireDate(locked)
        const { tx, night } = locked
        if (night.status !== 'decided') throw new AppError('vote_is_open', { reason: 'nothing_picked' })
        if (replaces !== undefined && (await listDraws(tx, night.night_id)).length !== replaces) return
        await drawNext(locked, reason)
      }),

    // DATE-2
    answerTimes: ({ params, body, user }) =>
      changing(params.id, user, async (locked) => {
        requireNotPast(locked)
        const { tx, night, me, now } = locked
        const dates = await requireDating(locked)
        // The background work is about to take it.
        if (timeDue(dates, now) !== undefined) throw new AppError('date_is_found')
        const answered = dates.times.filter(({ answers }) => answers.has(user))
        const before = new Map(answered.map(({ at, answers }) => [at, answers.get(user)!]))
        // An instant can be written in several ways.
        const given = new Map(
          Object.entries(body.answers).map(([time, answer]) => [Date.parse(time), answer] as const),
        )
        const news = [...given].filter(([at, answer]) => before.get(at) !== answer)
        for (const [at] of news) requireProposed(dates, at, { field: 'answers', now })
        if (news.length === 0) return
        // A deadline that took nothing, because nobody could come, does not take what is answered after it (DATE-7).
        if (dates.dueAt <= now) await setDueAt(tx, night.night_id, nextDueAt(dates, now)!)
        const answers = new Map([...before, ...news])
        await saveDateAnswers(tx, night.night_id, user, { answers, at: now })
        // Answering a time takes back being out for all of them.
        if (me.answer !== null)
          await changeNightPlayer(tx, night.night_id, user, { answer: null, word: null, answered_at: null })
        await changeNight(tx, night.night_id)
        await takeAgreedTime(tx, night, { now, by: user })
      }),

    // DATE-11
    takeTime: ({ params, body, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        requireNotPast(locked)
        const { tx, night, now } = locked
        const at = Date.parse(body.starts_at)
        // Of two who take it at once, the second gets what the first has done.
        if (night.status !== 'dating' && night.starts_at === at) return
        const dates = await requireDating(locked)
        requireProposed(dates, at, { field: 'starts_at', now })
        await takeTime(tx, night, dates, { at, now, by: user })
      }),
  } satisfies Partial<Handlers<typeof nightsContract>>
}

/** @throws AppError date_is_found */
async function requireDating({ tx, night }: LockedNight): Promise<NightDates> {
  const dates = await readDates(tx, night.night_id)
  if (night.status !== 'dating' || !dates) throw new AppError('date_is_found')
  return dates
}

/** @throws AppError invalid_input, time_has_passed */
function requireProposed(
  { times }: NightDates,
  at: number,
  { field, now }: { field: string; now: number },
): void {
  if (!times.some((time) => time.at === at))
    throw new AppError('invalid_input', { field, reason: 'time_not_proposed' })
  if (at <= now) throw new AppError('time_has_passed')
}

/**
 * The times that a new night proposes; undefined when it has one start.
 * @throws AppError invalid_input
 */
export function proposedIn(
  body: Pick<BodyOf<typeof nightsContract.start>, 'starts_at' | 'times' | 'close_times_at'>,
  now: number,
): { times: number[]; last: number; closeAt: number | null } | undefined {
  const fail = (field: string, reason: PlainReason) => new AppError('invalid_input', { field, reason })
  if (body.times === undefined) {
    if (body.close_times_at === undefined) return undefined
    throw new AppError('invalid_input', {
      field: 'close_times_at',
      problem: 'Only a choice of times has a deadline.',
    })
  }
  if (body.starts_at !== undefined)
    throw new AppError('invalid_input', { field: 'times', problem: 'Choose either one time or several.' })
  const times = body.times.map((time) => Date.parse(time))
  for (const at of times) requireStart(at, now, 'times')
  if (new Set(times).size < times.length) throw fail('times', 'times_repeated')
  const last = Math.max(...times)
  if (last <= now) throw fail('times', 'times_have_passed')
  const closeAt = body.close_times_at === undefined ? null : Date.parse(body.close_times_at)
  if (closeAt !== null && (closeAt <= now || closeAt >= last))
    throw fail('close_times_at', 'deadline_too_late')
  return { times, last, closeAt }
}

/** A night starts now or within a year (NIGHT-2). @throws AppError invalid_input */
export function requireStart(startsAt: number, now: number, field = 'starts_at'): void {
  const fail = (reason: PlainReason) => new AppError('invalid_input', { field, reason })
  if (startsAt < now - NIGHT_START_PAST_MS) throw fail('starts_in_past')
  if (startsAt > now + NIGHT_START_AHEAD_MS) throw fail('starts_too_late')
}
