/**
 * On a full disk writes fail with a plain 500, reads go on and no acknowledged write is lost; with space writes work
 * again. So it is when the log is on the same disk (OPS-42).
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { freshOptions } from '../support/databases.ts'
import { expectIntact } from './invariants.ts'
import { call, lost, startWriting, upload, type Writer, writesOf } from './mixed-writes.ts'

const UPLOADS_MAX = 200
/** A disk's size for each file. */
const DISK_KB = 1200

test.for([
  ['a full disk', false],
  ['OPS-42: a full disk that has the log too', true],
] as const)('%s', { timeout: 300_000 }, async ([, hasLog]) => {
  const place = await freshOptions('sqlite', { onDisk: true })
  // Every request has a line.
  const env = { ...place.env, LOG_LEVEL: 'debug' }
  const logFile = join(place.dataDir, 'server.log')
  const limits = { fileKilobytes: DISK_KB, ...(hasLog && { logFile }) }
  const { server: full, start, target, ledger, writers } = await startWriting(env, { limits })
  const [ada, bob] = writers as [Writer, Writer]

  // Pictures of noise fill the disk; only acknowledged ones must be shown.
  const raw = { width: 256, height: 256, channels: 3 } as const
  const noise = await sharp(randomBytes(256 * 256 * 3), { raw })
    .png()
    .toBuffer()
  const fillLog = () => appendFileSync(logFile, ' '.repeat(DISK_KB * 1024 - statSync(logFile).size))
  if (hasLog) fillLog()
  let refusal: Response
  let uploads = 0
  for (;;) {
    // Each in a new group, because replaced pictures are deleted.
    const { steamId, token } = [ada, bob][uploads % 2]!
    const group = { name: 'Pictured', owner_steam_id: steamId }
    refusal = await call(full.url, token, 'POST', '/api/groups', group)
    if (!refusal.ok) break
    const { group_id } = (await refusal.json()) as { group_id: number }
    ledger.settle(`${steamId} group ${group_id}`, 'Pictured')
    ledger.settle(`${steamId} picture ${group_id}`, 'null')
    refusal = await upload(full.url, token, group_id, new Uint8Array(noise))
    if (!refusal.ok) break
    ledger.settle(`${steamId} picture ${group_id}`, 'an upload')
    expect(++uploads).toBeLessThan(UPLOADS_MAX)
  }
  expect(uploads).toBeGreaterThan(0)
  expect(refusal.status).toBe(500)
  expect(await refusal.json()).toEqual({
    error: 'Something went wrong on our side.',
    code: 'internal',
    request_id: expect.any(String) as string,
  })

  // Every write now fails or is complete, never partial.
  const outcomes = new Set<string>()
  for (const writer of [ada, bob])
    for (const write of writesOf(target, ledger, writer, (values) => values[0]!)) outcomes.add(await write(1))
  expect(outcomes).toContain('unknown')
  expect(full.child.exitCode).toBeNull()
  expect((await fetch(`${full.url}/readyz`)).status).toBe(200)
  expect(await lost(full.url, ledger, writers, ledger.names())).toEqual([])
  if (hasLog) {
    expect(full.output()).not.toContain('request failed')
    truncateSync(logFile)
    expect((await fetch(`${full.url}/healthz`)).status).toBe(200)
    await expect.poll(full.output).toContain('request failed')
    fillLog()
  } else expect(full.output()).toContain('request failed')
  expect((await fetch(`${full.url}/healthz`)).status).toBe(200)
  expect(await full.stop()).toBe(0)

  const restarted = await start()
  expect(await lost(restarted.url, ledger, writers, ledger.names())).toEqual([])
  for (const write of writesOf({ ...target, url: restarted.url }, ledger, bob, (values) => values[0]!))
    expect(await write(2)).not.toBe('unknown')
  expect(await lost(restarted.url, ledger, writers, ledger.names())).toEqual([])
  await restarted.stop()
  await expectIntact(place)
})
