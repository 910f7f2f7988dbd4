/** Which pages look at which game night, on one server. */
import type { SteamId } from '#shared/entities.ts'
import type { EventStream } from '../event-stream.ts'
import type { WatchedNight } from '../storage/watched-nights.ts'

/** A page that looks at a night. */
export type Page = { nightId: number; user: SteamId; tokenHash: string; stream: EventStream }

export type Watcher = Omit<Page, 'nightId'> & {
  readonly night: LiveNight
  /** When its session ends if it is not used. */
  expiresAt: number
  /** While it waits to be let in. */
  opening: { letIn: () => void; refuse: (error: unknown) => void } | undefined
}

/** A night with watchers, as it was read last. */
export type LiveNight = WatchedNight & {
  readonly id: number
  readonly watchers: Set<Watcher>
  /** Whether a change that may concern it will be announced later. */
  isPostponed: boolean
  /** When this server last tried to read the presence of its players. */
  presenceAt: number
}

/** The watchers of one server: by night, by the player looking, and nights by their players. */
export function createWatchers() {
  const all = new Set<Watcher>()
  const nights = new Map<number, LiveNight>()
  const byUser = new Map<SteamId, Set<Watcher>>()
  const byPlayer = new Map<SteamId, Set<LiveNight>>()

  function nightOf(id: number): LiveNight {
    const known = nights.get(id)
    if (known) return known
    const night: LiveNight = {
      id,
      watchers: new Set(),
      version: 0,
      players: new Set(),
      isPostponed: false,
      presenceAt: -Infinity,
    }
    nights.set(id, night)
    return night
  }

  return {
    all: all as ReadonlySet<Watcher>,
    nights: nights as ReadonlyMap<number, LiveNight>,
    ofUser: (user: SteamId): Iterable<Watcher> => byUser.get(user) ?? [],
    nightsWith: (player: SteamId): Iterable<LiveNight> => byPlayer.get(player) ?? [],

    add({ nightId, ...page }: Page, opening: Watcher['opening']): Watcher {
      const night = nightOf(nightId)
      const watcher: Watcher = { ...page, night, expiresAt: Infinity, opening }
      all.add(watcher)
      night.watchers.add(watcher)
      addTo(byUser, watcher.user, watcher)
      return watcher
    },

    remove(watcher: Watcher): void {
      const { night, user } = watcher
      if (!all.delete(watcher)) return
      removeFrom(byUser, user, watcher)
      night.watchers.delete(watcher)
      if (night.watchers.size > 0) return
      nights.delete(night.id)
      for (const player of night.players) removeFrom(byPlayer, player, night)
    },

    /** Stores what was read of a night, unless it has lost its last watcher. */
    update(night: LiveNight, { version, players }: WatchedNight): void {
      if (nights.get(night.id) !== night) return
      for (const player of night.players) if (!players.has(player)) removeFrom(byPlayer, player, night)
      for (const player of players) addTo(byPlayer, player, night)
      night.version = version
      night.players = players
    },
  }
}

function addTo<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

function removeFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key)
  if (set?.delete(value) && set.size === 0) sets.delete(key)
}
