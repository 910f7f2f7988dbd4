/** What a new database begins with. */
import { createECDH, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { AnyTable, Engine } from './columns.ts'
import { tables } from './schema.ts'

/** Creates a new database, which then has had every step: the tables, and the secrets of this installation. */
export async function createDatabase(db: Kysely<never>, engine: Engine): Promise<void> {
  for (const statement of [...tablesOn(engine), ...changesOn[engine]]) await sql.raw(statement).execute(db)
  const secret = randomBytes(32).toString('base64url')
  await sql`INSERT INTO installation (name, value)
    VALUES ('secret', ${secret}), ('push_key', ${newPrivateKey()})`.execute(db)
}

function tablesOn(engine: Engine): string[] {
  return Object.entries<AnyTable>(tables).flatMap(([name, { columns, constraints, indexes }]) => [
    `CREATE TABLE ${name} (
      ${[...Object.entries(columns).map(([column, of]) => `"${column}" ${of.on(engine)}`), ...constraints].join(', ')})`,
    ...Object.entries(indexes).map(
      ([index, { of, kind }]) =>
        `CREATE ${kind === 'UNIQUE' ? kind : ''} INDEX ${index} ON ${name}
          ${kind === 'hash' && engine === 'postgres' ? 'USING hash' : ''} ${of}`,
    ),
  ])
}

/**
 * What transactions changed, for the caches of all servers. SQLite numbers the rows. On PostgreSQL transactions do not
 * become visible in the order of any number, so a row has the id of its transaction (postgres.ts).
 */
const changesOn: Record<Engine, string[]> = {
  sqlite: ['CREATE TABLE changes (change_id integer PRIMARY KEY AUTOINCREMENT, subject text NOT NULL)'],
  postgres: [
    `CREATE TABLE changes (
      transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      subject text NOT NULL,
      at timestamptz NOT NULL DEFAULT now())`,
    'CREATE INDEX changes_by_transaction ON changes (transaction_id)',
    'CREATE INDEX changes_by_time ON changes (at)',
  ],
}

/** The private key of P-256 by which push services know this installation (RFC 8292), as base64url. */
function newPrivateKey(): string {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const bytes = keys.getPrivateKey()
  // Without its leading zeros it would be shorter.
  return Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]).toString('base64url')
}
