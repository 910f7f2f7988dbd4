/** Presence in friend lists: the game a person is playing, and whether they have signed in here. */
import { expect, test } from 'vitest'
import type { LibraryVisibility } from '#shared/contract/privacy.ts'
import { api, setVisibility, startTestApp } from '../support/app.ts'

test('API-13, VIS-4: the game being played is shown only to people who may see the library', async () => {
  const app = await startTestApp()
  const bob = await app.player({ games: { Portal: 5 }, playing: app.appidOf('Portal') })
  const [friend, fellow] = [await app.player({ friends: [bob] }), await app.player({ friends: [bob] })]
  const { group_id } = await app.group({ owner: fellow, members: [bob] })
  // Only a group that both have joined counts.
  await app.write((tx) =>
    tx.updateTable('group_members').set({ joined_at: 1 }).where('group_id', '=', group_id).execute(),
  )

  const portal = app.appidOf('Portal')
  for (const [library_visibility, toFriend, toFellow] of [
    ['connected', 'Portal', 'Portal'],
    ['groups', null, 'Portal'],
    ['nobody', null, null],
    ['connected', 'Portal', 'Portal'],
  ] as [LibraryVisibility, string | null, string | null][]) {
    await setVisibility(bob, library_visibility)
    for (const [viewer, playing] of [
      [friend, toFriend],
      [fellow, toFellow],
    ] as const)
      for (const list of [api.friends.friends, api.friends.friendsCached]) {
        const { friends } = await viewer.call(list, viewer.user)
        expect(friends).toMatchObject([
          {
            steam_id: bob.steam_id,
            personastate: 1,
            playing,
            playing_appid: playing === null ? null : portal,
          },
        ])
      }
  }
})

test('API-13: a friend has joined_here from their first sign-in until they delete their account', async () => {
  const app = await startTestApp()
  const ada = await app.player()
  const [steamId] = await app.strangersConnectedWith(ada, 1)
  const joinedHere = async () => {
    const { friends } = await ada.call(api.friends.friendsCached, ada.user)
    return friends.map((friend) => [friend.steam_id, friend.joined_here])
  }
  expect(await joinedHere()).toEqual([[steamId, false]])
  const friend = app.callsOf(await app.signIn(steamId!))
  expect(await joinedHere()).toEqual([[steamId, true]])
  await friend.call(api.privacy.deleteAccount, { steamId: steamId! })
  expect(await joinedHere()).toEqual([[steamId, false]])
})
