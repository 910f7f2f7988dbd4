/** Short functions for the requests of sync tests. */
import { contract as api } from '#shared/contract/index.ts'
import type { TestPlayer } from './app.ts'

/** Retries without delay. */
export const quick = { backoffMs: 1 }
/** Short timeouts, for a simulator that never responds; a busy machine could be too slow for them otherwise. */
export const impatient = { ...quick, timeoutMs: 250, backgroundTimeoutMs: 250 }

export const syncGames = (player: TestPlayer, target: TestPlayer | string = player) =>
  player.attempt(api.library.fetchGames, {
    steamId: typeof target === 'string' ? target : target.steam_id,
  })
export const syncFriends = (player: TestPlayer) => player.attempt(api.friends.syncFriends, player.user)
export const syncGroup = (player: TestPlayer, ...ids: (TestPlayer | string)[]) =>
  player.attempt(
    api.groups.syncGames,
    {},
    { steam_ids: ids.map((id) => (typeof id === 'string' ? id : id.steam_id)) },
  )
export const status = (player: TestPlayer) => player.call(api.sync.status, player.user)
export const gamesOf = async (player: TestPlayer) =>
  (await player.call(api.library.games, player.user)).games.map((game) => [game.name, game.playtime_minutes])
export const friendsOf = async (player: TestPlayer) =>
  (await player.call(api.friends.friendsCached, player.user)).friends
