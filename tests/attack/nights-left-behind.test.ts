/** What stays of people who delete their account or leave, in the nights of others. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { nightsContract } from '#shared/contract/nights.ts'
import { privacyContract } from '#shared/contract/privacy.ts'
import { startTestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

describe.each(engines)('NIGHT-13: what a deleted person wrote is gone (%s)', (engine) => {
  test('the title of a night, in the database and to others', async () => {
    const app = await startTestApp({ engine })
    const { host, others, groupId } = await friendsWithGames(app, 3)
    const [ada] = others as [TestPlayer]
    const ids = others.map((one) => one.steam_id)
    const night = await host.call(nightsContract.start, {}, { steam_ids: ids, title: 'Written by the host' })
    await host.call(nightsContract.start, {}, { group_id: groupId, title: 'Written by the host' })
    await inNight(night, ada).answer('in')
    await host.call(privacyContract.deleteAccount, { steamId: host.steam_id })
    const { rows } = await sql<{ title: string | null }>`select title from nights`.execute(
      app.database.queries,
    )
    expect(rows.map((row) => row.title).filter((title) => title !== null)).toEqual([])
    expect((await inNight(night, ada).read()).title).toBeNull()
  })
})

test('NIGHT-7: a past night of a group stays as it was when somebody leaves the group', async () => {
  const time = { now: Date.now() }
  const app = await startTestApp({ clock: () => time.now })
  const { host, others, groupId } = await friendsWithGames(app, 3)
  const [ada] = others as [TestPlayer]
  const night = await host.call(nightsContract.start, {}, { group_id: groupId })
  await inNight(night, ada).answer('in', 'Bringing snacks')
  await inNight(night, host).close('draw')
  await inNight(night, host).draw()
  time.now += 13 * 3_600_000
  const idsOf = (people: { steam_id: string }[]) => people.map((person) => person.steam_id).toSorted()
  const before = idsOf((await inNight(night, host).read()).people)
  await ada.call(groupsContract.leave, { id: groupId })
  const [listed] = (await host.call(nightsContract.listOfGroup, { id: groupId })).nights
  // The list still has her: who came, and three people.
  expect(idsOf(listed!.came)).toContain(ada.steam_id)
  expect(listed!.people).toBe(before.length)
  expect(idsOf((await inNight(night, host).read()).people)).toEqual(before)
})
