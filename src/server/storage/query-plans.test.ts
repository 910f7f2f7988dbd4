/** No query of a page scans a whole table. */
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { freshOptions, openForTest } from '../../../tests/support/databases.ts'
import { listFriendIds } from './players/friends.ts'
import { countOwned, findGroup, lastSyncedGroups, listGroupsOf } from './groups/groups.ts'
import { readLibrary, readLibraryVersions, recentLibraryChanges } from './players/libraries.ts'
import {
  countMemberships,
  departuresAmong,
  listFormerMembers,
  listJoinedGroupIds,
  listLeftGroups,
  listMemberIds,
  listMembers,
  mayReturn,
} from './groups/memberships.ts'
import { listHeldBefore } from './nights/lists.ts'
import { addPlayers, changeNightPlayer, createNight } from './nights/nights.ts'
import type { Deps } from '../deps.ts'
import { nightWorks, repeatNights } from '../features/nights/due.ts'
import {
  addSeries,
  countSeries,
  endSeriesOfGroups,
  nightsOf,
  seriesHostedBy,
  seriesOfNights,
} from './nights/series.ts'
import { notify, readNotice } from './notifications/notifications.ts'
import { claimMessages } from './notifications/outbox.ts'
import {
  ensurePlayers,
  findPlayer,
  listNotReadSince,
  readPlayers,
  readPlayersWithGames,
  readPlayersWithLibraries,
} from './players/players.ts'
import { endSubscriptionsOf, saveSubscription } from './notifications/push-subscriptions.ts'
import { countWaitingForGames } from './players/refreshes.ts'
import { planReminder } from '../features/nights/starts.ts'
import {
  deleteExpiredSessions,
  endLeastUsedSessions,
  findHandover,
  findSession,
  listSessions,
  recordUse,
  swapHandover,
} from './accounts/sessions.ts'
import { connectedWith, writeRows } from '../../../tests/support/rows.ts'
import { storingChanges } from '../database/cache-tags.ts'
import type { Tx } from '../database/schema.ts'
import { expiredRows } from './expired.ts'
import { createRowByRow } from '../sync/loop.ts'

const [ada, bob, cal] = ['76561197960265729', '76561197960265730', '76561197960265731'] as const

test('no query of a page scans a whole table', async () => {
  const database = await openForTest(await freshOptions('sqlite'))
  const { queries } = database
  const asked: CompiledQuery[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      asked.push(queries.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const watched = queries.withPlugin(plugin)
  await findPlayer(watched, ada)
  await readPlayers(watched, [ada, bob])
  await findSession(watched, 'h', 1)
  await findHandover({ ...database, queries: watched }, 'h', 1)
  await listSessions(watched, ada, 1)
  for (const step of Object.values(expiredRows(watched, 1))) await step()
  await readLibrary(watched, ada)
  await readLibraryVersions(watched, [ada, bob])
  await recentLibraryChanges(watched, [ada, bob], 'got', 1)
  await listNotReadSince(watched, [ada], 1)
  await countWaitingForGames(watched, [ada, bob])
  await listJoinedGroupIds(watched, [ada, bob])
  await listFriendIds(watched, ada)
  await connectedWith(watched, ada, [bob, cal])
  await findGroup(watched, 1, ada)
  await listGroupsOf(watched, ada)
  await lastSyncedGroups(watched, ada)
  await departuresAmong(watched, 1, [ada])
  await mayReturn(watched, 1, ada)
  await listFormerMembers(watched, 1)
  await listLeftGroups(watched, ada)
  await countMemberships(watched, [ada, bob], cal)
  await countOwned(watched, [ada, bob])
  await listMemberIds(watched, 1)
  await readPlayersWithLibraries(watched, [ada, bob, cal])
  await readPlayersWithGames(watched, [ada, bob, cal])
  await connectedWith(watched, ada, [bob])
  await listMembers(watched, 1)
  await claimMessages({ ...database, queries: watched }, 'messages', { now: 1, leaseMs: 1, limit: 8 })
  await claimMessages({ ...database, queries: watched }, 'push_messages', { now: 1, leaseMs: 1, limit: 8 })
  const deps = { database: { ...database, queries: watched } } as Deps
  for (const work of [...nightWorks, repeatNights]) await work(deps, createRowByRow(), 1)
  await seriesOfNights(watched, [1, 2])
  await nightsOf(watched, 1)
  await seriesHostedBy(watched, ada)
  for (const group_id of [1, null])
    await listHeldBefore(watched, { night_id: 1, group_id, starts_at: 1 }, ada, 1)
  const writes = async (tx: Tx) => {
    await ensurePlayers(tx, [ada, bob])
    const night = { group_id: null, host_steam_id: ada, title: null, starts_at: 2, created_at: 1 } as const
    const nightId = await createNight(tx, { ...night, planned: 1, forbids: 0 })
    await addPlayers(tx, nightId, [ada, bob], { by: null, at: 1 })
    await changeNightPlayer(tx, nightId, ada, { answer: 'in' })
    const device = { endpoint: '', p256dh: '', auth: '', language: 'en', expires_at: null } as const
    const of = { steam_id: ada, subscription_id: 'phone', session_id: 1, created_at: 1 }
    await saveSubscription(tx, { ...device, ...of })
    await notify(tx, nightId, 'vote', { now: 1 })
    await planReminder(tx, nightId, 2, 1)
    const series = { group_id: null, host_steam_id: ada, every: 'week', zone: 'UTC', created_at: 1 } as const
    await addSeries(tx, series, { nightId, startsAt: 2, leftOut: [bob] })
    await countSeries(tx, { group_id: 1 })
    await countSeries(tx, { host_steam_id: ada })
    await endSeriesOfGroups(tx, [1])
    const body = JSON.stringify({ night_id: nightId, starts_at: 2, pick: null })
    await readNotice(tx, { subscription_id: 'phone', event: 'moved', body, created_at: 1 }, 1)
    await endSubscriptionsOf(tx, [{ steam_id: ada, session_id: 1 }])
    await swapHandover(database, tx, {
      handoverHash: 'h',
      browserHash: 'b',
      tokenHash: 'i',
      now: 1,
      expiresAt: 2,
    })
    await recordUse(tx, { session_id: 1, token_hash: 'h' }, 1, 2)
    await endLeastUsedSessions(tx, ada, 49, 1)
    await deleteExpiredSessions(tx, 1)
  }
  await writeRows(database, (tx) => storingChanges(tx.withPlugin(plugin), writes))

  for (const { sql, parameters } of asked) {
    // Values look nothing up.
    if (sql.startsWith('insert into')) continue
    const plan = await queries.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
    )
    const steps = plan.rows.map((row) => row.detail)
    expect(steps.length, sql).toBeGreaterThan(0)
    expect(
      // The last five are small, and scanned once an hour.
      steps.filter(
        (step) =>
          !/^(?!SCAN)|^SCAN (CONSTANT|json_each|(push_)?messages|platform_days|deleted_accounts)/.test(step),
      ),
      sql,
    ).toEqual([])
  }
})
