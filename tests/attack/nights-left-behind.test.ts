/** What stays of people who delete their account or leave, in the nights of others. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { api, engines, startAt, startTestApp } from '../support/app.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'

describe.each(engines)('NIGHT-13: words of a deleted person are gone (%s)', (engine) => {
  test('the title of a night, in the database and to others', async () => {
    const app = await startTestApp({ engine })
    const { host, others, ada, groupId } = await friendsWithGames(app, 3)
    const ids = others.map((one) => one.steam_id)
    const night = await host.call(api.nights.start, {}, { steam_ids: ids, title: 'Written by the host' })
    await host.call(api.nights.start, {}, { group_id: groupId, title: 'Written by the host' })
    await inNight(night, ada).answer('in')
    await host.call(api.privacy.deleteAccount, host.user)
    const { rows } = await sql<{ title: string | null }>`select title from nights`.execute(app.db)
    expect(rows.map((row) => row.title).filter((title) => title !== null)).toEqual([])
    expect((await inNight(night, ada).read()).title).toBeNull()
  })
})

test('NIGHT-7: a past night of a group stays as it was when somebody leaves the group', async () => {
  const { app, time } = await startAt(Date.now())
  const { host, ada, groupId } = await friendsWithGames(app, 3)
  const night = await host.call(api.nights.start, {}, { group_id: groupId })
  await inNight(night, ada).answer('in', 'Bringing snacks')
  await inNight(night, host).close('draw')
  await inNight(night, host).draw()
  time.now += 13 * 3_600_000
  const idsOf = (people: { steam_id: string }[]) => people.map((person) => person.steam_id).toSorted()
  const before = idsOf((await inNight(night, host).read()).people)
  await ada.call(api.groups.leave, { id: groupId })
  const [listed] = (await host.call(api.nights.listOfGroup, { id: groupId })).nights
  // The list still has her: who came, and three people.
  expect(idsOf(listed!.came)).toContain(ada.steam_id)
  expect(listed!.people).toBe(before.length)
  expect(idsOf((await inNight(night, host).read()).people)).toEqual(before)
})
