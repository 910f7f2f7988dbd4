/** Starting a night locks all members of its group; an owner who leaves then must not wait in a circle with it. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

const ROUNDS = 12

async function statisticsOf(app: TestApp): Promise<{ commits: number; deadlocks: number }> {
  const { rows } = await sql<{ commits: number; deadlocks: number }>`
    SELECT xact_commit AS commits, deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(
    app.db,
  )
  return rows[0]!
}

type Round = { members: TestPlayer[]; groupId: number }
const meanwhile: Record<
  string,
  (round: Round, at: (player: TestPlayer, nth: number) => TestPlayer) => Promise<unknown>[]
> = {
  'members start nights': ({ members, groupId }, at) =>
    members.map((one, nth) => at(one, nth).attempt(api.nights.start, {}, { group_id: groupId })),
  'half of the members leave and the others start nights': ({ members, groupId }, at) =>
    members.map((one, nth) =>
      nth < 3
        ? at(one, nth).attempt(api.groups.leave, { id: groupId })
        : at(one, nth).attempt(api.nights.start, {}, { group_id: groupId }),
    ),
  'the others leave as well': ({ members, groupId }, at) =>
    members.map((one, nth) => at(one, nth).attempt(api.groups.leave, { id: groupId })),
}

test.each(Object.keys(meanwhile))('an owner leaves while %s: no deadlock', async (what) => {
  const app = await startTestApp({ engine: 'postgres' })
  const other = await startTestApp({ besides: app, engine: 'postgres' })
  const members: TestPlayer[] = []
  for (let nth = 0; nth < 5; nth++) members.push(await app.player())
  const owner = await app.player({ friends: members })
  const at = (player: TestPlayer, nth: number) => ({
    ...player,
    ...(nth % 2 ? app : other).callsOf(player.token),
  })
  const before = await statisticsOf(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { group_id: groupId } = await app.group({ owner, members })
    await Promise.all([
      ...meanwhile[what]!({ members, groupId }, at),
      at(owner, round).attempt(api.groups.leave, { id: groupId }),
    ])
    for (const one of members) await one.attempt(api.groups.leave, { id: groupId })
  }
  // PostgreSQL counts a second late; each round commits several times.
  const commits = async () => (await statisticsOf(app)).commits - before.commits
  await expect.poll(commits, { timeout: 10_000 }).toBeGreaterThan(ROUNDS * members.length)
  expect((await statisticsOf(app)).deadlocks - before.deadlocks).toBe(0)
})
