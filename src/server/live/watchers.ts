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

/** The watchers of one server, and the nights that they look at. */
export function createWatchers() {
  const all = new Set<Watcher>()
  const nights = new Map<number, LiveNight>()

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

    add({ nightId, ...page }: Page, opening: Watcher['opening']): Watcher {
      const night = nightOf(nightId)
      const watcher: Watcher = { ...page, night, expiresAt: Infinity, opening }
      all.add(watcher)
      night.watchers.add(watcher)
      return watcher
    },

    remove(watcher: Watcher): void {
      if (!all.delete(watcher)) return
      const { night } = watcher
      night.watchers.delete(watcher)
      if (night.watchers.size === 0) nights.delete(night.id)
    },
  }
}
