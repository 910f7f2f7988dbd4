/**
 * The catalogue, games by appid: names and icons come from libraries, pictures and player categories from the store
 * (PLAT-31, PLAT-35). Shared by all people and small, so it is cached in memory. The store is optional.
 */
import type { GameFeature, GameKind, PlayMode } from '#shared/entities.ts'
import { headerUrl, iconUrl } from '../steam/pictures.ts'
import { type PlatformGame, SteamError, type SteamPort } from '../steam/port.ts'
import {
  type AppRow,
  claimStoreDetails,
  putOffStoreDetails,
  readApps,
  saveAppNames,
  saveStoreDetails,
} from '../storage/apps.ts'
import type { Database } from '../database/database.ts'
import type { Tx } from '../database/schema.ts'
import { kindOf } from './kinds.ts'
import { featuresOf, modesOf } from './modes.ts'
import { createNameOrder, type NameRank } from './name-order.ts'
import { createLruCache } from '../cache/lru-cache.ts'

/** Apps cached in memory; the whole store has fewer. */
const APPS_CACHED = 250_000
/** Older entries are refreshed in the background, because another server may have changed the row. */
const FRESH_MS = 10 * 60_000
const MINUTE_MS = 60_000
/** The low 20 bits of a version count minutes, which is enough for two years; the rest counts changes. */
const MINUTES_PER_CHANGE = 2 ** 20
const DAY_MS = 24 * 60 * 60_000
/** PLAT-31: cache for 14 days or longer. */
const STORE_DETAILS_TTL_MS = 14 * DAY_MS
/** When store details are read again after the store failed or did not know the app. */
const STORE_RETRY_MS = DAY_MS
const STORE_APPS_PER_REQUEST = 100
/** How long other servers leave claimed apps alone; longer than a request takes. */
const STORE_LEASE_MS = 5 * 60_000

/** The fields that every list of games has (`gameSummary` in entities.ts). */
export type GameSummary = { appid: number; name: string; image_url: string | null }
export type FilterableSummary = GameSummary & {
  modes: PlayMode[]
  features: GameFeature[]
  /** Null when unknown. */
  kind: GameKind | null
}
export type GameDetails = FilterableSummary & {
  icon_url: string | null
  /** Free to play; null when unknown. */
  is_free: boolean | null
}

/** A game for lists. Immutable: when a game changes, the catalogue returns another object. */
export type ListedGame = {
  readonly details: GameDetails
  /** For sorting by name. */
  readonly nameRank: NameRank
}

/** Names and icons from a library that the catalogue does not have yet. */
export type NewNames = {
  /** Writes them in the transaction that writes the library. */
  write(tx: Tx): Promise<void>
  /** Adds them to this server's cache; call it after that transaction has committed. */
  updateCache(): void
}

export type Catalogue = {
  /**
   * Loads apps that are not cached, so that `details` and `summary` have them. Stale entries are refreshed in the
   * background.
   */
  ensure(appids: Iterable<number>): Promise<void>
  /** Games for lists, in the order of `appids`; loads those that are not cached. */
  games(appids: ArrayLike<number> & Iterable<number>): Promise<ListedGame[]>
  /**
   * Version of the catalogue: results of {@link games} are valid while it is the same. It changes with every change on
   * this server, and once a minute because of changes on other servers.
   */
  version(): number
  /** All fields of a game; one without a name is called 'App 12345' (API-3). */
  details(appid: number): GameDetails
  summary(appid: number): GameSummary
  /** Whether the catalogue has the game, with or without a name: it has all games of all stored libraries. */
  isKnown(appid: number): boolean
  /** Name of a game; undefined when the catalogue has none. */
  knownName(appid: number): string | undefined
  /** Compares a library with the catalogue. */
  findNewNames(games: readonly PlatformGame[]): Promise<NewNames>
  /**
   * Reads store details of up to 100 apps that are due and returns how many were due. Background work.
   * @throws SteamError when the store failed; those apps are due again after `Retry-After`, or a day
   */
  readStoreDetails(): Promise<number>
}

type CatalogueOptions = {
  database: Database
  steam: Pick<SteamPort, 'storeItems'>
  clock: () => number
  log: { warn(fields: object, text: string): void }
  /** Demo mode: origin of the simulator, which serves pictures in place of the platform's hosts. */
  pictureOrigin?: string | undefined
}

type Entry = ListedGame & { row: AppRow; cachedAt: number }

/** The catalogue of one server; all servers share the rows in the database. */
export function createCatalogue({ database, steam, clock, log, pictureOrigin }: CatalogueOptions): Catalogue {
  const { queries } = database
  const cached = createLruCache<number, Entry>(APPS_CACHED)
  const names = createNameOrder()
  const refreshing = new Set<number>()

  let changes = 0

  function cacheRow(row: AppRow): void {
    const before = cached.get(row.appid)
    if (before && displaysSame(before.row, row)) {
      before.row = row
      before.cachedAt = clock()
      return
    }
    changes++
    cached.set(row.appid, { row, cachedAt: clock(), ...listed(detailsOf(row)) })
  }

  async function read(appids: readonly number[]): Promise<void> {
    for (const row of (await readApps(queries, appids)).values()) cacheRow(row)
  }

  function refreshInBackground(appids: readonly number[]): void {
    const wanted = appids.filter((appid) => !refreshing.has(appid))
    if (wanted.length === 0) return
    for (const appid of wanted) refreshing.add(appid)
    void read(wanted)
      .catch((error: unknown) => log.warn({ err: error }, 'refreshing the catalogue failed'))
      .finally(() => {
        for (const appid of wanted) refreshing.delete(appid)
      })
  }

  async function ensure(appids: Iterable<number>): Promise<void> {
    const missing: number[] = []
    const stale: number[] = []
    const freshSince = clock() - FRESH_MS
    for (const appid of appids) {
      const entry = cached.get(appid)
      if (!entry) missing.push(appid)
      else if (entry.cachedAt < freshSince) stale.push(appid)
    }
    refreshInBackground(stale)
    if (missing.length > 0) await read([...new Set(missing)])
  }

  async function games(appids: ArrayLike<number> & Iterable<number>): Promise<ListedGame[]> {
    const found: ListedGame[] = []
    const freshSince = clock() - FRESH_MS
    for (let index = 0; index < appids.length; index++) {
      const entry = cached.get(appids[index]!)
      // Rare: at least one entry is missing or stale, so start over with all of them loaded.
      if (!entry || entry.cachedAt < freshSince) {
        await ensure(appids)
        return Array.from(appids, (appid) => cached.get(appid) ?? listed(detailsOf(unknownApp(appid))))
      }
      found.push(entry)
    }
    return found
  }

  function detailsOf(row: AppRow): GameDetails {
    const { appid, name, icon_hash: icon, header_url: header } = row
    const demo = pictureOrigin && `${pictureOrigin}/pictures/apps/${appid}`
    return {
      appid,
      name: name ?? `App ${appid}`,
      image_url: demo ? `${demo}/header.svg` : (header ?? headerUrl(appid)),
      icon_url: icon === null ? null : demo ? `${demo}/icon/${icon}` : iconUrl(appid, icon),
      modes: modesOf(row.categories),
      features: featuresOf(row.categories),
      kind: kindOf(row.kind),
      is_free: row.is_free === null ? null : row.is_free === 1,
    }
  }

  const listed = (details: GameDetails): ListedGame => ({ details, nameRank: names.rankOf(details.name) })

  const details = (appid: number) => cached.get(appid)?.details ?? detailsOf(unknownApp(appid))

  return {
    ensure,
    games,
    version: () => changes * MINUTES_PER_CHANGE + (Math.floor(clock() / MINUTE_MS) % MINUTES_PER_CHANGE),
    details,
    summary: (appid) => {
      const { name, image_url } = details(appid)
      return { appid, name, image_url }
    },
    isKnown: (appid) => cached.get(appid) !== undefined,
    knownName: (appid) => cached.get(appid)?.row.name ?? undefined,

    async findNewNames(games) {
      await ensure(games.map((game) => game.appid))
      const newRows = games
        .filter(({ appid, name, iconHash }) => {
          const row = cached.get(appid)?.row
          return (
            !row || (name !== null && name !== row.name) || (iconHash !== null && iconHash !== row.icon_hash)
          )
        })
        .map(({ appid, name, iconHash }) => ({ appid, name, icon_hash: iconHash }))
      return {
        write: (tx) => saveAppNames(tx, newRows),
        updateCache: () => {
          for (const { appid, name, icon_hash } of newRows) {
            const row = cached.get(appid)?.row ?? unknownApp(appid)
            cacheRow({ ...row, name: name ?? row.name, icon_hash: icon_hash ?? row.icon_hash })
          }
        },
      }
    },

    async readStoreDetails() {
      const now = clock()
      const appids = await claimStoreDetails(database, {
        now,
        until: now + STORE_LEASE_MS,
        limit: STORE_APPS_PER_REQUEST,
      })
      if (appids.length === 0) return 0
      const items = await steam.storeItems(appids, 'background').catch(async (error: unknown) => {
        // A Retry-After, or a request that was not sent, says nothing about these apps, so they need not wait a day.
        const wait = error instanceof SteamError ? error.retryAfterSeconds : undefined
        await putOffStoreDetails(queries, appids, now + (wait ? wait * 1000 : STORE_RETRY_MS))
        throw error
      })
      await saveStoreDetails(
        queries,
        items.map((item) => ({
          appid: item.appid,
          name: item.name,
          kind: item.kind,
          header_url: item.headerUrl,
          // Null leaves the stored categories unchanged: an item without any says nothing.
          categories: item.categories.join(',') || null,
          is_free: item.isFree ? 1 : 0,
        })),
        now + STORE_DETAILS_TTL_MS,
      )
      const found = new Set(items.map((item) => item.appid))
      const missing = appids.filter((appid) => !found.has(appid))
      await putOffStoreDetails(queries, missing, now + STORE_RETRY_MS)
      await read(appids.filter((appid) => cached.get(appid)))
      return appids.length
    },
  }
}

/** The fields of a game in lists that can be filtered: comparisons, shared games and near misses. */
export function filterableSummary(details: GameDetails): FilterableSummary {
  const { appid, name, image_url, modes, features, kind } = details
  return { appid, name, image_url, modes, features, kind }
}

/** Whether two rows display the same. */
function displaysSame(a: AppRow, b: AppRow): boolean {
  return (
    a.name === b.name &&
    a.icon_hash === b.icon_hash &&
    a.header_url === b.header_url &&
    a.categories === b.categories &&
    a.kind === b.kind &&
    a.is_free === b.is_free
  )
}

function unknownApp(appid: number): AppRow {
  return {
    appid,
    name: null,
    kind: null,
    icon_hash: null,
    header_url: null,
    categories: null,
    is_free: null,
    store_due_at: 0,
  }
}
