/** A stored library that is damaged fails the requests that need its games, and no others. */
import { expect, test } from 'vitest'
import { api, engines, startTestApp } from '../support/app.ts'

test.each(engines)('a damaged library fails what needs its games alone, on %s', async (engine) => {
  const app = await startTestApp({ engine })
  const bob = await app.player({ name: 'Bob', games: { Portal: 30 } })
  const cal = await app.player({ name: 'Cal', games: { Portal: 20 } })
  const ada = await app.player({ friends: [bob, cal] })
  const damage = (library: { status?: 'private'; packed?: Uint8Array }) =>
    app.write((tx) => tx.updateTable('libraries').set(library).where('steam_id', '=', bob.steam_id).execute())
  const steamId = ada.steam_id
  const gameId = app.appidOf('Portal')
  /** On a server that has nothing in its caches. */
  const statuses = async () => {
    const server = await startTestApp({ engine, besides: app })
    const calls = server.callsOf(ada.token)
    const owners = await calls.attempt(api.friends.gameFriends, { steamId, gameId })
    const { friends } = await calls.call(api.friends.friendsCached, { steamId })
    const names = friends.map((friend) => friend.display_name)
    expect(names).toEqual(['Bob', 'Cal'])
    return owners.status
  }
  expect(await statuses()).toBe(200)
  await damage({ packed: new Uint8Array([1, 2, 3, 4, 5, 6]) })
  expect(await statuses()).toBe(500)
  // Its games are not shown, so nothing needs them.
  await damage({ status: 'private' })
  expect(await statuses()).toBe(200)
})
