/**
 * Whether a database holds the demo's invented players or players from Steam (OPS-13, OPS-14). The first start stores
 * the mode; a start in the other mode is refused, because it would mix the two.
 */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import ipaddr from 'ipaddr.js'
import pg from 'pg'
import { type Database, StorageError } from './database.ts'
import { type DatabaseOptions, sqliteFileIn } from './open.ts'
import { refuseCutOff } from './sqlite.ts'

export type Mode = 'demo' | 'platform'

const CONNECT_TIMEOUT_MS = 10_000
const STORED_MODE = `SELECT value FROM installation WHERE name = 'mode'`
const CALLED_HOSTS = 'SELECT host FROM platform_hosts'
type RunQuery = (sql: string) => Promise<Record<string, unknown>[]>

/**
 * Checks the mode before the database is opened for writing, migrated or created. Ignores a database that cannot be
 * read: `openDatabase` reports that.
 * @throws StorageError when the database is of the other mode
 */
export async function refuseOtherMode(options: DatabaseOptions, mode: Mode): Promise<void> {
  const found = await (
    options.databaseUrl === undefined
      ? modeInFile(sqliteFileIn(options.dataDir))
      : modeAt(options.databaseUrl)
  ).catch(() => undefined)
  if (found !== undefined && found !== mode) throw otherMode(options, found)
}

/**
 * Stores the mode of an open database, unless it has one already.
 * @throws StorageError when a server that started at the same time stored the other mode
 */
export async function claimMode(database: Database, options: DatabaseOptions, mode: Mode): Promise<void> {
  const { value } = await database.transaction(async (tx) => {
    await tx
      .insertInto('installation')
      .values({ name: 'mode', value: mode })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    return tx.selectFrom('installation').select('value').where('name', '=', 'mode').executeTakeFirstOrThrow()
  })
  if (value !== mode) throw otherMode(options, value === 'demo' ? 'demo' : 'platform')
}

function otherMode({ dataDir, databaseUrl }: DatabaseOptions, found: Mode): StorageError {
  const where = databaseUrl === undefined ? `in ${dataDir}` : 'at DATABASE_URL'
  return new StorageError(
    found === 'platform'
      ? `STEAM_API_KEY is not set, but the database ${where} holds players from Steam; ` +
          'set the key, or use another DATA_DIR for the demo.'
      : `STEAM_API_KEY is set, but the database ${where} holds the invented players of the demo; ` +
          'use another DATA_DIR or DATABASE_URL, or unset the key.',
  )
}

async function modeInFile(file: string): Promise<Mode | undefined> {
  if (!existsSync(file)) return undefined
  refuseCutOff(file)
  // Not opened read-only: a read-only connection leaves its -wal and -shm files behind.
  const connection = new DatabaseSync(file)
  try {
    connection.exec('PRAGMA query_only = ON')
    return await modeFrom(async (query) => connection.prepare(query).all())
  } finally {
    connection.close()
  }
}

async function modeAt(connectionString: string): Promise<Mode | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  await client.connect()
  try {
    return await modeFrom(async (query) => (await client.query<Record<string, unknown>>(query)).rows)
  } finally {
    await client.end()
  }
}

async function modeFrom(run: RunQuery): Promise<Mode | undefined> {
  // A query that fails counts as no rows: older versions lack the table.
  const [stored] = await run(STORED_MODE).catch(() => [])
  if (stored) return stored.value === 'demo' ? 'demo' : 'platform'
  // Older versions stored no mode, but calls to another machine went to Steam.
  const hosts = await run(CALLED_HOSTS).catch(() => [])
  return hosts.some(({ host }) => !isLoopback(String(host))) ? 'platform' : undefined
}

/** Whether an IP address, or a host as in `URL.host` with or without a port, is this machine. */
export function isLoopback(host: string): boolean {
  const { hostname = '' } = URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}`) ?? {}
  const address = hostname.replace(/^\[|\]$/g, '')
  return hostname === 'localhost' || (isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback')
}
