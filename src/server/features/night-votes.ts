/** Voting on the games of a night, and what is picked (NIGHT-15 to NIGHT-19). */
import { NIGHT_CLAIMS_MAX } from '#shared/limits.ts'
import type { nightsContract } from '#shared/contract/nights.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { listDraws, packClaims, packMarks, saveBallot, unpackClaims } from '../storage/night-votes.ts'
import { changeNight, changeNightPlayer } from '../storage/nights.ts'
import { notify } from '../storage/notifications.ts'
import { mayClaim } from './access.ts'
import {
  type Changing,
  drawNext,
  endIfComplete,
  endVote,
  reopenVote,
  requireDate,
  requireLeads,
  requireNotPast,
  requireVoteOpen,
} from './night-change.ts'
import { claimableOf } from './night-shortlist.ts'

/** Handlers of votes and picks. */
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
        await saveBallot(tx, night.night_id, user, { marks, at: now })
        await changeNight(tx, night.night_id)
        if (me.marks === null) await notify(tx, night.night_id, 'vote', { now, by: user })
        await endIfComplete(locked)
      })
    },

    claim: ({ params: { id, gameId }, user }) =>
      changing(id, user, async (locked) => {
        requireVoteOpen(locked)
        const { tx, night, me } = locked
        if (me.answer !== 'in') throw new AppError('not_in_night')
        const claims = unpackClaims(me.claims)
        if (claims.includes(gameId)) return
        const list = await locked.shortlist(locked.players)
        if (!mayClaim(me, list)) throw new AppError('library_is_known')
        if (!claimableOf(list).includes(gameId)) throw new AppError('not_on_list')
        if (claims.length >= NIGHT_CLAIMS_MAX) throw new AppError('too_many_claims')
        await changeNightPlayer(tx, night.night_id, user, { claims: packClaims([...claims, gameId]) })
        await changeNight(tx, night.night_id)
      }),

    unclaim: ({ params: { id, gameId }, user }) =>
      changing(id, user, async (locked) => {
        requireVoteOpen(locked)
        const { tx, night, me } = locked
        const claims = unpackClaims(me.claims)
        if (!claims.includes(gameId)) return
        const left = packClaims(claims.filter((appid) => appid !== gameId))
        await changeNightPlayer(tx, night.night_id, user, { claims: left })
        await changeNight(tx, night.night_id)
      }),

    close: ({ params, body: { by }, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        // Of two that close at once, the second gets what the first has done.
        if (locked.night.status === 'tied' || locked.night.status === 'decided') return
        requireVoteOpen(locked)
        const list = await locked.shortlist(locked.players)
        await endVote(locked, { by, players: locked.players, endedBy: user, seenBy: user, list })
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
  } satisfies Partial<Handlers<typeof nightsContract>>
}
