/** A deleted account stays deleted, whatever of a night's link is under way (DEL-2, NIGHT-13). */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api, startTestApp } from '../support/app.ts'
import { inNight } from '../support/nights.ts'

const soon = <Result>(promise: Promise<Result>, ms = 700) =>
  Promise.race([promise, new Promise((done) => setTimeout(done, ms))])

/**
 * The guest's deletion waits in its middle for one of their nights, which another change holds; then they accept a link,
 * which waits for the deletion.
 */
async function acceptWhileDeleting({ isFriend }: { isFriend: boolean }) {
  const app = await startTestApp({ engine: 'postgres' })
  const other = await startTestApp({ besides: app, engine: 'postgres' })
  const guest = await app.player({ name: 'Guest' })
  const host = await app.player({ name: 'Host', friends: isFriend ? [guest] : [] })
  const held = await guest.call(api.nights.start, {}, { steam_ids: [guest.steam_id] })
  const night = await host.call(api.nights.start, {}, { steam_ids: [host.steam_id] })
  const { token } = await host.call(api.invites.renewOfNight, { id: night.night_id })

  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = app.database.transaction(async (tx) => {
    await sql`select 1 from nights where night_id = ${held.night_id} for update`.execute(tx)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const deleting = app.callsOf(guest.token).attempt(api.privacy.deleteAccount, guest.user)
  await soon(deleting)
  const accepting = other.callsOf(guest.token).attempt(api.invites.accept, { token })
  await soon(accepting)
  release.resolve()
  await holding
  const [deleted, accepted] = await Promise.all([deleting, accepting])
  const { rows } = await sql`select night_id from night_people where steam_id = ${guest.steam_id}`.execute(
    app.db,
  )
  const shown = (await inNight(night, host).read()).people.map((person) => person.steam_id)
  return { deleted: deleted.status, accepted: accepted.status, rows, isShown: shown.includes(guest.steam_id) }
}

test.each([
  ['others know', true],
  ['nobody knows', false],
])('a person whom %s', async (_whom, isFriend) => {
  const gone = { deleted: 204, accepted: 401, rows: [], isShown: false }
  expect(await acceptWhileDeleting({ isFriend })).toEqual(gone)
})
