/** A world with look-ups by id and changes while the simulator runs. */
import type { App, OwnedGame, Player, World } from './world.ts'

export type Population = ReturnType<typeof createPopulation>

/** Default start of friendships made by {@link Population.befriend}, in seconds since 1970. */
const BEFRIENDED_AT = 1_600_000_000

/**
 * Creates a population from a world, which is modified: pass a copy to keep the original. Changing a player who does
 * not exist throws, so that a typo in a test is noticed.
 */
export function createPopulation(world: World) {
  const playersById = new Map(world.players.map((player) => [player.steamid, player]))
  const appsById = new Map(world.apps.map((app) => [app.appid, app]))

  function existing(steamid: string): Player {
    const player = playersById.get(steamid)
    if (!player) throw new Error(`There is no player ${steamid} in this world.`)
    return player
  }

  /** Adds a player, or replaces the one with the same steam id. */
  function addPlayer(player: Player): void {
    const before = playersById.get(player.steamid)
    if (before) world.players[world.players.indexOf(before)] = player
    else world.players.push(player)
    playersById.set(player.steamid, player)
  }

  /** Makes two players friends, unless they are already. `since` is in seconds since 1970. */
  function befriend(one: string, other: string, since = BEFRIENDED_AT): void {
    for (const [steamid, friend] of [
      [one, other],
      [other, one],
    ] as const) {
      const { friends } = existing(steamid)
      if (!friends.some((known) => known.steamid === friend)) friends.push({ steamid: friend, since })
    }
  }

  /** Ends a friendship on both sides. */
  function unfriend(one: string, other: string): void {
    for (const [steamid, friend] of [
      [one, other],
      [other, one],
    ] as const) {
      const player = existing(steamid)
      player.friends = player.friends.filter((known) => known.steamid !== friend)
    }
  }

  return {
    world,
    player: (steamid: string): Player | undefined => playersById.get(steamid),
    app: (appid: number): App | undefined => appsById.get(appid),
    addPlayer,
    befriend,
    unfriend,
    /** Changes some fields of a player. */
    updatePlayer(steamid: string, patch: Partial<Omit<Player, 'steamid'>>): void {
      addPlayer({ ...existing(steamid), ...patch })
    },
    /** Replaces a player's library. */
    setGames(steamid: string, games: OwnedGame[]): void {
      addPlayer({ ...existing(steamid), games })
    },
    /** Removes a player, as when an account is deleted; other players' friend lists stay unchanged. */
    removePlayer(steamid: string): void {
      world.players.splice(world.players.indexOf(existing(steamid)), 1)
      playersById.delete(steamid)
    },
    /** Adds an app, or replaces the one with the same appid. */
    addApp(app: App): void {
      const before = appsById.get(app.appid)
      if (before) world.apps[world.apps.indexOf(before)] = app
      else world.apps.push(app)
      appsById.set(app.appid, app)
    },
  }
}
