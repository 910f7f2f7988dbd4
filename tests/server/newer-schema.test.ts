/** OPS-38: two servers whose database a newer version migrates end with one sentence, and write nothing more. */
import pg from 'pg'
import { expect, test } from 'vitest'
import { call, signInWriters } from '../chaos/mixed-writes.ts'
import { createLedger } from '../chaos/ledger.ts'
import { allRows } from '../support/all-rows.ts'
import { freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'

test('OPS-38: two servers that meet a newer schema end with one sentence and write nothing more', async () => {
  const place = await freshOptions('postgres', { whole: true })
  const { simulator, steam } = await startSteam()
  const env = { ...steam, ...place.env }
  const servers = [await startProcess(env), await startProcess(env)]
  const [writer] = await signInWriters({ url: servers[0]!.url, simulator }, createLedger(), 2)

  // What a migration of a newer version does last: its step is there, and everything has changed.
  const client = new pg.Client(place.databaseUrl)
  await client.connect()
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('migrations', 0));
    INSERT INTO kysely_migration (name, timestamp) VALUES ('9999_later', '2030-01-01');
    INSERT INTO changes (subject) VALUES ('*'); COMMIT`)
  await client.end()
  const before = await allRows(place)

  // One finds it by a write, the other by the look at changes that precedes a read.
  const { steamId, token } = writer!
  const group = { name: 'Too late', owner_steam_id: steamId }
  const late = [
    call(servers[0]!.url, token, 'POST', '/api/groups', group),
    call(servers[1]!.url, token, 'GET', `/api/users/${steamId}/groups`),
  ]
  const answers = (await Promise.all(late)).map(({ status }) => status)
  expect(answers).toEqual([503, 503])
  for (const { exit, output } of servers) {
    expect(await exit).toBe(1)
    expect(output().match(/^A newer version of Shelfmates has migrated the database .*\.$/gm)).toHaveLength(1)
  }
  expect(await allRows(place)).toEqual(before)
})
