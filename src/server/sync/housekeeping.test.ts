/** What housekeeping deletes, and what it must not delete. */
import { describe, expect, test } from 'vitest'
import { describeOnEachEngine } from '../../../tests/support/databases.ts'
import { startTestApp } from '../../../tests/support/app.ts'
import { insertSync, profileOf, writeRows } from '../../../tests/support/rows.ts'
import { createPictures } from '../pictures/pictures.ts'
import type { Database } from '../database/database.ts'
import { createGroup } from '../storage/groups/groups.ts'
import { addLibraryChanges, writeLibrary, writePlaytimeMonth } from '../storage/players/libraries.ts'
import { ensurePlayers, saveProfiles } from '../storage/players/players.ts'
import { addCall, dayOf } from '../storage/players/steam-hosts.ts'
import { createSession } from '../storage/accounts/sessions.ts'
import { useOnce } from '../storage/accounts/used-once.ts'
import { deleteUnconnected, openAccount } from '../storage/accounts/accounts.ts'
import { replaceFriends } from '../storage/players/friends.ts'
import { addMembers, endMembership } from '../storage/groups/memberships.ts'
import { addPlayers, createNight } from '../storage/nights/nights.ts'
import { purgeExpired } from './engine.ts'

const ADA = '76561198000000001'
const NOW = Date.UTC(2026, 5, 15, 12)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const picturesOf = (database: Database) =>
  createPictures({ database, clock: () => NOW, log: { warn: () => {} } })
const purgeNow = (database: Database) =>
  purgeExpired({ database, pictures: picturesOf(database), clock: () => NOW })

function addSync(database: Database, startedAt: number, result: 'running' | 'ok') {
  const finished_at = result === 'ok' ? startedAt : null
  return writeRows(database, (tx) =>
    insertSync(tx, { steam_id: ADA, started_at: startedAt, finished_at, result }),
  )
}

describeOnEachEngine('housekeeping', (fresh, engine) => {
  test('expired sessions and nonces are deleted, others stay', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ADA]))
    for (const [tokenHash, expiresAt] of [
      ['ended', NOW],
      ['lasting', NOW + 1],
    ] as const) {
      await database.transaction((tx) =>
        createSession(tx, {
          steam_id: ADA,
          token_hash: tokenHash,
          kind: 'lasting',
          created_at: NOW - DAY,
          last_used_at: NOW - DAY,
          expires_at: expiresAt,
          user_agent: '',
        }),
      )
      await useOnce(queries, 'nonce', tokenHash, expiresAt)
    }

    await purgeNow(database)

    expect(await queries.selectFrom('sessions').select('token_hash').execute()).toEqual([
      { token_hash: 'lasting' },
    ])
    // A stored nonce cannot be used again; a deleted one is refused because it is too old.
    expect(await queries.selectFrom('used_once').select('value').execute()).toEqual([{ value: 'lasting' }])
  })

  test('syncs, library changes and call counts older than a month are deleted; syncs of killed servers end', async () => {
    const database = await fresh()
    const { queries } = database
    await database.transaction((tx) => ensurePlayers(tx, [ADA]))
    await addSync(database, NOW - 31 * DAY, 'ok')
    await addSync(database, NOW - 29 * DAY, 'ok')
    await addSync(database, NOW - 3 * MINUTE, 'running')
    await addSync(database, NOW - MINUTE, 'running')
    await database.transaction(async (tx) => {
      for (const days of [31, 29]) {
        await addLibraryChanges(tx, ADA, NOW - days * DAY, [{ appid: days, minutes: 0, kind: 'started' }])
        await addCall(tx, 'api.example.org', dayOf(NOW - days * DAY))
      }
    })

    await purgeNow(database)

    const syncs = await queries
      .selectFrom('syncs')
      .select(['started_at', 'result', 'counted', 'finished_at'])
      .orderBy('started_at')
      .execute()
    expect(syncs).toEqual([
      { started_at: NOW - 29 * DAY, result: 'ok', counted: 1, finished_at: NOW - 29 * DAY },
      { started_at: NOW - 3 * MINUTE, result: 'failed', counted: 0, finished_at: NOW },
      { started_at: NOW - MINUTE, result: 'running', counted: 1, finished_at: null },
    ])
    expect(await queries.selectFrom('library_changes').select('appid').execute()).toEqual([{ appid: 29 }])
    expect(await queries.selectFrom('platform_days').select('day').execute()).toEqual([
      { day: dayOf(NOW - 29 * DAY) },
    ])
  })

  test('SYNC-22: playtime of 24 months is kept, and older months are deleted', async () => {
    const database = await fresh()
    await database.transaction((tx) => ensurePlayers(tx, [ADA]))
    // NOW is in June 2026.
    for (const month of [202_606, 202_407, 202_406])
      await database.transaction((tx) =>
        writePlaytimeMonth(tx, { steam_id: ADA, month, packed: new Uint8Array(1) }),
      )

    await purgeNow(database)

    const rows = await database.queries
      .selectFrom('playtime_months')
      .select('month')
      .orderBy('month')
      .execute()
    expect(rows.map((row) => row.month)).toEqual([202_407, 202_606])
  })

  describe('DEL-9: players who have never signed in', () => {
    const [friend, member, asked, past, left, alone] = [1, 2, 3, 4, 5, 6].map(
      (nth) => `7656119800000010${nth}`,
    ) as [string, string, string, string, string, string]
    const all = [friend, member, asked, past, left, alone]
    const readAt = NOW - 90 * DAY

    const read = (database: Database, ids: string[], at: number) =>
      database.transaction((tx) =>
        saveProfiles(
          tx,
          ids.map((steamId) => profileOf(steamId, 'Somebody')),
          at,
        ),
      )
    const befriend = (database: Database, ids: string[], at: number) =>
      database.transaction((tx) => replaceFriends(tx, ADA, ids, at))
    const stored = async ({ queries }: Database) =>
      (await queries.selectFrom('people').select('steam_id').orderBy('steam_id').execute()).map(
        (row) => row.steam_id,
      )

    /** Ada has signed in, and all the others were read 90 days before NOW. */
    async function readLongAgo() {
      const database = await fresh()
      await database.transaction((tx) =>
        openAccount(database, tx, { steamId: ADA, profile: undefined, at: readAt }),
      )
      await read(database, all, readAt)
      await database.transaction(async (tx) => {
        for (const id of all) {
          await writeLibrary(tx, id, { packed: new Uint8Array(1), gameCount: 0, totalMinutes: 0, at: readAt })
          await writePlaytimeMonth(tx, { steam_id: id, month: 202_603, packed: new Uint8Array(1) })
        }
      })
      return database
    }

    test('are deleted after 90 days with all that is about them, unless a friend list, group or coming night has them', async () => {
      const database = await readLongAgo()
      await befriend(database, [friend], readAt)
      await database.transaction(async (tx) => {
        const group = await createGroup(tx, { name: 'Friday', owner: ADA, at: readAt })
        await addMembers(tx, group, [member, left], { by: ADA, at: readAt })
        await endMembership(tx, group, left, { at: readAt, removed: true })
        for (const [id, startsAt] of [
          [asked, NOW],
          [past, NOW - DAY],
        ] as const) {
          const night = await createNight(tx, {
            group_id: null,
            host_steam_id: ADA,
            title: null,
            starts_at: startsAt,
            created_at: readAt,
            planned: 1,
            forbids: 0,
          })
          await addPlayers(tx, night, [ADA, id], { by: ADA, at: readAt })
        }
      })

      await deleteUnconnected(database, readAt + 88 * DAY)
      expect(await stored(database)).toEqual([ADA, ...all])

      await deleteUnconnected(database, NOW)
      expect(await stored(database)).toEqual([ADA, friend, member, asked])
      for (const table of ['libraries', 'playtime_months'] as const)
        expect(
          await database.queries.selectFrom(table).select('steam_id').orderBy('steam_id').execute(),
        ).toEqual([friend, member, asked].map((steam_id) => ({ steam_id })))
      for (const table of ['night_people', 'group_departures'] as const)
        expect(
          await database.queries
            .selectFrom(table)
            .select('steam_id')
            .where('steam_id', 'in', [past, left])
            .execute(),
        ).toEqual([])
      // Nothing stops that they are stored again (DEL-2).
      expect(await database.queries.selectFrom('deleted_accounts').selectAll().execute()).toEqual([])
      await read(database, [alone], NOW)
      expect(await stored(database)).toContain(alone)
    })

    test('are kept while one of their profile and games was read later', async () => {
      const database = await readLongAgo()
      await read(database, [friend], NOW - 88 * DAY)
      const games = { packed: new Uint8Array(1), gameCount: 0, totalMinutes: 0, at: NOW - 88 * DAY }
      await database.transaction((tx) => writeLibrary(tx, member, games))
      await deleteUnconnected(database, NOW)
      expect(await stored(database)).toEqual([ADA, friend, member])
    })

    test('are kept when somebody has them again in the meantime', async () => {
      const database = await readLongAgo()
      const meanwhile: Database = {
        ...database,
        transaction: async (work, options) => {
          await befriend(database, [friend], NOW)
          return database.transaction(work, options)
        },
      }
      await deleteUnconnected(meanwhile, NOW)
      expect(await stored(database)).toEqual([ADA, friend])
    })

    test('are deleted once a server runs', async () => {
      const app = await startTestApp({ engine, clock: () => NOW })
      await read(app.database, [alone], readAt)
      app.deps.sync.start()
      await expect.poll(() => stored(app.database)).not.toContain(alone)
    })
  })
})
