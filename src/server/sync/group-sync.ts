/** Reading the libraries of several people for one click (SYNC-15). */
import type { SteamId } from '#shared/entities.ts'
import { SteamError, type Urgency } from '../steam/port.ts'
import { preventDeletions } from '../storage/accounts.ts'
import type { Database } from '../database/database.ts'
import { markGroupsSynced } from '../storage/groups.ts'
import { ensurePeople, readPeople } from '../storage/people.ts'
import { enqueueRefreshes, refreshPriority } from '../storage/refreshes.ts'
import { finishSync } from '../storage/syncs.ts'
import { sentenceFor } from './failures.ts'
import type { ReadOutcome } from './platform-read.ts'
import { CALLS_OF_A_PERSON } from './turns.ts'

/** Syncs of more libraries than these leave room for clicks; fewer are as urgent as one is, and wait their turn. */
const FEW = 10
/** So many failures in a row say that it is the platform and not one person's library. */
const FAILURES_TO_STOP = 3

export type GroupSyncResult = { steam_id: SteamId; success: boolean; message: string }

type Result = ReadOutcome | { status: 'hidden' } | { status: 'failed'; error: SteamError }

type GroupSyncParts = {
  database: Database
  /** @throws SteamError */
  readLibrary: (
    steamId: SteamId,
    asked: { by: SteamId; urgency: Urgency; signal: AbortSignal },
  ) => Promise<ReadOutcome>
  clock: () => number
}

/** Makes the work of one group sync; its sync is finished within. */
export function createGroupSync({ database, readLibrary, clock }: GroupSyncParts) {
  /** @throws SteamError when the platform failed for every library that was asked for, and gave none */
  return async function syncGroup(sync: {
    syncId: number
    by: SteamId
    ids: readonly SteamId[]
    hidden: ReadonlySet<SteamId>
    signal: AbortSignal
  }): Promise<GroupSyncResult[]> {
    const { syncId, by, ids, hidden, signal } = sync
    /** Ids that are missing at the end were not reached. */
    const results = new Map<SteamId, Result>()
    for (const id of ids) if (hidden.has(id)) results.set(id, { status: 'hidden' })
    const asked = ids.filter((id) => !hidden.has(id))
    const urgency = asked.length <= FEW ? 'interactive' : 'group'
    await readAll(asked, results, signal, (id) => readLibrary(id, { by, urgency, signal }))

    const all = [...results.values()]
    const answered = all.filter((result) => result.status === 'ok' || result.status === 'private')
    const failed = all.find((result) => result.status === 'failed')
    if (answered.length === 0 && failed) throw failed.error

    const later = ids.filter((id) => waitsForLater(results.get(id)))
    const now = clock()
    await database.transaction(async (tx) => {
      await preventDeletions(database, tx)
      await ensurePeople(tx, later)
      await enqueueRefreshes(tx, later, { by, priority: refreshPriority.click, at: now })
      if (answered.some((result) => result.status === 'ok')) await markGroupsSynced(tx, by, ids, now)
      // Where nobody had to be asked, nothing was used.
      const counted = answered.length > 0
      await finishSync(tx, syncId, { result: 'ok', itemCount: answered.length, counted, at: now })
    })

    const people = await readPeople(database.queries, ids)
    return ids.map((id) => {
      const result = results.get(id)
      const name = people.get(id)?.display_name ?? id
      return { steam_id: id, success: result?.status === 'ok', message: messageFor(result, name) }
    })
  }

  /** Reads one library after another in a few lanes, until all are read, the time is over or the platform fails. */
  async function readAll(
    ids: SteamId[],
    results: Map<SteamId, Result>,
    signal: AbortSignal,
    read: (id: SteamId) => Promise<ReadOutcome>,
  ): Promise<void> {
    const waiting = [...ids]
    let failuresInARow = 0
    let turnedAway = false
    const lane = async () => {
      while (!signal.aborted && !turnedAway && failuresInARow < FAILURES_TO_STOP) {
        const id = waiting.shift()
        if (id === undefined) return
        try {
          results.set(id, await read(id))
          failuresInARow = 0
        } catch (error) {
          if (!(error instanceof SteamError)) throw error
          results.set(id, { status: 'failed', error })
          failuresInARow++
          // Refused for everybody: the next one would be refused as well.
          if (error.failure !== 'unavailable' && error.failure !== 'timeout') turnedAway = true
          if (error.retryAfterSeconds !== undefined) turnedAway = true
        }
      }
    }
    await Promise.all(Array.from({ length: CALLS_OF_A_PERSON }, lane))
  }
}

/** Not asked for at all, be it for lack of time or by our own budget. */
function wasNotAsked(result: Result | undefined): boolean {
  if (result === undefined) return true
  return result.status === 'failed' && result.error.failure === 'throttled'
}

/** The refresh list has more time for a library than a click. */
function waitsForLater(result: Result | undefined): boolean {
  return wasNotAsked(result) || (result?.status === 'failed' && result.error.failure === 'timeout')
}

function messageFor(result: Result | undefined, name: string): string {
  if (result === undefined || wasNotAsked(result))
    return `There was no time for ${name}'s games now; they are read in the background.`
  switch (result.status) {
    case 'ok':
      return result.count === 1 ? '1 game' : `${result.count} games`
    case 'private':
      return `${name}'s game details are private.`
    case 'hidden':
    case 'deleted':
      return `${name} does not show their library here.`
    case 'failed':
      return sentenceFor(result.error, name)
  }
}
