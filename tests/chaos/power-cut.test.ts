/**
 * Simulated power cuts. Every commit is flushed to the write-ahead log before it is acknowledged, so after a power cut
 * the log has at least everything up to the last acknowledgement; any part of later writes may be present, missing or
 * garbage. While a checkpoint copies pages of the log into the database, any of these pages may be garbage, because the
 * log still has them. The test makes images of all these kinds from one run and opens them: ten for each of
 * CHAOS_ROUNDS (3).
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomFrom } from '../../bench/population.ts'
import { openDatabase, SQLITE_FILE } from '../../src/server/database/open.ts'
import { freshOptions } from '../support/databases.ts'
import { brokenInvariants } from './invariants.ts'
import { createGroup, startWriting } from './mixed-writes.ts'

const IMAGES = 10 * Number(process.env.CHAOS_ROUNDS ?? 3)
const SEED = Number(process.env.CHAOS_SEED ?? 1)
const WRITES = 24
/** Header sizes of SQLite's write-ahead log and of each frame in it, in bytes. */
const LOG_HEAD = 32
const FRAME_HEAD = 24
const SECTOR = 512

/** A group, and the size of the log when it was acknowledged. */
type Acknowledged = { groupId: number; logBytes: number }

test('DATA-3: power cuts at any point lose no acknowledged write', { timeout: 600_000 }, async () => {
  const { dataDir, before, log, acknowledged } = await run()
  const random = randomFrom(SEED)
  const first = acknowledged[0]!.logBytes
  const open = (database: Buffer, cutLog: Buffer) => openImage(dataDir, database, cutLog)

  for (let n = 0; n < IMAGES; n++) {
    // Half of the cuts are exactly at an acknowledgement, the others anywhere.
    const at =
      n % 2 === 0
        ? acknowledged[Math.floor(random() * acknowledged.length)]!.logBytes
        : first + Math.floor(random() * (log.length - first))
    const kept = log.subarray(0, at)
    const tail = [Buffer.alloc(0), Buffer.alloc(log.length - at), shredded(log.subarray(at), random)][n % 3]!
    const found = await open(before, Buffer.concat([kept, tail]))
    const missing = acknowledged.filter(
      ({ groupId, logBytes }) => logBytes <= at && !found.groups.has(groupId),
    )
    expect({ at, missing, broken: found.broken }).toEqual({ at, missing: [], broken: [] })
  }

  for (let n = 0; n < IMAGES / 10; n++) {
    const found = await open(halfCheckpointed(before, log, random), log)
    const missing = acknowledged.filter(({ groupId }) => !found.groups.has(groupId))
    expect({ missing, broken: found.broken }).toEqual({ missing: [], broken: [] })
  }

  // Checks the test itself: without the last bytes only the last group is missing.
  const last = acknowledged.at(-1)!
  const beforeLast = acknowledged.at(-2)!
  const found = await open(before, log.subarray(0, beforeLast.logBytes))
  expect([found.groups.has(beforeLast.groupId), found.groups.has(last.groupId)]).toEqual([true, false])
  console.log(
    `${IMAGES + IMAGES / 10} power cuts, seed ${SEED}: ${WRITES} acknowledged writes, ${log.length} bytes of log, none lost`,
  )
})

/** Runs a server that acknowledges groups and is killed; returns the database from before, the log and the groups. */
async function run() {
  const place = await freshOptions('sqlite', { onDisk: true })
  const file = join(place.dataDir, SQLITE_FILE)
  const { server, writers } = await startWriting(place.env, { people: 1 })
  const before = readFileSync(file)
  const acknowledged: Acknowledged[] = []
  for (let n = 0; n < WRITES; n++) {
    const { group_id } = await createGroup(server.url, writers[0]!, `Group ${n}`)
    acknowledged.push({ groupId: group_id, logBytes: statSync(`${file}-wal`).size })
  }
  await server.stop('SIGKILL')
  // There must be no checkpoint in between; SQLite makes one only after a thousand pages.
  expect(readFileSync(file).equals(before)).toBe(true)
  return { dataDir: place.dataDir, before, log: readFileSync(`${file}-wal`), acknowledged }
}

let images = 0
/** Opens database and log as the server would after a power cut, without the shared-memory file. */
async function openImage(folder: string, database: Buffer, log: Buffer) {
  const dataDir = join(folder, `image-${++images}`)
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, SQLITE_FILE), database)
  writeFileSync(join(dataDir, `${SQLITE_FILE}-wal`), log)
  const opened = await openDatabase({ dataDir })
  try {
    const rows = await opened.queries.selectFrom('groups').select('group_id').execute()
    return { groups: new Set(rows.map((row) => row.group_id)), broken: await brokenInvariants(opened) }
  } finally {
    await opened.close()
  }
}

/** Bytes in which random sectors are garbage. */
function shredded(bytes: Buffer, random: () => number): Buffer {
  const result = Buffer.from(bytes)
  for (let at = 0; at < result.length; at += SECTOR)
    if (random() < 0.5)
      for (let byte = at; byte < Math.min(at + SECTOR, result.length); byte++)
        result[byte] = Math.floor(random() * 256)
  return result
}

/** The database in the middle of a checkpoint: half of the pages that are in the log are garbage. */
function halfCheckpointed(database: Buffer, log: Buffer, random: () => number): Buffer {
  const pageSize = log.readUInt32BE(8)
  const pages = new Set<number>()
  for (let at = LOG_HEAD; at + FRAME_HEAD + pageSize <= log.length; at += FRAME_HEAD + pageSize)
    pages.add(log.readUInt32BE(at))
  const result = Buffer.alloc(Math.max(database.length, ...[...pages].map((page) => page * pageSize)))
  database.copy(result)
  for (const page of pages)
    if (random() < 0.5) result.set(shredded(Buffer.alloc(pageSize, 0xa5), random), (page - 1) * pageSize)
  return result
}
