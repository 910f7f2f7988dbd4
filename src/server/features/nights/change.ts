/**
 * Changes of game nights: each is one transaction that locks the night, so if two come at once, the second sees what
 * the first did (NIGHT-14 to NIGHT-17).
 */
import type { SteamId } from '#shared/entities.ts'
import type { Ballot, Night, NightAnswer } from '#shared/nights/entities.ts'
import { REOPEN_VOTE_MS } from '#shared/limits.ts'
import { drawFrom } from '#shared/nights/draw.ts'
import { type Odds, oddsOf, tally } from '#shared/nights/votes.ts'
import { column } from '../../database/chunks.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import { readWishes } from '../../storage/groups/games.ts'
import { weeksOff } from '../../library/shortlist.ts'
import type { FoundNight } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { findGroupOwner } from '../../storage/groups/groups.ts'
import { announce } from '../../storage/notifications/messages.ts'
import {
  addDraw,
  changeNight,
  changeNightPlayer,
  deleteDateAnswers,
  isPast,
  listDraws,
  listNightPlayers,
  lockNight,
  type NightDrawRow,
  type NightPlayerRow,
  type NightResult,
  type NightRow,
  resultOf,
  unpackMarks,
} from '../../storage/nights/nights.ts'
import { notify } from '../../storage/notifications/notifications.ts'
import { asPlayer, leadsNight } from '../access.ts'
import { takeAgreedTime } from './starts.ts'
import {
  countLacking,
  fittingIn,
  type NightDeps,
  readExpected,
  readNightLibraries,
  readShortlist,
  readyFor,
  type Shortlist,
  withCurrentData,
} from './shortlist.ts'

/** A locked night, inside the transaction that changes it. */
export type LockedNight = FoundNight & {
  tx: Tx
  /** The owner of its group, who leads it like its host (NIGHT-11). */
  groupOwner: SteamId | undefined
  now: number
  /** For reads inside the transaction. */
  deps: NightDeps
}

/** Changes a night, and responds with it as it is then. */
export type Changing = (
  nightId: number,
  user: SteamId,
  work: (locked: LockedNight) => Promise<void>,
) => Promise<Night>

/**
 * Runs `work` with a night locked.
 * @throws AppError night_not_found when `user` is not one of its players (any more)
 */
export function changingNight<Result>(
  deps: NightDeps,
  nightId: number,
  user: SteamId,
  work: (locked: LockedNight) => Promise<Result>,
): Promise<Result> {
  return deps.database.transaction(async (tx) =>
    work(await asLocked(deps, tx, await lockNight(tx, nightId), user)),
  )
}

/** A night that the transaction has locked, as `user` changes it. @throws AppError night_not_found */
export async function asLocked(deps: NightDeps, tx: Tx, night: NightRow | undefined, user: SteamId) {
  const found = await asPlayer(tx, night, user)
  const groupOwner = await findGroupOwner(tx, found.night.group_id)
  return { ...found, tx, groupOwner, now: deps.clock(), deps: withCurrentData(deps, tx) }
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

/** @throws AppError night_has_no_date */
export function requireDate({ night }: Pick<LockedNight, 'night'>): void {
  if (night.status === 'dating') throw new AppError('night_has_no_date')
}

/** @throws AppError night_has_no_date; night_has_ended, also when only the vote has ended */
export function requireVoteOpen({ night, now }: Pick<LockedNight, 'night' | 'now'>): void {
  requireNotPast({ night, now })
  requireDate({ night })
  requireVoteNotEnded({ night })
}

/** Also while there is no vote yet. @throws AppError night_has_ended */
export function requireVoteNotEnded({ night }: Pick<LockedNight, 'night'>): void {
  if (night.status !== 'open' && night.status !== 'dating')
    throw new AppError('night_has_ended', { reason: 'vote_has_ended' })
}

/**
 * Stores the answer of who changes the night. A word that is left out stays with its answer (NIGHT-6).
 * @throws AppError night_has_ended, night_has_no_date
 */
export async function answerNight(
  locked: LockedNight,
  { answer, word }: { answer: NightAnswer; word?: string | null | undefined },
): Promise<void> {
  requireNotPast(locked)
  const { tx, night, me, now } = locked
  // 'In' and 'maybe' are about a time (DATE-3).
  if (answer !== 'out') requireDate(locked)
  else if (night.status === 'dating') await deleteDateAnswers(tx, night.night_id, me.steam_id)
  const kept = me.answer === answer ? me.word : null
  const newWord = word === undefined ? kept : word
  if (me.answer === answer && me.word === newWord) return
  await changeNightPlayer(tx, night.night_id, me.steam_id, {
    answer,
    word: newWord,
    // Who has been in for longest becomes the host when the host leaves (NIGHT-8).
    answered_at: me.answer === answer ? me.answered_at : now,
  })
  await changeNight(tx, night.night_id)
  await endIfComplete(locked)
}

/** Whether everyone has answered and everyone who is in, at least two, has voted. */
export function isComplete(players: readonly NightPlayerRow[]): boolean {
  const coming = players.filter(({ answer }) => answer === 'in')
  return (
    players.every(({ answer }) => answer !== null) &&
    coming.length >= 2 &&
    coming.every(({ marks }) => marks !== null)
  )
}

/**
 * Ends the vote when it becomes complete (NIGHT-16), or finds the date on which all agree (DATE-6). Call it after each
 * change of answers or ballots. A leader who reopens a complete vote for changes also has to end it (NIGHT-126).
 */
export async function endIfComplete(locked: LockedNight): Promise<void> {
  const { tx, night, now } = locked
  // The caller sees the pick in the response.
  const seenBy = locked.me.steam_id
  if (night.status === 'dating') return takeAgreedTime(tx, night, { now, by: seenBy })
  if (night.status !== 'open' || isPast(night, now) || isComplete(locked.players)) return
  const players = await listNightPlayers(tx, night.night_id)
  if (isComplete(players)) await endVoteAlone({ ...locked, players }, seenBy)
}

/**
 * Ends a vote without its leader, unless the leader has to decide: if nothing can be picked, or somebody lacks every
 * game with votes. Returns whether it has ended.
 */
export async function endVoteAlone(locked: LockedNight, seenBy: SteamId | null): Promise<boolean> {
  const { deps, night, players } = locked
  const list = await readShortlist(deps, night, players)
  const { eligible, missed } = await eligibleOf(locked, list)
  const marked = new Set(
    players
      .filter(({ answer }) => answer === 'in')
      .flatMap(({ marks }) => unpackMarks(marks) ?? [])
      .filter(({ mark }) => mark !== 'no')
      .map(({ appid }) => appid),
  )
  const hasVotes = (appids: Iterable<number>) => [...appids].some((appid) => marked.has(appid))
  if (eligible.length === 0 || (hasVotes(missed) && !hasVotes(eligible))) return false
  await endVote(locked, list, { by: 'votes', endedBy: null, seenBy })
  return true
}

/**
 * The games of a list that can be picked, and those that an expected player lacks. The pick reveals that, so only
 * libraries that all players may see count (NIGHT-152).
 */
async function eligibleOf({ deps, night, players, tx }: LockedNight, { games }: Shortlist) {
  const fitting = [...games.best, ...games.marked].filter(({ tooSmall }) => !tooSmall)
  const appids = fitting.map(({ appid }) => appid)
  if (night.any_owner === 1) return { eligible: appids, missed: new Set<number>() }
  const expected = await readExpected(deps, players, players)
  const listed = await deps.catalogue.games(appids, tx)
  const missed = new Set(
    appids.filter(
      (appid, nth) => listed[nth]!.details.is_free !== true && readyFor(expected, appid).lacking.length > 0,
    ),
  )
  return { eligible: appids.filter((appid) => !missed.has(appid)), missed }
}

/**
 * Ends the vote: the one best game is the pick, or several wait for a draw (NIGHT-16, NIGHT-17).
 * @throws AppError no_games_left
 */
export async function endVote(
  locked: LockedNight,
  list: Shortlist,
  { by, endedBy, seenBy }: { by: 'votes' | 'draw'; endedBy: SteamId | null; seenBy: SteamId | null },
): Promise<void> {
  const { tx, night, players, now } = locked
  const { best: listed, marked } = list.games
  if (!listed[0]) throw new AppError('no_games_left')
  // Games for fewer people are last.
  if (listed[0].tooSmall) throw new AppError('no_games_left', { reason: 'all_games_too_small' })
  // What did not count is not shown afterwards (NIGHT-16).
  for (const { steam_id, answer, marks } of players)
    if (answer !== 'in' && marks !== null)
      await changeNightPlayer(tx, night.night_id, steam_id, { marks: null })
  // For players who are in and have not voted, their wishes count (WISH-3); others do not see them as votes.
  const wishes = await wishesOf(tx, night, now)
  const wanted = (steamId: SteamId): Ballot =>
    [...(wishes.get(steamId)?.keys() ?? [])].map((appid) => ({ appid, mark: 'want' }))
  const ballots = players
    .filter(({ answer }) => answer === 'in')
    .map(({ steam_id, marks }) => unpackMarks(marks) ?? wanted(steam_id))
  // Others stay on the list without a score, so that no draw has them (NIGHT-128, NIGHT-152).
  const { eligible } = await eligibleOf(locked, list)
  if (eligible.length === 0) throw new AppError('no_games_left', { reason: 'somebody_lacks_each' })
  const { scores, ruledOut, everythingRuledOut, best } = tally(ballots, eligible, {
    forbids: night.forbids === 1,
  })
  const result: NightResult = {
    by,
    entries: [...listed, ...marked].map(({ appid, facts }) => ({ appid, facts })),
    scores: [...scores].map(([appid, score]) => ({ appid, score, ruled_out: ruledOut.has(appid) })),
    everythingRuledOut,
  }
  const [pick, ...others] = best
  if (by === 'draw' || pick === undefined || others.length > 0)
    return changeNight(tx, night.night_id, { status: 'tied', result: JSON.stringify(result) })
  const odds = [{ appid: pick, weight: 1 }]
  const drawn = { number: 1, appid: pick, by: 'votes', odds, reason: null, drawn_by: endedBy } as const
  await decide(locked, drawn, seenBy, { result: JSON.stringify(result) })
}

/**
 * Draws a game of a new night without a vote, among those that fit all of its players: the longer its group has not picked
 * one, and the more of them want it, the better are its odds (NIGHT-154).
 * @throws AppError no_games_left
 */
export async function pickAtOnce(locked: LockedNight): Promise<void> {
  const { tx, night, players, deps } = locked
  // All count alike, including whoever pressed.
  const all = await readNightLibraries(deps, night.group_id, column(players, 'steam_id'))
  const list = await readShortlist(deps, night, [], all)
  const eligible = new Set((await eligibleOf(locked, list)).eligible)
  const entries = list.games.best.filter(({ appid }) => eligible.has(appid))
  if (entries.length === 0) throw new AppError('no_games_left', { reason: 'somebody_lacks_each' })
  const wishes = [...(await wishesOf(tx, night, locked.now)).values()]
  const weigh = ({ appid, facts }: (typeof entries)[number]) =>
    1 + weeksOff(facts) + 2 * wishes.filter((games) => games.has(appid)).length
  const result: NightResult = {
    by: 'draw',
    entries: entries.map(({ appid, facts }) => ({ appid, facts })),
    scores: entries.map((entry) => ({ appid: entry.appid, score: weigh(entry), ruled_out: false })),
    everythingRuledOut: false,
  }
  const text = JSON.stringify(result)
  await changeNight(tx, night.night_id, { status: 'tied', result: text })
  await drawNext({ ...locked, night: { ...night, result: text } }, null)
}

/** What the players of a night want to play with its group; what one hides, the night must not know (VIS-8). */
export async function wishesOf(
  db: Queries | Tx,
  { group_id }: Pick<NightRow, 'group_id'>,
  now: number,
): ReturnType<typeof readWishes> {
  return group_id === null ? new Map() : readWishes(db, group_id, { viewer: null, now })
}

/**
 * Stores a draw, which decides a night, and tells of it.
 * @param seenBy who has the response with the pick, and is not notified
 */
async function decide(
  { tx, night: { night_id }, now, deps }: LockedNight,
  draw: Omit<Parameters<typeof addDraw>[1], 'night_id' | 'at'>,
  seenBy: SteamId | null,
  change: { result?: string } = {},
): Promise<void> {
  await addDraw(tx, { ...draw, night_id, at: now }, change)
  const lacking = await countLacking(deps, await listNightPlayers(tx, night_id), draw.appid)
  await announce(tx, night_id, 'decided', now, { lacking })
  await notify(tx, night_id, 'picked', { now, by: seenBy, lacking })
}

/**
 * The odds of the next draw of a night whose vote has ended; empty when no game is left.
 * @param fits as {@link fittingIn}: more may be in than when the vote ended
 */
export function nextOdds(
  result: NightResult,
  draws: readonly Pick<NightDrawRow, 'appid'>[],
  fits: (appid: number) => boolean,
): Odds {
  const { scores } = result
  const counted = {
    scores: new Map(scores.map(({ appid, score }) => [appid, score])),
    ruledOut: new Set(
      column(
        scores.filter(({ ruled_out }) => ruled_out),
        'appid',
      ),
    ),
  }
  const small = scores.filter(({ appid }) => !fits(appid))
  return oddsOf(counted, result.by, column([...draws, ...small], 'appid'))
}

/**
 * Whether the vote of a night may be reopened: until a pick has been drawn, or, where the vote itself picked a game,
 * for an hour after that and after the start (NIGHT-126).
 */
export function mayReopen(night: NightRow, draws: readonly Pick<NightDrawRow, 'by'>[], now: number): boolean {
  if (isPast(night, now) || draws.some(({ by }) => by === 'draw')) return false
  if (night.status !== 'decided') return night.status === 'tied'
  return now < Math.max(night.starts_at, night.decided_at!) + REOPEN_VOTE_MS
}

/**
 * Opens the vote of a night again, with the votes that counted, and withdraws what it picked.
 * @throws AppError already_drawn; night_has_ended when it is too late
 */
export async function reopenVote({ tx, night, now }: LockedNight): Promise<void> {
  const draws = await listDraws(tx, night.night_id)
  if (draws.some(({ by }) => by === 'draw')) throw new AppError('already_drawn')
  if (!mayReopen(night, draws, now)) throw new AppError('night_has_ended', { reason: 'reopens_for_an_hour' })
  await tx.deleteFrom('night_draws').where('night_id', '=', night.night_id).execute()
  const none = { vote_closes_at: null, completed_at: null, result: null, decided_at: null, ended_at: null }
  // Its link showed the pick.
  const change = { status: 'open', ...none, share_token: null } as const
  await changeNight(tx, night.night_id, change, { inCalendars: draws.length > 0 })
}

/** Draws the next pick of a night whose vote has ended. @throws AppError vote_is_open, no_games_left */
export async function drawNext(locked: LockedNight, reason: string | null): Promise<void> {
  const { tx, night, me, players, deps } = locked
  const result = resultOf(night)
  if (!result) throw new AppError('vote_is_open')
  const draws = await listDraws(tx, night.night_id)
  const odds = nextOdds(result, draws, await fittingIn(deps, night, players))
  if (odds.length === 0) throw new AppError('no_games_left')
  const number = draws.length + 1
  const appid = drawFrom(night.seed, night.night_id, number, odds)
  const drawn_by = me.steam_id
  await decide(locked, { number, appid, by: 'draw', odds, reason, drawn_by, seed: night.seed }, drawn_by)
}
