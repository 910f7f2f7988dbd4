/**
 * The catalogue, games by appid: names and icons come from libraries, pictures and player categories from the store
 * (PLAT-31, PLAT-35). Shared by all players and small, so it is cached in memory. The store is optional.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FilterableGame, GamePage } from '#shared/entities.ts'
import { visibleName } from '#shared/names.ts'
import { headerUrl, iconUrl } from '../steam/pictures.ts'
import { type SteamGame, SteamError, type SteamPort, type StoreItem } from '../steam/port.ts'
import {
  type AppName,
  type AppRow,
  claimStoreDetails,
  putOffStoreDetails,
  readApps,
  saveStoreDetails,
} from '../storage/apps.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { kindOf } from './kinds.ts'
import { featuresOf, modesOf } from './modes.ts'
import { playersMaxOf } from './players.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import type { Validity } from '../cache/validity.ts'
import { mapInSlices } from '../library/slices.ts'
import { EVERYTHING, dependsOn } from '../database/cache-tags.ts'

/** Apps cached in memory; the whole store has fewer. */
const APPS_CACHED = 250_000
/** Appids without a row that are remembered, because a response may say that the catalogue does not know the game. */
const UNKNOWN_MAX = 10_000
/** Whatever this server has derived from the catalogue (`database/cache-tags.ts`). */
const CATALOGUE = 'catalogue:'
const APP = 'app:'
const DAY_MS = 24 * 60 * 60_000
/** PLAT-31: cache for 14 days or longer. */
const STORE_DETAILS_TTL_MS = 14 * DAY_MS
/** When store details are read again after the store failed or did not know the app. */
const STORE_RETRY_MS = DAY_MS
const STORE_APPS_PER_REQUEST = 100
/** Where the store is asked about apps that it does not show in the US. */
const OTHER_COUNTRY = 'DE'
/** How long other servers leave claimed apps alone; longer than a request takes. */
const STORE_LEASE_MS = 5 * 60_000

export type GameDetails = FilterableGame & Pick<GamePage, 'icon_url' | 'is_free'>

/** A game for lists. Immutable: when a game changes, the catalogue returns another object. */
export type ListedGame = {
  readonly details: GameDetails
}

export type Catalogue = {
  /** Loads apps that are not cached or were changed, so that `details` and `summary` have them. */
  ensure(appids: Iterable<number>): Promise<void>
  /**
   * Games for lists, in the order of `appids`; loads those that are not cached. In a transaction, which must not have
   * changed any, `db` is its own.
   */
  games(appids: ArrayLike<number>, db?: Queries | Tx): Promise<ListedGame[]>
  /** Version of the catalogue: results of {@link games} are valid while it is the same. */
  version(): number
  /** All fields of a game; one without a name is called 'App 12345' (API-3). */
  details(appid: number): GameDetails
  summary(appid: number): Pick<GameDetails, 'appid' | 'name' | 'image_url'>
  /** Whether the catalogue has the game, with or without a name: it has all games of all stored libraries. */
  isKnown(appid: number): boolean
  /** Name of a game; undefined when the catalogue has none. */
  knownName(appid: number): string | undefined
  /** Names and icons from a library that the catalogue does not have yet. */
  findNewNames(games: readonly SteamGame[]): Promise<AppName[]>
  /**
   * Reads store details of up to 100 apps that are due and returns how many were due. Background work.
   * @throws SteamError when the store failed; those apps are due again after `Retry-After`, or a day
   */
  readStoreDetails(): Promise<number>
}

type CatalogueOptions = {
  database: Database
  validity: Pick<Validity, 'now' | 'onChange' | 'refreshNow' | 'touch'>
  steam: Pick<SteamPort, 'storeItems'>
  clock: () => number
  /** Demo mode: URL of the simulator's pages, which have pictures in place of Steam's hosts. */
  demoPagesUrl?: string | undefined
}

/** `readAt`: the last poll before the row was read; `isStale`: it has changed since. */
type Entry = ListedGame & { row: AppRow; readAt: number; isStale: boolean }

/** The catalogue of one server; all servers share the rows in the database. */
export function createCatalogue({
  database,
  validity,
  steam,
  clock,
  demoPagesUrl,
}: CatalogueOptions): Catalogue {
  const { queries } = database
  const cached = createLruCache<number, Entry>(APPS_CACHED, () => 1, touch)
  const unknown = new Set<number>()

  let version = 0
  /** The last poll that found a change of any app, and of everything. */
  let lastChange = 0
  let freshSince = 0

  /** Makes what was derived from the catalogue invalid. */
  function touch(): void {
    version++
    validity.touch(CATALOGUE)
  }

  validity.onChange((changes) => {
    let isAffected = false
    for (const name of changes) {
      if (name === EVERYTHING) {
        freshSince = lastChange = validity.now()
        isAffected = true
      } else if (name.startsWith(APP)) {
        lastChange = validity.now()
        const appid = Number(name.slice(APP.length))
        const entry = cached.get(appid)
        if (entry) entry.isStale = true
        if (entry || unknown.delete(appid)) isAffected = true
      }
    }
    if (isAffected) touch()
  })

  const isFresh = (entry: Entry | undefined) =>
    entry !== undefined && !entry.isStale && entry.readAt >= freshSince

  function cacheRow(row: AppRow, readAt: number, isStale: boolean): void {
    const before = cached.get(row.appid)
    // A query that was sent earlier may return later, with an older row.
    if (before && before.readAt > readAt) return
    const details = detailsOf(row)
    if (before && isDeepStrictEqual(before.details, details)) {
      Object.assign(before, { row, readAt, isStale })
      return
    }
    version++
    cached.set(row.appid, { row, readAt, isStale, details })
  }

  async function read(db: Queries | Tx, appids: readonly number[]): Promise<void> {
    const at = validity.now()
    const rows = await readApps(db, appids)
    // A change that a poll has found may be one of these rows.
    const isStale = () => lastChange > at
    await mapInSlices([...rows.values()], (row) => cacheRow(row, at, isStale()))
    for (const appid of appids) if (!rows.has(appid)) unknown.add(appid)
    if (isStale() || unknown.size > UNKNOWN_MAX) {
      unknown.clear()
      touch()
    }
  }

  async function ensure(appids: Iterable<number>): Promise<void> {
    dependsOn('catalogue', [''])
    const missing = new Set<number>()
    for (const appid of appids) if (!isFresh(cached.get(appid))) missing.add(appid)
    if (missing.size > 0) await read(queries, [...missing])
  }

  async function games(appids: ArrayLike<number>, db: Queries | Tx = queries): Promise<ListedGame[]> {
    dependsOn('catalogue', [''])
    const missing = new Set<number>()
    const found = await mapInSlices(appids, (appid) => {
      const entry = cached.get(appid)
      if (!isFresh(entry)) missing.add(appid)
      return entry
    })
    if (missing.size === 0) return found as Entry[]
    await read(db, [...missing])
    return mapInSlices(appids, (appid) => cached.get(appid) ?? { details: detailsOf({ appid }) })
  }

  /** What the store says of apps, of each that it does not show in the US in another country. */
  async function readStore(appids: readonly number[]): Promise<Map<number, StoreItem>> {
    const found = new Map<number, StoreItem>()
    const add = (item: StoreItem) => {
      if (item.isShown || item.name !== null) found.set(item.appid, item)
    }
    for (const item of await steam.storeItems(appids, 'background')) add(item)
    const notShown = appids.filter((appid) => !found.get(appid)?.isShown)
    if (notShown.length > 0)
      for (const item of await steam.storeItems(notShown, 'background', OTHER_COUNTRY)) add(item)
    return found
  }

  const putOff = (appids: readonly number[], until: number) =>
    database.transaction((tx) => putOffStoreDetails(tx, appids, until))

  /** @param app its row, or the appid alone when the catalogue does not know it */
  function detailsOf(app: Pick<AppRow, 'appid'> & Partial<AppRow>): GameDetails {
    const { appid, name = null, icon_hash: icon = null, header_url: header = null } = app
    const { categories = null, kind = null, is_free: free = null } = app
    const demo = demoPagesUrl && `${demoPagesUrl}/pictures/apps/${appid}`
    return {
      appid,
      name: visibleName(name) ?? `App ${appid}`,
      image_url: demo ? `${demo}/header.svg` : (header ?? headerUrl(appid)),
      icon_url: icon === null ? null : demo ? `${demo}/icon/${icon}` : iconUrl(appid, icon),
      modes: modesOf(categories),
      features: featuresOf(categories),
      kind: kindOf(kind, name),
      is_free: free === null ? null : free === 1,
      players_max: playersMaxOf(appid),
    }
  }

  const details = (appid: number) => cached.get(appid)?.details ?? detailsOf({ appid })

  return {
    ensure,
    games,
    version: () => {
      dependsOn('catalogue', [''])
      return version
    },
    details,
    summary: (appid) => {
      const { name, image_url } = details(appid)
      return { appid, name, image_url }
    },
    isKnown: (appid) => cached.get(appid) !== undefined,
    knownName: (appid) => cached.get(appid)?.row.name ?? undefined,

    async findNewNames(games) {
      // Another server may have stored a name since the last request.
      await validity.refreshNow()
      await ensure(games.map((game) => game.appid))
      return games
        .filter(({ appid, name, iconHash }) => {
          const row = cached.get(appid)?.row
          return (
            !row || (name !== null && name !== row.name) || (iconHash !== null && iconHash !== row.icon_hash)
          )
        })
        .map(({ appid, name, iconHash }) => ({ appid, name, icon_hash: iconHash }))
    },

    async readStoreDetails() {
      const now = clock()
      const appids = await claimStoreDetails(database, {
        now,
        until: now + STORE_LEASE_MS,
        limit: STORE_APPS_PER_REQUEST,
      })
      if (appids.length === 0) return 0
      const items = await readStore(appids).catch(async (error: unknown) => {
        // A Retry-After, or a request that was not sent, says nothing about these apps, so they need not wait a day.
        const wait = error instanceof SteamError ? error.retryAfterSeconds : undefined
        await putOff(appids, now + (wait ? wait * 1000 : STORE_RETRY_MS))
        throw error
      })
      const details = [...items.values()].map((item) => ({
        appid: item.appid,
        name: item.name,
        kind: item.kind,
        header_url: item.headerUrl,
        // Null leaves the stored categories unchanged: an item without any says nothing.
        categories: item.categories.join(',') || null,
        is_free: item.isShown ? Number(item.isFree) : null,
      }))
      await database.transaction((tx) => saveStoreDetails(tx, details, now + STORE_DETAILS_TTL_MS))
      const notShown = appids.filter((appid) => !items.get(appid)?.isShown)
      await putOff(notShown, now + STORE_RETRY_MS)
      // Read here, so that no request has to.
      await validity.refreshNow()
      await ensure(appids.filter((appid) => cached.get(appid)))
      return appids.length
    },
  }
}

/** The fields of a game in lists that can be filtered: comparisons, shared games and near misses. */
export function filterableSummary(details: GameDetails): FilterableGame {
  const { appid, name, image_url, modes, features, kind, players_max } = details
  return { appid, name, image_url, modes, features, kind, players_max }
}
