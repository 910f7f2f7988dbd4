/**
 * On a full disk writes fail with a plain 500, reads go on and no acknowledged write is lost; with space writes work
 * again. So it is when the log is on the same disk (OPS-42).
 */
import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/server/database/open.ts'
import { freshDatabaseOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { brokenInvariants } from './invariants.ts'
import { createLedger } from './ledger.ts'
import { lost, signInWriters, writesOf } from './mixed-writes.ts'

const UPLOADS_MAX = 200
/** A disk's size for each file. */
const DISK_KB = 1200

test.for([
  ['a full disk', false],
  ['OPS-42: a full disk that has the log too', true],
] as const)('%s', { timeout: 300_000 }, async ([, hasLog]) => {
  const place = await freshDatabaseOptions('sqlite', { onDisk: true })
  onTestFinished(place.drop)
  const { simulator, steam } = await startSteam()
  const env = {
    DATA_DIR: place.dataDir,
    // Every request has a line.
    LOG_LEVEL: 'debug',
    ...steam,
  }
  const ledger = createLedger()
  const logFile = join(place.dataDir, 'server.log')
  const full = await startProcess(env, { fileKilobytes: DISK_KB, ...(hasLog && { logFile }) })
  onTestFinished(() => void full.child.kill('SIGKILL'))
  const writers = await signInWriters({ url: full.url, simulator }, ledger, 2)
  const [ada, bob] = writers as [(typeof writers)[0], (typeof writers)[0]]

  // Pictures of noise fill the disk; only acknowledged ones must be shown.
  const noise = await sharp({
    create: {
      width: 256,
      height: 256,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .png()
    .toBuffer()
  const fillLog = () => appendFileSync(logFile, ' '.repeat(DISK_KB * 1024 - statSync(logFile).size))
  if (hasLog) fillLog()
  let refusal: Response | undefined
  let uploads = 0
  while (!refusal) {
    // Each in a new group, because replaced pictures are deleted.
    const { steamId, token } = [ada, bob][uploads % 2]!
    const headers = { authorization: `Bearer ${token}` }
    const created = await fetch(`${full.url}/api/groups`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Pictured', owner_steam_id: steamId }),
    })
    if (!created.ok) {
      refusal = created
      break
    }
    const { group_id } = (await created.json()) as { group_id: number }
    ledger.settle(`${steamId} group ${group_id}`, 'Pictured')
    ledger.settle(`${steamId} picture ${group_id}`, 'null')
    const form = new FormData()
    form.append('picture', new Blob([new Uint8Array(noise)], { type: 'image/png' }), 'p.png')
    const response = await fetch(`${full.url}/api/groups/${group_id}/picture`, {
      method: 'POST',
      headers,
      body: form,
    })
    if (response.ok) {
      ledger.settle(`${steamId} picture ${group_id}`, 'an upload')
      expect(++uploads).toBeLessThan(UPLOADS_MAX)
    } else refusal = response
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
    for (const write of writesOf({ url: full.url, simulator }, ledger, writer, (values) => values[0]!))
      outcomes.add(await write(1))
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
  full.child.kill('SIGTERM')
  expect(await full.exit).toBe(0)

  const restarted = await startProcess(env)
  onTestFinished(() => void restarted.child.kill('SIGKILL'))
  expect(await lost(restarted.url, ledger, writers, ledger.names())).toEqual([])
  for (const write of writesOf({ url: restarted.url, simulator }, ledger, bob, (values) => values[0]!))
    expect(await write(2)).not.toBe('unknown')
  expect(await lost(restarted.url, ledger, writers, ledger.names())).toEqual([])
  restarted.child.kill('SIGTERM')
  await restarted.exit
  const database = await openDatabase(place)
  onTestFinished(() => database.close())
  expect(await brokenInvariants(database)).toEqual([])
})
