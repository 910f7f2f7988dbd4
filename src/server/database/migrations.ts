/**
 * The migrations, one list for both engines. A released step is never changed; later changes are new steps at the
 * end.
 */
import { sql } from 'kysely'
import { type Database, StorageError } from './database.ts'
import { isDistributed, placeTables } from './distribute.ts'
import { type EngineSql, engineSqlOf } from './engine-sql.ts'
import { packFriendships } from './pack-friendships.ts'
import type { Tx } from './schema.ts'
import { addNights, addOperators } from './steps-of-nights.ts'
import {
  addChanges,
  addConsentAndQuotas,
  addFreeGames,
  addHiddenGamesAndMonths,
  addTermsOfDepartures,
  createTables,
  indexLongUrls,
} from './steps-of-players.ts'
import { changedEverything } from './subjects.ts'

type Step = (tx: Tx, engineSql: EngineSql) => Promise<void>

const steps: Step[] = [
  createTables,
  indexLongUrls,
  addConsentAndQuotas,
  addTermsOfDepartures,
  addFreeGames,
  addHiddenGamesAndMonths,
  addChanges,
  addNights,
  packFriendships,
  addOperators,
]

/** The number of steps that this version knows. */
export const STEPS = steps.length

/** Name of the row of `installation` that marks a copy which is not complete yet (OPS-25). */
export const UNFINISHED_COPY = 'unfinished_copy'

/**
 * Runs the steps that the database has not had yet, in one transaction under a lock, so that several servers may
 * start at once.
 * @param options.afterwards runs in the same transaction, with the number of steps that had been done before
 * @param options.last the last step to run, for tests that begin with the database of an earlier version
 * @throws StorageError when a newer version has migrated the database, or it is an unfinished copy
 */
export async function migrate(
  database: Database,
  {
    afterwards,
    last = STEPS,
  }: { afterwards?: (tx: Tx, before: number) => Promise<void>; last?: number } = {},
): Promise<void> {
  await database.transaction(async (tx) => {
    await database.lock(tx, 'migrations')
    await sql`CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY, done_at bigint NOT NULL)`.execute(
      tx,
    )
    const { rows } = await sql<{ done: number }>`SELECT count(*) AS done FROM schema_steps`.execute(tx)
    const done = rows[0]?.done ?? 0
    if (done > STEPS) throw newerVersion('database', done)
    if (done > steps.indexOf(addConsentAndQuotas)) await refuseUnfinishedCopy(tx)
    for (const [index, step] of steps.slice(0, last).entries()) {
      if (index < done) continue
      await step(tx, engineSqlOf(database))
      await sql`INSERT INTO schema_steps (step, done_at) VALUES (${index + 1}, ${Date.now()})`.execute(tx)
    }
    if (done < last) changedEverything(tx)
    await afterwards?.(tx, done)
    // Steps create tables on the coordinator.
    if (database.isDistributed && (await isDistributed(tx))) await placeTables(tx)
  })
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
      'The database is an unfinished copy of another one; run the same command again, which completes it ' +
        '(npm run migrate-to-postgres or npm run restore, docs/OPERATIONS.md).',
    )
}
