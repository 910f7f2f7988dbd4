/** A world in use: looked up by id, and changed while the simulator runs. */
import type { App, OwnedGame, Player, World } from './world.ts'

export type Population = ReturnType<typeof createPopulation>

/** When friendships made by {@link Population.befriend} began unless it is said. */
const BEFRIENDED_AT = 1_600_000_000

/**
 * Makes a world answer by id. The world given is the one that changes: whoever wants to keep theirs passes a copy.
 * Every change of a player or app that is not there throws, so that a test cannot change nobody.
 */
export function createPopulation(world: World) {
  const playersById = new Map(world.players.map((player) => [player.steamid, player]))
  const appsById = new Map(world.apps.map((app) => [app.appid, app]))

  function existing(steamid: string): Player {
    const player = playersById.get(steamid)
    if (!player) throw new Error(`There is no player ${steamid} in this world.`)
    return player
  }

  /** Puts a player in, in the place of one with the same id. */
  function addPlayer(player: Player): void {
    const before = playersById.get(player.steamid)
    if (before) world.players[world.players.indexOf(before)] = player
    else world.players.push(player)
    playersById.set(player.steamid, player)
  }

  /** Makes two players friends of each other; those who are already stay so. */
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
    /** Gives a player another library. */
    setGames(steamid: string, games: OwnedGame[]): void {
      addPlayer({ ...existing(steamid), games })
    },
    /** Takes a player away, as when an account is deleted; friend lists that name it stay as they are. */
    removePlayer(steamid: string): void {
      world.players.splice(world.players.indexOf(existing(steamid)), 1)
      playersById.delete(steamid)
    },
    /** Puts an app in, in the place of one with the same appid. */
    addApp(app: App): void {
      const before = appsById.get(app.appid)
      if (before) world.apps[world.apps.indexOf(before)] = app
      else world.apps.push(app)
      appsById.set(app.appid, app)
    },
  }
}
