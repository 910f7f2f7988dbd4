/** What people have in common, over HTTP: with each friend, with one of them, and in a group (API-12 to API-47). */
import { describe, expect, test } from 'vitest'
import { comparisonContract } from '#shared/contract/comparison.ts'
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { type LibraryVisibility, privacyContract } from '#shared/contract/privacy.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'

/** Eve’s games are private on Steam, and Fay’s were never read. */
async function startFriends(engine: (typeof engines)[number]) {
  const app = await startTestApp({ engine })
  const bob = await app.player({ games: { Portal: 300, Dota: 100, Rust: 0 } })
  const cal = await app.player({ games: { Portal: 0, Factorio: 50 } })
  const dan = await app.player({ games: { Portal: 0, Rust: 0 } })
  const eve = await app.player({ games: { Portal: 9 }, gamesPrivate: true })
  const fay = await app.player({ games: { Portal: 9 }, synced: false })
  const ada = await app.player({
    games: { Portal: 50, Rust: 0, Dota: 150, Go: 0 },
    friends: [bob, cal, dan, eve, fay],
  })
  return { app, ada, bob, cal, dan, eve, fay }
}

const overlaps = (me: TestPlayer) => me.call(friendsContract.overlaps, { steamId: me.steam_id })
const overlap = (me: TestPlayer, friend: TestPlayer) =>
  me.call(comparisonContract.overlap, { mySteamId: me.steam_id, friendSteamId: friend.steam_id })
const setVisibility = (who: TestPlayer, library_visibility: LibraryVisibility) =>
  who.call(privacyContract.changeSettings, { steamId: who.steam_id }, { library_visibility })

async function makePrivate(app: TestApp, who: TestPlayer) {
  app.simulator.updatePlayer(who.steam_id, { gamesPrivate: true })
  await app.deps.sync.syncGames(who.steam_id, who.steam_id)
}

describe.each(engines)('on %s', (engine) => {
  test('API-47: friends: games in common with each whose library can be looked at, most first, and how alike playing time is', async () => {
    const { app, ada, bob, cal, dan } = await startFriends(engine)
    expect(await overlaps(ada)).toEqual([
      // A quarter of my minutes and three quarters of Bob’s are in Portal, three quarters and a quarter in Dota.
      { steam_id: bob.steam_id, common: 3, alike: 50 },
      { steam_id: dan.steam_id, common: 2, alike: null },
      { steam_id: cal.steam_id, common: 1, alike: 0 },
    ])
    await setVisibility(bob, 'nobody')
    expect((await overlaps(ada)).map((one) => one.steam_id)).toEqual([dan.steam_id, cal.steam_id])
    // With a private library of my own nothing can be compared, although my games are still stored.
    await makePrivate(app, ada)
    expect(await overlaps(ada)).toEqual([])
  })

  test('API-12: comparison: the numbers of games, what neither has played, and whose library cannot be looked at', async () => {
    const { app, ada, bob, dan, eve, fay } = await startFriends(engine)
    expect(await overlap(ada, bob)).toEqual({
      my_status: 'ok',
      their_status: 'ok',
      overlap: { mine: 1, both: 3, theirs: 0, played_by_neither: 1, alike: 50 },
    })
    expect(await overlap(bob, ada)).toMatchObject({ overlap: { mine: 0, both: 3, theirs: 1, alike: 50 } })
    expect(await overlap(ada, dan)).toMatchObject({
      overlap: { mine: 2, both: 2, theirs: 0, played_by_neither: 1, alike: null },
    })
    expect(await overlap(ada, eve)).toEqual({ my_status: 'ok', their_status: 'private', overlap: null })
    expect(await overlap(ada, fay)).toEqual({ my_status: 'ok', their_status: 'never', overlap: null })
    await setVisibility(bob, 'nobody')
    expect(await overlap(ada, bob)).toEqual({ my_status: 'ok', their_status: 'hidden', overlap: null })
    await makePrivate(app, ada)
    expect(await overlap(ada, dan)).toEqual({ my_status: 'private', their_status: 'ok', overlap: null })
  })

  test('API-44: group: who shares how many games with whom, among the members whose libraries are counted', async () => {
    const { app, ada, bob, cal, dan, eve, fay } = await startFriends(engine)
    const { group_id: id } = await app.group({ owner: ada, members: [bob, cal, dan, eve, fay] })
    const read = () => ada.call(groupsContract.overlap, { id })
    const counted = [ada, bob, cal, dan].map((one) => one.steam_id)
    expect(await read()).toEqual({
      members: [4, 3, 2, 2].map((games, nth) => ({ steam_id: counted[nth], games })),
      common: [
        [4, 3, 1, 2],
        [3, 3, 1, 2],
        [1, 1, 2, 1],
        [2, 2, 1, 2],
      ],
    })
    const members = await ada.call(groupsContract.members, { id })
    expect(members.map((one) => one.steam_id).slice(0, 4)).toEqual(counted)
    await setVisibility(bob, 'nobody')
    expect((await read()).members.map((one) => one.steam_id)).toEqual([
      ada.steam_id,
      cal.steam_id,
      dan.steam_id,
    ])
  })
})
