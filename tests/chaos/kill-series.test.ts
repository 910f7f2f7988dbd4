/**
 * SIGKILL while the next nights of series are created, on PostgreSQL by two servers: each date has one night in the end, and
 * each night is whole (SERIES-4). CHAOS_ROUNDS (3) and CHAOS_SEED set how often and when.
 */
import { expect, test } from 'vitest'
import { randomFrom } from '../../bench/population.ts'
import { openAccount } from '../../src/server/storage/accounts/accounts.ts'
import { addSeries } from '../../src/server/storage/nights/series.ts'
import { startNight } from '../../src/server/features/nights/starts.ts'
import { run } from '../support/all-rows.ts'
import { engines, freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { nextSteamId } from '../support/product.ts'
import { writeRows } from '../support/rows.ts'
import { expectIntact } from './invariants.ts'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 3)
const SEED = Number(process.env.CHAOS_SEED ?? 1)
const SERIES = 60
const DAY_MS = 24 * 60 * 60_000

test.each(engines)('SERIES-4: SIGKILLs on %s', { timeout: 120_000 + ROUNDS * 30_000 }, async (engine) => {
  const place = await freshOptions(engine, { onDisk: true })
  const { steam } = await startSteam()
  const random = randomFrom(SEED)
  const env = { ...place.env, ...steam }

  await expectIntact(place, (database) =>
    writeRows(database, async (tx) => {
      // The next night of each is due.
      const startsAt = Date.now() - 2 * DAY_MS
      for (let nth = 0; nth < SERIES; nth++) {
        const host_steam_id = nextSteamId()
        await openAccount(database, tx, { steamId: host_steam_id, profile: undefined, at: startsAt })
        const of = {
          group_id: null,
          host_steam_id,
          title: `Series ${nth}`,
          zone: 'UTC',
          forbids: null,
        } as const
        const nightId = await startNight(
          tx,
          { ...of, starts_at: startsAt, planned: 1 },
          { asked: [], now: startsAt - DAY_MS },
        )
        const series = { ...of, every: 'week', created_at: startsAt - DAY_MS } as const
        await addSeries(tx, series, { nightId, startsAt, leftOut: [] })
      }
    }),
  )

  let created = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const servers = await Promise.all([
      startProcess(env),
      ...(engine === 'sqlite' ? [] : [startProcess(env)]),
    ])
    // The last ones are killed when all is done.
    const enough = round === ROUNDS ? SERIES : created + 1 + Math.floor(random() * 10)
    await expect
      .poll(async () => (await run(place, 'SELECT night_id FROM nights')).length, {
        timeout: 60_000,
        interval: 5,
      })
      .toBeGreaterThanOrEqual(SERIES + enough)
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    created = await expectIntact(place, async (database) => {
      // The minute of the killed servers' claims has passed.
      await writeRows(database, (tx) =>
        tx
          .updateTable('night_series')
          .set({ due_at: 0 })
          .where('due_at', '<', Date.now() + 60_000)
          .execute(),
      )
      const nights = await database.queries.selectFrom('nights').select(['night_id', 'title']).execute()
      const dates = await database.queries.selectFrom('night_series_nights').selectAll().execute()
      const players = await database.queries.selectFrom('night_people').select('answer').execute()
      // Each is whole: with its date, and its host who is in.
      expect(dates).toHaveLength(nights.length)
      expect(players.map(({ answer }) => answer)).toEqual(nights.map(() => 'in'))
      for (const named of Map.groupBy(nights, ({ title }) => title).values())
        expect(named.length).toBeLessThanOrEqual(2)
      return nights.length - SERIES
    })
  }
  expect(created).toBe(SERIES)
})
