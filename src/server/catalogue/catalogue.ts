/**
 * The catalogue, games by appid: names and icons come from libraries, pictures and player categories from the store
 * (PLAT-31, PLAT-33). Shared by all players and small, so it is cached in memory. The store is optional.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FilterableGame,
  type GameFeature,
  gameFeature,
  type GameKind,
  type GamePage,
  type GamePlayers,
  type PlayMode,
  playMode,
} from '#shared/entities.ts'
import { visibleName } from '#shared/names.ts'
import { isAddedGame } from '#shared/playable.ts'
import {
  headerUrl,
  iconUrl,
  SteamError,
  type SteamGame,
  type SteamPort,
  type StoreItem,
} from '../steam/port.ts'
import {
  type AppName,
  type AppRow,
  claimStoreDetails,
  putOffStoreDetails,
  readApps,
  saveStoreDetails,
} from '../storage/players/apps.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { createTagCache, type Polls } from '../cache/tag-cache.ts'

/** Memory of a game in the cache, in bytes, measured roughly and rounded up. */
const GAME_BYTES = 1200
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

/** A game for lists; `row` is undefined where the catalogue does not have it. It has all games of all stored libraries. */
export type ListedGame = {
  readonly details: GameDetails
  readonly row?: AppRow
}

export type Catalogue = ReturnType<typeof createCatalogue>

type CatalogueOptions = {
  database: Database
  polls: Pick<Polls, 'onChange' | 'refresh'>
  /** Memory for games, in bytes. */
  bytes: number
  steam: Pick<SteamPort, 'storeItems'>
  clock: () => number
  /** Demo mode: URL of the simulator's pages, which have pictures in place of Steam's hosts. */
  demoPagesUrl?: string | undefined
}

/** The catalogue of one server; all servers share the rows in the database. */
export function createCatalogue({ database, polls, bytes, steam, clock, demoPagesUrl }: CatalogueOptions) {
  const { queries } = database
  const cached = createTagCache<number, ListedGame>(polls, {
    kind: 'app',
    bytes,
    weigh: () => GAME_BYTES,
    read: (appids) => read(queries, appids),
    keyOf: Number,
  })

  async function read(db: Queries | Tx, appids: readonly number[]): Promise<Map<number, ListedGame>> {
    const rows = await readApps(db, appids)
    return new Map(rows.values().map((row) => [row.appid, { row, details: detailsFrom(row) }]))
  }

  /** Games in the order of `appids`. In a transaction, which must not have changed any, `db` is its own. */
  async function games(appids: ArrayLike<number>, db: Queries | Tx = queries): Promise<ListedGame[]> {
    const found = await cached.load(appids, (missing) => read(db, missing))
    return found.map((game, nth) => game ?? { details: detailsFrom({ appid: appids[nth]! }) })
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
  function detailsFrom(app: Pick<AppRow, 'appid'> & Partial<AppRow>): GameDetails {
    const { appid, name = null, icon_hash: icon = null, header_url: header = null } = app
    const { categories = null, kind = null, is_free: free = null, link } = app
    const demo = demoPagesUrl && `${demoPagesUrl}/pictures/apps/${appid}`
    return {
      appid,
      name: visibleName(name) ?? `App ${appid}`,
      image_url: isAddedGame(appid) ? null : demo ? `${demo}/header.svg` : (header ?? headerUrl(appid)),
      icon_url: icon === null ? null : demo ? `${demo}/icon/${icon}` : iconUrl(appid, icon),
      // A group adds what its members play together; of unknown modes it would come last.
      modes: isAddedGame(appid) ? ['multi'] : modesOf(categories),
      features: featuresOf(categories),
      kind: kindOf(kind, name),
      is_free: free === null ? null : free === 1,
      players_max: playersMaxOf(appid),
      ...(link && { link }),
    }
  }

  return {
    games,

    /** The details of any of these games; one without a name is called 'App 12345' (API-7). */
    async detailsOf(appids: Iterable<number>): Promise<(appid: number) => GameDetails> {
      const known = new Map((await games([...appids])).map(({ details }) => [details.appid, details]))
      return (appid) => known.get(appid)!
    },

    /** Names and icons from a library, or games of a wishlist, that the catalogue does not have yet. */
    async findNewNames(owned: readonly Pick<SteamGame, 'appid' | 'name' | 'iconHash'>[]): Promise<AppName[]> {
      // Another server may have stored a name since the last request.
      await polls.refresh()
      const known = await games(owned.map((game) => game.appid))
      return owned
        .filter(({ name, iconHash }, nth) => {
          const row = known[nth]!.row
          return (
            !row || (name !== null && name !== row.name) || (iconHash !== null && iconHash !== row.icon_hash)
          )
        })
        .map(({ appid, name, iconHash }) => ({ appid, name, icon_hash: iconHash }))
    },

    /**
     * Reads store details of up to 100 apps that are due and returns how many were due. Background work.
     * @throws SteamError when the store failed; those apps are due again after `Retry-After`, or a day
     */
    async readStoreDetails(): Promise<number> {
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
      return appids.length
    },
  }
}

export function summaryOf({ appid, name, image_url }: GameDetails) {
  return { appid, name, image_url }
}

/** The fields of a game in lists that can be filtered: comparisons, shared games and near misses. */
export function filterableSummary(details: GameDetails): FilterableGame {
  const { appid, name, image_url, modes, features, kind, players_max, link } = details
  return { appid, name, image_url, modes, features, kind, players_max, ...(link && { link }) }
}

const KIND_OF_TYPE: Readonly<Record<number, GameKind>> = {
  0: 'game',
  1: 'demo',
  2: 'mod',
  // A film, a video, a series and an episode.
  3: 'video',
  4: 'dlc',
  // A guide.
  5: 'other',
  6: 'software',
  7: 'video',
  8: 'video',
  9: 'video',
  // Hardware and a soundtrack.
  10: 'other',
  11: 'other',
  12: 'beta',
  13: 'tool',
  // Advertising.
  14: 'other',
}

/** What names end in of apps that the store lists as games, or does not know. */
const KIND_OF_NAME: readonly [end: RegExp, kind: GameKind][] = [
  [/\b(?:dedicated servers?|sdk)\W*$/i, 'tool'],
  [/\b(?:soundtrack|ost)\W*$/i, 'other'],
  [/\bplaytest\W*$/i, 'beta'],
]

/**
 * The kind for a type of the store and a name (API-45); null when both say nothing, so an app is never taken for a game.
 */
export function kindOf(type: number | null, name: string | null): GameKind | null {
  const kind = type === null ? null : (KIND_OF_TYPE[type] ?? null)
  if (name === null || (kind !== null && kind !== 'game')) return kind
  return KIND_OF_NAME.find(([end]) => end.test(name))?.[1] ?? kind
}

const MODES_OF_CATEGORY: Readonly<Record<number, readonly PlayMode[]>> = {
  1: ['multi'],
  2: ['single'],
  9: ['coop'],
  20: ['mmo', 'online'],
  24: ['local'],
  27: ['multi', 'online'],
  36: ['multi', 'online'],
  37: ['multi', 'local'],
  38: ['coop', 'online'],
  39: ['coop', 'local'],
  // Remote Play Together streams a local multiplayer game to friends.
  44: ['local'],
  47: ['multi', 'local'],
  48: ['coop', 'local'],
  49: ['multi'],
}

const FEATURE_OF_CATEGORY: Readonly<Record<number, GameFeature>> = {
  24: 'same_screen',
  27: 'cross_platform',
  36: 'online_versus',
  37: 'same_screen',
  38: 'online_coop',
  39: 'same_screen',
  44: 'remote_play',
}

/** Modes for a comma-separated list of categories; none when the categories are unknown (null). */
export function modesOf(categories: string | null): PlayMode[] {
  const found = new Set(idsOf(categories).flatMap((id) => MODES_OF_CATEGORY[id] ?? []))
  return playMode.options.filter((mode) => found.has(mode))
}

/** Badges for a comma-separated list of categories (API-45); none when the categories are unknown (null). */
export function featuresOf(categories: string | null): GameFeature[] {
  const found = new Set(idsOf(categories).map((id) => FEATURE_OF_CATEGORY[id]))
  return gameFeature.options.filter((feature) => found.has(feature))
}

function idsOf(categories: string | null): number[] {
  return categories ? categories.split(',').map(Number) : []
}

/**
 * How many people can play a game together, from the product's own list (CONTRIBUTING.md says what its numbers mean). A game
 * that is not in it is unknown; nothing is guessed from the store's categories.
 */
const players = parsePlayers(readFileSync(join(import.meta.dirname, 'players.tsv'), 'utf8'))

/** What the list says of a game; null for one that is not in it. */
export function playersOf(appid: number): GamePlayers | null {
  return players.get(appid) ?? null
}

/**
 * The most players who can play a game together: over the internet, because most groups are not in one room, and on one
 * screen where a game has no play over the internet (API-53). Null when unknown.
 */
export function playersMaxOf(appid: number): number | null {
  const known = players.get(appid)
  return known ? known.online || known.screen : null
}

/** The lines of the list by appid, without its head. */
export function parsePlayers(text: string): Map<number, GamePlayers> {
  const found = new Map<number, GamePlayers>()
  for (const line of text.trimEnd().split('\n').slice(1)) {
    const [appid, online, screen, year, , note] = line.split('\t')
    found.set(Number(appid), {
      online: Number(online),
      screen: screen ? Number(screen) : null,
      year: Number(year),
      note: note ?? null,
    })
  }
  return found
}
