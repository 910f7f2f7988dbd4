/**
 * Group syncs: reading the libraries of several players for one request (SYNC-15).
 * Requirements: LIM-2.
 */
import type { LibrarySyncCode } from '#shared/contract/groups.ts'
import type { SteamId } from '#shared/entities.ts'
import { isolated, nameOf } from '#shared/names.ts'
import { SteamError, type Urgency } from '../steam/port.ts'
import { preventDeletions } from '../storage/accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { changeGroup } from '../storage/groups/groups.ts'
import { ensurePlayers, readPlayers } from '../storage/players/players.ts'
import { enqueueRefreshes, refreshPriority } from '../storage/players/refreshes.ts'
import { finishSync } from '../storage/players/syncs.ts'
import { countGamesShown, failureCode, type ReadOutcome } from './steam-read.ts'
import { slotLimits } from '../slots.ts'

/** Syncs of more libraries have the lower urgency 'group', which leaves calls for other players' syncs (LIM-29). */
const INTERACTIVE_MAX = 10
/** After this many failures in a row, Steam is failing rather than single accounts, some of which always fail (PLAT-12). */
const FAILURES_TO_STOP = 20

export type GroupSyncResult = {
  steam_id: SteamId
  success: boolean
  message: string
  code: LibrarySyncCode
  /** Of a library that was read: its games, as the caller sees them. */
  count?: number
}

/** Why a library may not be read: its owner does not show it, or has not joined the group. */
export type WhyHidden = 'hidden' | 'not_joined'
type Result = ReadOutcome | { status: WhyHidden } | { status: 'failed'; error: SteamError }

type GroupSyncOptions = {
  database: Database
  /** @throws SteamError */
  readLibrary: (
    steamId: SteamId,
    options: { by: SteamId; urgency: Urgency; signal: AbortSignal },
  ) => Promise<ReadOutcome>
  clock: () => number
}

/** Creates the function that runs a group sync and records its end. */
export function createGroupSync({ database, readLibrary, clock }: GroupSyncOptions) {
  /** @throws SteamError when Steam failed for every requested library */
  return async function syncGroup(sync: {
    syncId: number
    by: SteamId
    ids: readonly SteamId[]
    hidden: ReadonlyMap<SteamId, WhyHidden>
    groupId: number | undefined
    signal: AbortSignal
  }): Promise<GroupSyncResult[]> {
    const { syncId, by, ids, hidden, groupId, signal } = sync
    /** Ids still missing at the end were not reached in time. */
    const results = new Map<SteamId, Result>()
    for (const [id, status] of hidden) results.set(id, { status })
    const requested = ids.filter((id) => !hidden.has(id))
    const urgency = requested.length <= INTERACTIVE_MAX ? 'interactive' : 'group'
    await readAll(requested, results, signal, (id) => readLibrary(id, { by, urgency, signal }))

    const all = [...results.values()]
    const responded = all.filter((result) => result.status === 'ok' || result.status === 'private')
    const isGroupRead =
      responded.length === requested.length && responded.some((result) => result.status === 'ok')
    const failed = all.find((result) => result.status === 'failed')
    if (responded.length === 0 && failed) throw failed.error

    // The refresh list has more time.
    const deferred = ids.filter((id) => ['no_time', 'steam_timeout'].includes(codeOf(results.get(id))))
    const now = clock()
    await database.transaction(async (tx) => {
      await preventDeletions(database, tx)
      await ensurePlayers(tx, deferred)
      await enqueueRefreshes(tx, deferred, { by, priority: refreshPriority.groupSync, at: now })
      if (groupId !== undefined && isGroupRead) await changeGroup(tx, groupId, { synced_at: now })
      // A sync for which Steam returned nothing does not count.
      const counted = responded.length > 0
      await finishSync(tx, { syncId, by }, { result: 'ok', itemCount: responded.length, counted, at: now })
    })

    const players = await readPlayers(database.queries, ids)
    return Promise.all(
      ids.map(async (id) => {
        let result = results.get(id)
        if (result?.status === 'ok' && players.get(id)?.hidden_appids)
          result = { status: 'ok', count: await countGamesShown(database.queries, by, id) }
        const name = isolated(nameOf(players.get(id) ?? { steam_id: id, display_name: null }))
        return { steam_id: id, ...described(result, name) }
      }),
    )
  }

  /** Reads the libraries with a few workers, until all are read, the time is over or Steam fails. */
  async function readAll(
    ids: SteamId[],
    results: Map<SteamId, Result>,
    signal: AbortSignal,
    read: (id: SteamId) => Promise<ReadOutcome>,
  ): Promise<void> {
    const waiting = [...ids]
    let failuresInARow = 0
    let refused = false
    const worker = async () => {
      while (!signal.aborted && !refused && failuresInARow < FAILURES_TO_STOP) {
        const id = waiting.shift()
        if (id === undefined) return
        try {
          results.set(id, await read(id))
          failuresInARow = 0
        } catch (error) {
          if (!(error instanceof SteamError)) throw error
          results.set(id, { status: 'failed', error })
          failuresInARow++
          // Steam refuses all requests, so the next one would be refused too.
          if (error.failure !== 'unavailable' && error.failure !== 'timeout') refused = true
          if (error.retryAfterSeconds !== undefined) refused = true
        }
      }
    }
    await Promise.all(Array.from({ length: slotLimits.syncs.perKey }, worker))
  }
}

function described(result: Result | undefined, name: string): Omit<GroupSyncResult, 'steam_id'> {
  const code = codeOf(result)
  const count = result?.status === 'ok' ? result.count : undefined
  return { success: code === 'synced', message: messages[code](name, count), code, count }
}

/** 'no_time': no request was sent, for lack of time or because of our own budget. */
function codeOf(result: Result | undefined): LibrarySyncCode {
  if (result === undefined) return 'no_time'
  switch (result.status) {
    case 'ok':
      return 'synced'
    case 'private':
    case 'not_joined':
    case 'hidden':
      return result.status
    case 'deleted':
      return 'hidden'
    case 'failed':
      return result.error.failure === 'throttled' ? 'no_time' : failureCode(result.error)
  }
}

/** For programs; the pages say the codes in their language (LANG-6). */
const messages: Record<LibrarySyncCode, (name: string, count?: number) => string> = {
  synced: (_name, count) => (count === 1 ? '1 game' : `${count} games`),
  private: (name) => `${name}'s game details are private.`,
  hidden: (name) => `${name} does not show their library here.`,
  not_joined: (name) => `${name} has not joined yet.`,
  no_time: (name) => `There was no time for ${name}'s games now; they are read in the background.`,
  steam_unavailable: (name) => `Steam did not return ${name}'s games.`,
  steam_timeout: (name) => `Steam took too long to return ${name}'s games; they are read in the background.`,
  steam_refuses: (name) =>
    `Steam is refusing requests from this server for now; ${name}'s games were not read.`,
  steam_key_refused: () => 'Steam rejected this server’s API key.',
  steam_rate_limited: (name) => `Steam is limiting requests; ${name}'s games were not read.`,
}
