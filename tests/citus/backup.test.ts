/** Backups of a distributed PostgreSQL, as docs/operate/several-servers.md says (OPS-52). */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenInvariants } from '../chaos/invariants.ts'
import { createLedger, known, type Ledger } from '../chaos/ledger.ts'
import { lost, signInWriters, type Writer, writeUntil } from '../chaos/mixed-writes.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { MACHINES, type Machines, startMachines } from './machines.ts'

const ENOUGH = 60

/** A server on these machines, and people who have written. */
async function used({ place }: Machines) {
  const server = await startTestApp({ place, background: true })
  const ledger = createLedger()
  const writers = await signInWriters(server, ledger, 2)
  const write = async () => {
    const enough = ledger.acknowledged + ENOUGH
    const stop = () => ledger.acknowledged >= enough
    await Promise.all(writers.map((writer, nth) => writeUntil(stop, server, ledger, writer, enough + nth)))
  }
  await write()
  return { server, ledger, writers, write }
}

/** Starts a server again and looks everything up. */
async function expectAll({ place }: Machines, ledger: Ledger, writers: Writer[]): Promise<TestApp> {
  const server = await startTestApp({ place })
  expect(await lost(server.url, ledger, writers, ledger.names())).toEqual([])
  expect(await brokenInvariants(server.database)).toEqual([])
  return server
}

test('OPS-52: refused while a server runs; restored and distributed', { timeout: 300_000 }, async () => {
  const machines = await startMachines()
  const { server, ledger, writers } = await used(machines)
  const env = { DATA_DIR: machines.place.dataDir, DATABASE_URL: machines.url }
  expect(await runCommand('backup', env)).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^The database .* is on several machines and in use, .* stop the servers first, /,
    ) as string,
  })
  await server.close()
  const backup = await runCommand('backup', env)
  expect(backup).toMatchObject({ code: 0, err: '' })

  expect(await runCommand('restore', env, [backup.out])).toMatchObject({ code: 0, err: '' })
  expect(await runCommand('distribute', {}, ['--database', machines.url])).toMatchObject({
    code: 0,
    err: '',
  })
  const shards = await machines.query(
    0,
    `SELECT count(*) AS count FROM citus_shards WHERE table_name = 'people'::regclass`,
  )
  expect(Number(shards[0]!.count)).toBe(4)
  await expectAll(machines, known(ledger), writers)
})

test('OPS-52: all machines go back to one moment', { timeout: 300_000 }, async () => {
  const machines = await startMachines()
  const { folder, folderOf, run, query } = machines
  const archive = (nth: number) => join(folder, `archive-${nth}`)
  for (const nth of MACHINES) {
    run('mkdir', [archive(nth)])
    await query(
      nth,
      'ALTER SYSTEM SET archive_mode = on',
      `ALTER SYSTEM SET archive_command = 'cp %p ${archive(nth)}/%f'`,
    )
  }
  for (const nth of MACHINES) machines.stop(nth)
  for (const nth of MACHINES) machines.start(nth)
  const { server, ledger, writers, write } = await used(machines)
  for (const nth of MACHINES)
    run('pg_basebackup', [
      '-h',
      '127.0.0.1',
      '-p',
      machines.portOf(nth),
      '-U',
      'postgres',
      '-D',
      `${folderOf(nth)}-base`,
      '-c',
      'fast',
    ])

  await write()
  const before = known(ledger)
  await query(0, `SELECT citus_create_restore_point('friday')`)
  await write()
  const after = known(ledger)
  for (const nth of MACHINES) await query(nth, 'SELECT pg_switch_wal()')
  await server.close()

  // Every machine is lost; each is restored from its own base and log.
  for (const nth of MACHINES) {
    machines.stop(nth)
    run('sh', [
      '-c',
      `rm -rf "$0" && mv "$0-base" "$0" && touch "$0/recovery.signal" && printf "%s\n" "restore_command = 'cp $1/%f %p'" "recovery_target_name = 'friday'" "recovery_target_action = 'promote'" >> "$0/postgresql.auto.conf"`,
      folderOf(nth),
      archive(nth),
    ])
  }
  for (const nth of MACHINES) machines.start(nth)
  for (const nth of MACHINES)
    await expect.poll(() => query(nth, 'SELECT pg_is_in_recovery() AS is')).toEqual([{ is: false }])
  const again = await expectAll(machines, before, writers)
  expect(await lost(again.url, after, writers, after.names())).not.toEqual([])
})
