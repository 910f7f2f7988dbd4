/** Game nights: starting, changing and answering them, and their players (NIGHT-1 to NIGHT-14). */
import type { SteamId } from '#shared/entities.ts'
import {
  NIGHT_LENGTH_MS,
  NIGHT_PLAYERS_MAX,
  NIGHTS_HOSTED_MAX,
  OPEN_NIGHTS_PER_GROUP,
  SERIES_HOSTED_MAX,
  SERIES_PER_GROUP,
} from '#shared/limits.ts'
import type { BodyOf } from '#shared/contract/endpoint.ts'
import type { nightsContract } from '#shared/contract/nights.ts'
import { nameOf } from '#shared/names.ts'
import type { Repeat } from '#shared/nights/repeats.ts'
import { column } from '../../database/chunks.ts'
import type { Tx } from '../../database/schema.ts'
import type { Flag } from '../../database/schema-nights.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { countUse, secondsToNextUse } from '../../storage/accounts/used-once.ts'
import { storedConnections } from '../../storage/players/friends.ts'
import { deleteInvite } from '../../storage/groups/links.ts'
import { joinedMemberIds, listMemberIds } from '../../storage/groups/memberships.ts'
import { announce } from '../../storage/notifications/messages.ts'
import { addSeries, countSeries, endSeries, lockSeries } from '../../storage/nights/series.ts'
import { notify } from '../../storage/notifications/notifications.ts'
import { listNights, type NightsOf } from '../../storage/nights/lists.ts'
import * as nights from '../../storage/nights/nights.ts'
import { lockPlayers, type PlayerRow } from '../../storage/players/players.ts'
import { planReminder, startNight } from './starts.ts'
import {
  asPlayer,
  requireAccount,
  requireConnected,
  requireJoined,
  requireLeadsSeries,
  requireMayRemoveFromNight,
} from '../access.ts'
import {
  answerNight,
  asLocked,
  changingNight,
  type LockedNight,
  pickAtOnce,
  requireLeads,
  requireNotPast,
  requireVoteNotEnded,
  requireVoteOpen,
} from './change.ts'
import { cancelNight, removePlayer } from '../groups/departures.ts'
import { nightVotesHandlers, proposedIn, requireStart } from './votes.ts'
import { lastHeld, summariesOf, viewNight } from './view.ts'

/** Presses within this time are one surprise, whoever presses. */
const SURPRISE_MS = 60_000

/** A night of a group that has been started for now and decided since a time, and that the user is asked to. */
async function drawnSince(
  tx: Tx,
  { groupId, user, since }: { groupId: number; user: SteamId; since: number },
): Promise<number | undefined> {
  const found = await tx
    .selectFrom('nights')
    .innerJoin('night_people', 'night_people.night_id', 'nights.night_id')
    .select('nights.night_id')
    .where('nights.group_id', '=', groupId)
    .where('nights.status', '=', 'decided')
    .where('nights.planned', '=', 0)
    .where('nights.created_at', '>', since)
    .where('night_people.steam_id', '=', user)
    .where('night_people.gone', '=', 0)
    .orderBy('nights.night_id', 'desc')
    .executeTakeFirst()
  return found?.night_id
}

export function nightsHandlers(
  deps: Pick<Deps, 'database' | 'readCache' | 'sync' | 'catalogue' | 'clock' | 'log'>,
) {
  const { database, readCache, sync, clock } = deps

  return {
    ...nightVotesHandlers(changing),

    start: async ({ body, user }) => {
      const now = clock()
      const dates = proposedIn(body, now)
      const startsAt = dates?.last ?? (body.starts_at === undefined ? now : Date.parse(body.starts_at))
      requireStart(startsAt, now)
      const isPlanned = body.starts_at !== undefined && startsAt > now
      const { group_id, steam_ids } = body
      if ((group_id === undefined) === (steam_ids === undefined))
        throw new AppError('invalid_input', {
          field: 'group_id',
          problem: 'Choose either a group or people.',
        })
      if (body.except !== undefined && group_id === undefined)
        throw new AppError('invalid_input', {
          field: 'except',
          problem: 'Only a group’s members are left out.',
        })
      const repeat = repeatIn(body, now)
      const nightId = await database.transaction(async (tx) => {
        const ids = group_id === undefined ? steam_ids! : await listMemberIds(tx, group_id)
        // Locked together and before the group, so that no account is deleted while it is being added.
        const players = await lockPlayers(tx, [user, ...ids])
        await countStart(tx, requireAccount(players, user), now)
        const asked =
          group_id === undefined
            ? await chosenPlayers(tx, user, steam_ids!, players)
            : await membersToAsk(tx, { user, groupId: group_id, except: body.except ?? [], players, now })
        const night = {
          group_id: group_id ?? null,
          host_steam_id: user,
          title: body.title ?? null,
          forbids: body.forbids === undefined ? null : asFlag(body.forbids, 0),
        }
        const zone = body.zone ?? repeat?.zone ?? null
        const id = await startNight(
          tx,
          { ...night, starts_at: startsAt, zone, planned: isPlanned ? 1 : 0 },
          { asked, dates, now },
        )
        if (!repeat) return id
        requireRoom('you_host_series', await countSeries(tx, { host_steam_id: user }))
        if (group_id !== undefined) requireRoom('group_has_series', await countSeries(tx, { group_id }))
        await addSeries(
          tx,
          { ...night, ...repeat, created_at: now },
          { nightId: id, startsAt, leftOut: body.except ?? [] },
        )
        return id
      })
      return after(nightId, user)
    },

    surprise: async ({ params: { id: groupId }, user }) => {
      const now = clock()
      const nightId = await database.transaction(async (tx) => {
        const players = await lockPlayers(tx, [user, ...(await listMemberIds(tx, groupId))])
        const me = requireAccount(players, user)
        await requireJoined(tx, groupId, user)
        const drawn = await drawnSince(tx, { groupId, user, since: now - SURPRISE_MS })
        if (drawn !== undefined) return drawn
        await countStart(tx, me, now)
        const members = await membersToAsk(tx, { user, groupId, except: [], players, now })
        const night = { group_id: groupId, host_steam_id: user, title: null, forbids: null, zone: null }
        // Members who have joined may know what all of them own (PERM-2); others may not.
        const joined = await joinedMemberIds(tx, groupId)
        const asked = members.filter((id) => joined.includes(id))
        const id = await startNight(tx, { ...night, starts_at: now, planned: 0 }, { asked, now })
        await pickAtOnce(await asLocked(deps, tx, await nights.lockNight(tx, id), user))
        return id
      })
      return after(nightId, user)
    },

    list: ({ user }) => list({ steam_id: user }, user),
    listOfGroup: ({ params, user }) => list({ group_id: params.id }, user),
    read: ({ params, found }) => {
      sync.lookAtNight(params.id)
      return viewNight(deps, found)
    },

    history: async ({ found }) => ({ last: await lastHeld(deps, found) }),

    change: ({ params, body, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        requireNotPast(locked)
        const { tx, night, players, now } = locked
        if (body.starts_at !== undefined && night.status === 'dating')
          throw new AppError('night_has_no_date', { reason: 'take_proposed_time' })
        const startsAt = body.starts_at === undefined ? night.starts_at : Date.parse(body.starts_at)
        const chosen = {
          starts_at: startsAt,
          title: body.title === undefined ? night.title : body.title,
          zone: body.zone ?? night.zone,
          forbids: asFlag(body.forbids, night.forbids),
          faces: asFlag(body.faces, night.faces),
          any_owner: asFlag(body.any_owner, night.any_owner),
          vote_closes_at:
            body.vote_closes_at === undefined ? night.vote_closes_at : voteEnd(locked, body.vote_closes_at),
        }
        const isNew = (name: keyof typeof chosen) => chosen[name] !== night[name]
        const isMoved = isNew('starts_at')
        if (isMoved) requireStart(startsAt, now)
        if (isNew('forbids') || isNew('any_owner')) requireVoteNotEnded(locked)
        // Nobody who has voted, and sees the votes of others, may change what they mean.
        if (isNew('forbids') && players.some((player) => player.marks !== null))
          throw new AppError('vote_has_begun')
        if (!Object.keys(chosen).some((name) => isNew(name as keyof typeof chosen))) return
        const change = {
          ...chosen,
          // Once planned it stays in calendars, also when it is started at once (NIGHT-65).
          planned: asFlag(night.status !== 'dating' && (night.planned === 1 || startsAt > now), 0),
          // A start that is announced below is not announced again when its time has come.
          ...(isMoved && { start_announced: asFlag(startsAt <= now, 0) }),
        }
        await nights.changeNight(tx, night.night_id, change, { inCalendars: isMoved || isNew('title') })
        if (!isMoved) return
        await announce(tx, night.night_id, startsAt > now ? 'moved' : 'started', now)
        await notify(tx, night.night_id, 'moved', { now, by: user })
        await planReminder(tx, night.night_id, startsAt, now)
      }),

    cancel: ({ params, user }) =>
      changing(params.id, user, async (locked) => {
        requireLeads(locked)
        const { tx, night, now } = locked
        if (night.status === 'cancelled') return
        requireNotPast(locked)
        await cancelNight(tx, night, { now, by: user })
      }),

    stopRepeating: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        await lockSeries(tx, id)
        await requireLeadsSeries(tx, id, user)
        await endSeries(tx, [id])
      }),

    answer: ({ params, body, user }) => changing(params.id, user, (locked) => answerNight(locked, body)),

    addPlayers: async ({ params, body, user }) => {
      const ids = [...new Set(body.steam_ids)]
      await database.transaction(async (tx) => {
        const locked = await lockPlayers(tx, [user, ...ids])
        requireAccount(locked, user)
        await requireMayAsk(tx, user, ids, locked)
        const { night, players, me } = await asPlayer(tx, await nights.lockNight(tx, params.id), user)
        requireLeads({ night, me, groupOwner: undefined })
        if (night.group_id !== null) throw new AppError('forbidden', { reason: 'night_is_of_group' })
        const now = clock()
        requireNotPast({ night, now })
        const added = ids.filter((id) => !players.some((player) => player.steam_id === id))
        if (players.length + added.length > NIGHT_PLAYERS_MAX) throw new AppError('night_full')
        if (added.length === 0) return
        await countAskedAgain(
          tx,
          params.id,
          added.map((one) => locked.get(one)!),
          now,
        )
        await nights.addPlayers(tx, params.id, added, { by: user, at: now })
        await notify(tx, params.id, 'asked', { now, by: user, only: added })
        await nights.changeNight(tx, params.id)
      })
      return after(params.id, user)
    },

    removePlayer: async ({ params: { id, steamId }, user }) => {
      await changingNight(deps, id, user, async (locked) => {
        const { tx, night, players, groupOwner, now } = locked
        requireMayRemoveFromNight(night, groupOwner, user, steamId)
        if (steamId !== user) {
          requireNotPast(locked)
          // With the link the player could come back (NIGHT-56).
          await deleteInvite(tx, { night_id: id })
        }
        if (!players.some((player) => player.steam_id === steamId))
          throw new AppError('night_person_not_found')
        await removePlayer(tx, night, steamId, now, user)
      })
      return { removed: steamId }
    },
  } satisfies Handlers<typeof nightsContract>

  async function list(of: NightsOf, user: SteamId) {
    const listed = await listNights(database.queries, of, user, clock())
    return { nights: await summariesOf(deps, listed, user) }
  }

  async function changing(nightId: number, user: SteamId, work: (locked: LockedNight) => Promise<void>) {
    await changingNight(deps, nightId, user, work)
    return after(nightId, user)
  }

  /** The night after a change; polls again, because caches are from before it. */
  async function after(nightId: number, user: SteamId) {
    await readCache.refresh()
    const { queries } = database
    return viewNight(deps, await asPlayer(queries, await nights.findNight(queries, nightId), user))
  }

  /** Counts a start. @throws AppError night_limit_reached, too_many_nights (LIM-46) */
  async function countStart(tx: Tx, me: PlayerRow, now: number): Promise<void> {
    if (!(await countUse(database, tx, 'night', me.steam_id, now)))
      throw new AppError('night_limit_reached', {
        retryAfterSeconds: await secondsToNextUse(tx, 'night', me.steam_id, now),
      })
    const hosted = { host_steam_id: me.steam_id }
    requireRoom('you_host_nights', await nights.countCurrentNights(tx, hosted, now))
  }

  /**
   * Counts who is asked again after they left the night or were removed from it; all or nobody is asked (LIM-48).
   * @throws AppError asked_too_often
   */
  async function countAskedAgain(
    tx: Tx,
    nightId: number,
    players: readonly PlayerRow[],
    now: number,
  ): Promise<void> {
    const departed = await nights.departedAmong(tx, nightId, column(players, 'steam_id'))
    for (const player of players.filter(({ steam_id }) => departed.includes(steam_id)))
      if (!(await countUse(database, tx, 'asked_again', `${nightId} ${player.steam_id}`, now)))
        throw new AppError('asked_too_often', {
          reason: 'asked_often_enough',
          values: { name: nameOf(player) },
        })
  }
}

/**
 * When the vote of a night ends by itself: a time ahead at which it is not past.
 * @throws AppError invalid_input, night_has_no_date, night_has_ended
 */
function voteEnd(locked: LockedNight, time: string | null): number | null {
  requireVoteOpen(locked)
  if (time === null) return null
  const at = Date.parse(time)
  if (at <= locked.now || at >= locked.night.starts_at + NIGHT_LENGTH_MS)
    throw new AppError('invalid_input', { field: 'vote_closes_at', reason: 'vote_end_not_ahead' })
  return at
}

/** How a new night repeats; undefined when it does not. @throws AppError invalid_input */
function repeatIn(
  { repeat, starts_at }: Pick<BodyOf<typeof nightsContract.start>, 'repeat' | 'starts_at'>,
  now: number,
): { every: Repeat; zone: string } | undefined {
  if (repeat && (starts_at === undefined || Date.parse(starts_at) <= now))
    throw new AppError('invalid_input', { field: 'repeat', reason: 'only_one_time_repeats' })
  return repeat
}

const MOST = {
  you_host_nights: NIGHTS_HOSTED_MAX,
  group_has_nights: OPEN_NIGHTS_PER_GROUP,
  you_host_series: SERIES_HOSTED_MAX,
  group_has_series: SERIES_PER_GROUP,
}

/** Passes while there may be one more; host and group must be locked (LIM-46). @throws AppError too_many_nights, too_many_series */
function requireRoom(reason: keyof typeof MOST, count: number): void {
  const code = reason.endsWith('nights') ? 'too_many_nights' : 'too_many_series'
  if (count >= MOST[reason]) throw new AppError(code, { reason, values: { count: MOST[reason] } })
}

/**
 * The members of a group, all of whom are asked but `except` and blocked ones, who could never answer (OPER-9); only
 * who has joined it may ask them. Locks the group.
 * @param players the members, locked
 * @throws AppError group_not_found, forbidden, too_many_nights; invalid_input when others, or the host, are left out
 */
async function membersToAsk(
  tx: Tx,
  {
    user,
    groupId,
    except,
    players,
    now,
  }: {
    user: SteamId
    groupId: number
    except: readonly SteamId[]
    players: ReadonlyMap<SteamId, PlayerRow>
    now: number
  },
): Promise<SteamId[]> {
  await requireJoined(tx, groupId, user)
  requireRoom('group_has_nights', await nights.countCurrentNights(tx, { group_id: groupId }, now))
  const members = await listMemberIds(tx, groupId)
  const leftOut = new Set(except)
  if (leftOut.has(user) || leftOut.difference(new Set(members)).size > 0)
    throw new AppError('invalid_input', { field: 'except', reason: 'only_members_left_out' })
  return members.filter((id) => !leftOut.has(id) && !isBlocked(players.get(id)))
}

function isBlocked(player: PlayerRow | undefined): boolean {
  return player !== undefined && player.blocked_at !== null
}

/** The players chosen for a night, with its host. @throws AppError not_connected, night_full */
async function chosenPlayers(
  tx: Tx,
  user: SteamId,
  steamIds: readonly SteamId[],
  players: ReadonlyMap<SteamId, PlayerRow>,
): Promise<SteamId[]> {
  const ids = [...new Set([user, ...steamIds])]
  if (ids.length > NIGHT_PLAYERS_MAX) throw new AppError('night_full')
  await requireMayAsk(tx, user, ids, players)
  return ids
}

/**
 * Only players one is connected with and who are not blocked can be asked; they must be locked.
 * @throws AppError not_connected; forbidden for a blocked account
 */
async function requireMayAsk(
  tx: Tx,
  user: SteamId,
  ids: readonly SteamId[],
  players: ReadonlyMap<SteamId, PlayerRow>,
): Promise<void> {
  const asked = ids.map((id) => players.get(id))
  // Nothing new is stored about an account that was deleted (DEL-2).
  await requireConnected(storedConnections(tx), user, asked)
  const blocked = asked.find(isBlocked)
  if (blocked)
    throw new AppError('forbidden', { reason: 'cannot_be_asked', values: { name: nameOf(blocked) } })
}

/** A setting as it is stored; unchanged when it is left out. */
function asFlag(chosen: boolean | undefined, before: Flag): Flag {
  return (chosen ?? before === 1) ? 1 : 0
}
