/**
 * The migrations, one list for both engines. A released step is never changed; later changes are new steps at the
 * end.
 */
import { sql } from 'kysely'
import {
  defaultTiming,
  limitWaiting,
  MIGRATIONS_LOCK,
  refuseBeside,
  type Rolling,
  serversInUse,
  type Timing,
  untilLocked,
} from './beside-servers.ts'
import { type Database, StorageError } from './database.ts'
import { isDistributed, placeTables } from './distribute.ts'
import { type EngineSql, engineSqlOf } from './engine-sql.ts'
import { packFriendships } from './pack-friendships.ts'
import type { Tx } from './schema.ts'
import {
  addAnySize,
  addClaims,
  addNights,
  addOperators,
  addStopsOfServers,
  addZonesAndFaces,
  endOthersWebhooks,
} from './steps-of-nights.ts'
import {
  addChanges,
  addConsentAndQuotas,
  addFreeGames,
  addGamePlayers,
  addHiddenGamesAndMonths,
  addTermsOfDepartures,
  addTimesOfSyncs,
  createTables,
  indexLongUrls,
} from './steps-of-players.ts'
import { changedEverything } from './subjects.ts'

/** A step; `rolling` says beside which servers that run it may be made (OPS-38, decision 017). */
export type Step = { run: (tx: Tx, engineSql: EngineSql) => Promise<void>; rolling: Rolling }

const allSteps: readonly Step[] = [
  { run: createTables, rolling: false },
  { run: indexLongUrls, rolling: false },
  { run: addConsentAndQuotas, rolling: false },
  { run: addTermsOfDepartures, rolling: false },
  { run: addFreeGames, rolling: false },
  { run: addHiddenGamesAndMonths, rolling: false },
  { run: addChanges, rolling: false },
  { run: addNights, rolling: false },
  { run: packFriendships, rolling: false },
  { run: addOperators, rolling: false },
  { run: addStopsOfServers, rolling: true },
  { run: endOthersWebhooks, rolling: true },
  { run: addZonesAndFaces, rolling: false },
  { run: addTimesOfSyncs, rolling: true },
  { run: addGamePlayers, rolling: true },
  { run: addAnySize, rolling: false },
  { run: addClaims, rolling: false },
]

/** The number of steps that this version knows. */
export const STEPS = allSteps.length
/** After this many steps a database knows its servers. */
const STEPS_WITH_SERVERS = allSteps.findIndex(({ run }) => run === addOperators) + 1

/** Name of the row of `installation` that marks a copy which is not complete yet (OPS-25). */
export const UNFINISHED_COPY = 'unfinished_copy'

type Options = {
  /** Runs in the same transaction, with the number of steps that had been done before. */
  afterwards?: (tx: Tx, before: number) => Promise<void>
  /** The last step to run, for tests that begin with the database of an earlier version. */
  last?: number
  /** Steps after those of this version, for tests. */
  added?: readonly Step[]
  /** The operator says that no other server runs, whatever the table of servers says. */
  othersAreStopped?: boolean
  timing?: Timing
}

/**
 * Runs the steps that the database has not had yet, in one transaction under a lock, so that several servers may
 * start at once. Where other servers use the database, they are not held up for long (`beside-servers.ts`).
 * @throws StorageError when a newer version has migrated the database, it is an unfinished copy, or other servers cannot
 * go on beside the steps
 */
export function migrate(database: Database, options: Options = {}): Promise<void> {
  return untilLocked(options.timing ?? defaultTiming, () =>
    database.transaction((tx) => runSteps(database, tx, options), { takesLong: true }),
  )
}

async function runSteps(
  database: Database,
  tx: Tx,
  { afterwards, added = [], last, othersAreStopped = false, timing = defaultTiming }: Options,
): Promise<void> {
  const steps = [...allSteps, ...added]
  await database.lock(tx, MIGRATIONS_LOCK)
  await sql`CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY, done_at bigint NOT NULL)`.execute(
    tx,
  )
  const done = await countSteps(tx)
  if (done > steps.length) throw newerVersion('database', done)
  if (done > steps.findIndex(({ run }) => run === addConsentAndQuotas)) await refuseUnfinishedCopy(tx)
  const pending = steps.slice(done, last)
  if (pending.length > 0 && database.engine === 'postgres') {
    const others = othersAreStopped || done < STEPS_WITH_SERVERS ? [] : await serversInUse(tx)
    refuseBeside(others, pending)
    await limitWaiting(tx, { isAlone: others.length === 0, timing })
  }
  for (const [index, step] of pending.entries()) {
    await step.run(tx, engineSqlOf(database))
    await sql`INSERT INTO schema_steps (step, done_at) VALUES (${done + index + 1}, ${Date.now()})`.execute(
      tx,
    )
  }
  if (pending.length > 0) changedEverything(tx)
  await afterwards?.(tx, done)
  // Steps create tables on the coordinator.
  if (database.isDistributed && (await isDistributed(tx))) await placeTables(tx)
}

/**
 * For a server that begins to serve: a newer version may have migrated the database since it was opened.
 * @throws StorageError if so
 */
export async function refuseNewerVersion(tx: Tx): Promise<void> {
  const done = await countSteps(tx)
  if (done > STEPS) throw newerVersion('database', done)
}

async function countSteps(tx: Tx): Promise<number> {
  const { rows } = await sql<{ done: number }>`SELECT count(*) AS done FROM schema_steps`.execute(tx)
  return rows[0]?.done ?? 0
}

/** The error for a database, or a backup of one, that a newer version has migrated. */
export function newerVersion(what: 'database' | 'backup', done: number): StorageError {
  const remedy =
    what === 'database' ? 'start that version, or restore a backup made by this one' : 'use that one'
  return new StorageError(
    `The ${what} is of a newer version of Shelfmates (migration ${done}, this version knows ${STEPS}); ${remedy}.`,
  )
}

async function refuseUnfinishedCopy(tx: Tx): Promise<void> {
  const mark = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', UNFINISHED_COPY)
    .executeTakeFirst()
  if (mark)
    throw new StorageError(
      'The database is an unfinished copy of another one; run npm run migrate-to-postgres again, which completes it ' +
        '(docs/OPERATIONS.md).',
    )
}
