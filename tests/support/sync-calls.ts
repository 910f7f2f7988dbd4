/** What the tests of syncs do over HTTP, in short. */
import { friendsContract } from '#shared/contract/friends.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import { syncContract } from '#shared/contract/sync.ts'
import type { TestPlayer } from './app.ts'

/** Tries follow each other at once. */
export const quick = { backoffMs: 1 }
/** For a platform that never answers; with one that does, a busy machine could be too slow for it. */
export const impatient = { ...quick, timeoutMs: 250, backgroundTimeoutMs: 250 }

export const syncGames = (who: TestPlayer, target: TestPlayer | string = who) =>
  who.attempt(libraryContract.fetchGames, {
    steamId: typeof target === 'string' ? target : target.steam_id,
  })
export const syncFriends = (who: TestPlayer) =>
  who.attempt(friendsContract.syncFriends, { steamId: who.steam_id })
export const syncGroup = (who: TestPlayer, ...ids: (TestPlayer | string)[]) =>
  who.attempt(
    groupsContract.syncGames,
    {},
    { steam_ids: ids.map((id) => (typeof id === 'string' ? id : id.steam_id)) },
  )
export const status = (who: TestPlayer) => who.call(syncContract.status, { steamId: who.steam_id })
export const gamesOf = async (who: TestPlayer) =>
  (await who.call(libraryContract.games, { steamId: who.steam_id })).games.map((game) => [
    game.name,
    game.playtime_minutes,
  ])
export const friendsOf = async (who: TestPlayer) =>
  (await who.call(friendsContract.friendsCached, { steamId: who.steam_id })).friends
