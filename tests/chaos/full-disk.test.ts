/**
 * On a full disk writes fail with a plain 500, reads go on and no acknowledged write is lost; with space writes work
 * again.
 */
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/server/database/open.ts'
import { freshDatabaseOptions } from '../support/databases.ts'
import { startPlatform } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { brokenInvariants } from './invariants.ts'
import { createLedger } from './ledger.ts'
import { lost, signInWriters, writesOf } from './mixed-writes.ts'

const UPLOADS_MAX = 200

test('a full disk', { timeout: 120_000 }, async () => {
  const place = await freshDatabaseOptions('sqlite', { onDisk: true })
  onTestFinished(place.drop)
  const { simulator, steam } = await startPlatform()
  const env = {
    DATA_DIR: place.dataDir,
    ...steam,
  }
  const ledger = createLedger()
  const full = await startProcess(env, { fileKilobytes: 1200 })
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
  expect(full.output()).toContain('request failed')
  full.child.kill('SIGTERM')
  await full.exit

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
