/**
 * Whether a database holds the invented players of the demo or people of the real platform (OPS-13, OPS-14).
 * The first start says so; a start in the other mode would mix the two.
 */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import ipaddr from 'ipaddr.js'
import pg from 'pg'
import { type Database, StorageError } from './database.ts'
import { type Place, sqliteFileIn } from './open.ts'

export type Mode = 'demo' | 'platform'

const CONNECT_TIMEOUT_MS = 10_000
const REMEMBERED = `SELECT value FROM installation WHERE name = 'mode'`
const ASKED = 'SELECT host FROM platform_hosts'
/** The answer to a question, or no rows where a database of an older version has no such table. */
type Ask = (question: string) => Promise<Record<string, unknown>[]>

/**
 * Looks before anything is opened for writing, migrated or made.
 * @throws StorageError when the database is of the other mode; one that cannot be read is left for `openDatabase` to
 * complain about
 */
export async function refuseOtherMode(place: Place, mode: Mode): Promise<void> {
  const found = await (
    place.databaseUrl === undefined ? modeInFile(sqliteFileIn(place.dataDir)) : modeAt(place.databaseUrl)
  ).catch(() => undefined)
  if (found !== undefined && found !== mode) throw otherMode(place, found)
}

/**
 * Has an open database remember its mode for good.
 * @throws StorageError when another start was quicker, in the other mode
 */
export async function claimMode(database: Database, place: Place, mode: Mode): Promise<void> {
  const { value } = await database.transaction(async (tx) => {
    await tx
      .insertInto('installation')
      .values({ name: 'mode', value: mode })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    return tx.selectFrom('installation').select('value').where('name', '=', 'mode').executeTakeFirstOrThrow()
  })
  if (value !== mode) throw otherMode(place, value === 'demo' ? 'demo' : 'platform')
}

function otherMode({ dataDir, databaseUrl }: Place, found: Mode): StorageError {
  const where = databaseUrl === undefined ? `in ${dataDir}` : 'at DATABASE_URL'
  return new StorageError(
    found === 'platform'
      ? `STEAM_API_KEY is not set, but the database ${where} holds people of the real platform; set the key, or give the demo a DATA_DIR of its own.`
      : `STEAM_API_KEY is set, but the database ${where} holds the invented players of the demo; give the real platform a DATA_DIR or DATABASE_URL of its own, or unset the key.`,
  )
}

async function modeInFile(file: string): Promise<Mode | undefined> {
  if (!existsSync(file)) return undefined
  // Not read-only: that would leave files beside the database, which an ordinary connection clears away.
  const connection = new DatabaseSync(file)
  try {
    connection.exec('PRAGMA query_only = ON')
    return await modeFrom(async (question) => connection.prepare(question).all())
  } finally {
    connection.close()
  }
}

async function modeAt(address: string): Promise<Mode | undefined> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  await client.connect()
  try {
    return await modeFrom(async (question) => (await client.query<Record<string, unknown>>(question)).rows)
  } finally {
    await client.end()
  }
}

async function modeFrom(ask: Ask): Promise<Mode | undefined> {
  const [remembered] = await ask(REMEMBERED).catch(() => [])
  if (remembered) return remembered.value === 'demo' ? 'demo' : 'platform'
  // From before modes were remembered: who asked a host of another machine asked the real platform.
  const hosts = await ask(ASKED).catch(() => [])
  return hosts.some(({ host }) => !isLoopback(String(host))) ? 'platform' : undefined
}

/** Of a host as `URL` gives it, with or without a port. */
function isLoopback(host: string): boolean {
  const { hostname } = new URL(`http://${host}`)
  const address = hostname.replace(/^\[|\]$/g, '')
  return hostname === 'localhost' || (isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback')
}
