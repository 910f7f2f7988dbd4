/**
 * Changes of game nights: each is one transaction that locks the night, so that of two at once the second sees what the
 * first did (NIGHT-14 to NIGHT-18).
 */
import type { SteamId } from '#shared/entities.ts'
import type { GameScore } from '#shared/nights/entities.ts'
import { drawFrom } from '#shared/nights/draw.ts'
import { type Odds, oddsOf, tally } from '#shared/nights/votes.ts'
import type { Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { findGroupOwner } from '../storage/groups.ts'
import {
  addDraw,
  listDraws,
  type NightDrawRow,
  type NightResult,
  resultOf,
  unpackMarks,
} from '../storage/night-votes.ts'
import {
  changeNight,
  changeNightPerson,
  findNight,
  isPast,
  listNightPeople,
  lockNight,
  openNightsOf,
  type NightPersonRow,
  type NightRow,
} from '../storage/nights.ts'
import { leadsNight } from './access.ts'
import { basisOf, idsIn, readShortlist, type Shortlist } from './night-shortlist.ts'

type NightDeps = Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>

/** Thrown to roll a change back that needs the shortlist of other people, or of other libraries, than was read. */
class ShortlistNeeded extends Error {
  readonly night: NightRow
  readonly ids: SteamId[]
  constructor(night: NightRow, ids: SteamId[]) {
    super('the shortlist has to be read')
    this.night = night
    this.ids = ids
  }
}

/** Attempts to change a night while its shortlist changes; each needs a sync or an answer that comes in between. */
const ATTEMPTS = 8

/** A locked night, inside the transaction that changes it. */
export type LockedNight = {
  tx: Tx
  night: NightRow
  /** The person who changes it; one of its people. */
  me: NightPersonRow
  people: NightPersonRow[]
  /** The owner of its group, who leads it like its host (NIGHT-11). */
  groupOwner: SteamId | undefined
  now: number
  /** The shortlist of those who are in, as it is now. */
  shortlist: (people: readonly NightPersonRow[]) => Promise<Shortlist>
}

/**
 * Runs `work` with a night locked. It may run several times, because libraries are not read inside a transaction.
 * @throws AppError night_not_found when `user` is not one of its people (any more); busy
 */
export async function changingNight<Result>(
  deps: NightDeps,
  nightId: number,
  user: SteamId,
  work: (locked: LockedNight) => Promise<Result>,
): Promise<Result> {
  const { database, readCache, clock } = deps
  let list: Shortlist | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await database.transaction(async (tx) => {
        const night = await lockNight(tx, nightId)
        const people = night ? await listNightPeople(tx, nightId) : []
        const me = people.find((person) => person.steam_id === user && person.gone === 0)
        if (!night || !me) throw new AppError('night_not_found')
        const groupOwner = await findGroupOwner(tx, night.group_id)
        const shortlist = async (of: readonly NightPersonRow[]) => {
          const ids = idsIn(of)
          if (list?.basis === (await basisOf(tx, night, ids))) return list
          throw new ShortlistNeeded(night, ids)
        }
        return work({ tx, night, me, people, groupOwner, now: clock(), shortlist })
      })
    } catch (error) {
      if (!(error instanceof ShortlistNeeded)) throw error
      await readCache.refreshNow()
      list = await readShortlist(deps, error.night, error.ids)
    }
  }
  throw new AppError('busy')
}

/** The host, or the owner of the group, may have changed since the access rule ran. @throws AppError not_night_host */
export function requireLeads({
  night,
  groupOwner,
  me,
}: Pick<LockedNight, 'night' | 'groupOwner' | 'me'>): void {
  if (!leadsNight(night, groupOwner, me.steam_id)) throw new AppError('not_night_host')
}

/** @throws AppError night_has_ended */
export function requireNotPast({ night, now }: Pick<LockedNight, 'night' | 'now'>): void {
  if (isPast(night, now)) throw new AppError('night_has_ended')
}

/** @throws AppError night_has_ended, also when only the vote has ended */
export function requireVoteOpen({ night, now }: Pick<LockedNight, 'night' | 'now'>): void {
  requireNotPast({ night, now })
  if (night.status !== 'open') throw new AppError('night_has_ended', { text: 'The vote has already ended.' })
}

/**
 * Ends the vote when everyone has answered and everyone who is in, at least two, has voted (NIGHT-16). Call it after
 * each change of answers, ballots or people.
 */
export async function endIfComplete(locked: LockedNight): Promise<void> {
  const { tx, night, now } = locked
  if (night.status !== 'open' || isPast(night, now)) return
  const people = await listNightPeople(tx, night.night_id)
  const coming = people.filter(({ answer }) => answer === 'in')
  const isComplete =
    people.every(({ answer }) => answer !== null) &&
    coming.length >= 2 &&
    coming.every(({ voted_at }) => voted_at !== null)
  if (!isComplete) return
  const list = await locked.shortlist(people)
  if (list.entries.length > 0) await endVote(locked, { by: 'votes', people, endedBy: null, list })
}

/**
 * Runs `work`, by which a person leaves nights in another way than through a night, such as leaving a group, and ends
 * the votes that are complete without them.
 */
export async function leavingNights<Result>(
  deps: NightDeps & Pick<Deps, 'log'>,
  steamId: SteamId,
  work: () => Promise<Result>,
): Promise<Result> {
  const nightIds = await openNightsOf(deps.database.queries, steamId)
  const result = await work()
  for (const nightId of nightIds) {
    const host = (await findNight(deps.database.queries, nightId))?.host_steam_id
    if (host)
      // What was asked for is done; the host can still end the vote.
      await changingNight(deps, nightId, host, endIfComplete).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'a complete vote was not ended'),
      )
  }
  return result
}

/**
 * Ends the vote: the one best game is the pick, or several wait for a draw (NIGHT-16, NIGHT-17).
 * @throws AppError no_games_left
 */
export async function endVote(
  { tx, night, now }: LockedNight,
  {
    by,
    people,
    endedBy,
    list,
  }: { by: 'votes' | 'draw'; people: readonly NightPersonRow[]; endedBy: SteamId | null; list: Shortlist },
): Promise<void> {
  if (list.entries.length === 0) throw new AppError('no_games_left')
  const appids = list.entries.map((entry) => entry.appid)
  // What did not count is not shown afterwards (NIGHT-16).
  for (const { steam_id, answer, marks } of people)
    if (answer !== 'in' && marks !== null)
      await changeNightPerson(tx, night.night_id, steam_id, { marks: null })
  const ballots = people
    .filter(({ answer }) => answer === 'in')
    .map(({ marks }) => unpackMarks(marks))
    .filter((marks) => marks !== null)
  const { scores, ruledOut, everythingRuledOut, best } = tally(ballots, appids, {
    forbids: night.forbids === 1,
  })
  const result: NightResult = {
    by,
    entries: list.entries.map(({ appid, facts }) => ({ appid, facts })),
    total: list.total,
    scores: [...scores].map(([appid, score]) => ({ appid, score, ruled_out: ruledOut.has(appid) })),
    everythingRuledOut,
  }
  const [pick, ...others] = best
  if (by === 'draw' || pick === undefined || others.length > 0)
    return changeNight(tx, night.night_id, { status: 'tied', result: JSON.stringify(result) })
  await addDraw(
    tx,
    {
      night_id: night.night_id,
      number: 1,
      appid: pick,
      by: 'votes',
      odds: [{ appid: pick, weight: 1 }],
      reason: null,
      drawn_by: endedBy,
      at: now,
    },
    { result: JSON.stringify(result) },
  )
}

/** The odds of the next draw of a night whose vote has ended; empty when no game is left. */
export function nextOdds(result: NightResult, draws: readonly Pick<NightDrawRow, 'appid'>[]): Odds {
  return oddsOf(
    asTally(result.scores),
    result.by,
    draws.map((draw) => draw.appid),
  )
}

function asTally(scores: readonly GameScore[]) {
  return {
    scores: new Map(scores.map(({ appid, score }) => [appid, score])),
    ruledOut: new Set(scores.filter((score) => score.ruled_out).map(({ appid }) => appid)),
  }
}

/** Draws the next pick of a night whose vote has ended. @throws AppError vote_is_open, no_games_left */
export async function drawNext({ tx, night, me, now }: LockedNight, reason: string | null): Promise<void> {
  const result = resultOf(night)
  if (!result) throw new AppError('vote_is_open')
  const draws = await listDraws(tx, night.night_id)
  const odds = nextOdds(result, draws)
  if (odds.length === 0) throw new AppError('no_games_left')
  const number = draws.length + 1
  await addDraw(tx, {
    night_id: night.night_id,
    number,
    appid: drawFrom(night.seed, night.night_id, number, odds),
    by: 'draw',
    odds,
    reason,
    drawn_by: me.steam_id,
    at: now,
  })
}
