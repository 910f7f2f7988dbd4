/** Background work goes on when one of its rows always fails (OPS-54). */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { nightWorks } from '../../src/server/features/nights/due.ts'
import { createRowByRow } from '../../src/server/sync/loop.ts'
import { purgeExpired } from '../../src/server/sync/engine.ts'
import { api, startTestApp, type TestApp } from '../support/app.ts'
import { iso } from '../support/dates.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames } from '../support/nights.ts'
import { DAY, HOUR, tick } from '../support/proposed-dates.ts'

const NOW = Date.UTC(2026, 5, 1, 12)

async function begin() {
  const clock = { now: NOW }
  const logged: { job?: string }[] = []
  const receiver = await startReceiver()
  const app = await startTestApp({ engine: 'sqlite', clock: () => clock.now, web: receiver.web })
  const log = { error: (fields: object) => void logged.push(fields) }
  const { host, others, groupId } = await friendsWithGames(app, 2)
  const start = (rest: object) => host.call(api.nights.start, {}, { steam_ids: [], ...rest })
  return { app, clock, logged, rows: createRowByRow(log), receiver, host, other: others[0]!, groupId, start }
}

/** Makes every write of a kind fail for one row. */
const poison = (app: TestApp, write: string, when: string) =>
  app.write((tx) =>
    sql
      .raw(`CREATE TRIGGER poison BEFORE ${write} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'poison'); END`)
      .execute(tx),
  )

const purge = ({ app, clock, rows }: Pick<Awaited<ReturnType<typeof begin>>, 'app' | 'clock' | 'rows'>) =>
  purgeExpired({ database: app.database, pictures: app.deps.pictures, clock: () => clock.now, rows })

test('OPS-54: a series whose next night fails leaves the others theirs', async () => {
  const { app, clock, start, host } = await begin()
  const first = { starts_at: iso(NOW + DAY), repeat: { every: 'week', zone: 'Europe/Berlin' } }
  await start({ ...first, title: 'bad' })
  await start({ ...first, title: 'good' })
  await poison(app, 'INSERT ON nights', `NEW.title = 'bad'`)
  clock.now = NOW + 3 * DAY
  await tick(app)
  const { nights } = await host.call(api.nights.list, host.user)
  expect(nights.filter(({ starts_at }) => starts_at === iso(NOW + 8 * DAY)).map((one) => one.title)).toEqual([
    'good',
  ])
})

test('OPS-54: a message that cannot be read leaves the others theirs, and is given up in the end', async () => {
  const { app, clock, receiver, host, groupId, start } = await begin()
  await host.call(api.webhooks.set, { id: groupId }, { url: receiver.url, format: 'json' })
  const planned = { steam_ids: undefined, group_id: groupId, starts_at: iso(NOW + DAY) }
  await start({ ...planned, title: 'bad' })
  await app.write((tx) => tx.updateTable('messages').set({ body: '{' }).execute())
  await start({ ...planned, title: 'good' })
  for (let hours = 0; hours < 8; hours++) {
    await tick(app)
    clock.now += HOUR
  }
  expect(receiver.bodies().some((body) => JSON.stringify(body).includes('good'))).toBe(true)
  const waiting = app.db.selectFrom('messages').select('message_id').where('done_at', 'is', null)
  expect(await waiting.execute()).toEqual([])
})

test('OPS-54: a night that cannot be changed leaves the others theirs; it is logged once and waits longer', async () => {
  const { app, clock, logged, rows, start } = await begin()
  const [bad, good] = [await start({}), await start({})]
  await poison(app, 'UPDATE ON nights', `OLD.night_id = ${bad.night_id}`)
  clock.now = NOW + DAY
  for (let minutes = 0; minutes < 10; minutes++) {
    for (const work of nightWorks) await work(app.deps, rows, clock.now)
    clock.now += HOUR / 60
  }
  const stored = await app.db.selectFrom('nights').select(['night_id', 'status']).execute()
  expect(stored).toContainEqual({ night_id: good.night_id, status: 'over' })
  expect(stored).toContainEqual({ night_id: bad.night_id, status: 'open' })
  expect(logged).toMatchObject([{ job: 'end of nights', row: bad.night_id }])
})

test('OPS-54: a step of housekeeping that fails does not stop the next ones, and is logged once', async () => {
  const { app, clock, logged, rows } = await begin()
  await app.write(async (tx) => {
    await tx.insertInto('used_once').values({ kind: 'nonce', value: 'x', expires_at: NOW }).execute()
    await tx.insertInto('platform_days').values({ host: 'store', day: '2020-01-01', calls: 1 }).execute()
  })
  await poison(app, 'DELETE ON used_once', '1 = 1')
  for (let times = 0; times < 2; times++) {
    await purge({ app, clock, rows })
    clock.now += HOUR
  }
  const days = await app.db.selectFrom('platform_days').select('day').execute()
  expect(days.filter(({ day }) => day === '2020-01-01')).toEqual([])
  expect(logged).toMatchObject([{ job: 'housekeeping', row: 'used once' }])
})

test('OPS-54: a row that keeps failing is tried less and less often', async () => {
  const tried: number[] = []
  const { rows, logged } = await begin()
  for (let minute = 0; minute < 32; minute++)
    await rows.each<number>('test', {
      now: minute * 60_000,
      due: ({ without }) => [1].filter((row) => !without.includes(row)),
      work: () => {
        tried.push(minute)
        throw new Error('poison')
      },
    })
  expect(tried).toEqual([0, 1, 3, 7, 15, 31])
  expect(logged).toHaveLength(1)
})
