/**
 * Games by appid: names and icons as libraries give them, pictures and player categories as the store does
 * (PLAT-31, PLAT-35). Small and shared by everybody, so it is kept in memory; everything works without the store.
 */
import type { PlayMode } from '#shared/entities.ts'
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
import { modesOf } from './modes.ts'
import { createNameOrder, type NameRank } from './name-order.ts'
import { createLruCache } from '../cache/lru-cache.ts'

/** Apps kept in memory; the whole store has fewer than this. */
const APPS_KEPT = 250_000
/** An app that was read this long ago is read again, behind the answer: other servers learn too. */
const FRESH_MS = 10 * 60_000
const MINUTE_MS = 60_000
/** Minutes are told apart for two years. */
const VERSIONS_PER_CHANGE = 2 ** 20
const DAY_MS = 24 * 60 * 60_000
/** PLAT-31: cache for 14 days or longer. */
const STORE_DETAILS_KEPT_MS = 14 * DAY_MS
/** Where the store has nothing, or fails, it is asked again after: */
const STORE_ASKED_AGAIN_MS = DAY_MS
const STORE_APPS_PER_CALL = 100
/** Longer than a call takes: until then no other server asks for the same apps. */
const STORE_LEASE_MS = 5 * 60_000

/** What every list of games shows of a game (entities.ts). */
export type GameFace = { appid: number; name: string; image_url: string | null }
export type PlayableFace = GameFace & { modes: PlayMode[] }
export type FullFace = PlayableFace & { icon_url: string | null }

/** A game, for as long as it stays the same. */
export type ListedGame = {
  readonly face: FullFace
  /** Where its name stands among others. */
  readonly nameRank: NameRank
}

/** Names that a library brought and that are not known yet. */
export type NewNames = {
  /** Writes them; within the transaction that writes the library. */
  write(tx: Tx): Promise<void>
  /** Remembers them here, once that transaction has succeeded. */
  keep(): void
}

export type Catalogue = {
  /**
   * Reads apps that are not in memory; afterwards the faces below need no database. Those known for a while are
   * read again without waiting for it.
   */
  ensure(appids: Iterable<number>): Promise<void>
  /** Games for lists, in the order of `appids`; reads what is not in memory. */
  games(appids: ArrayLike<number> & Iterable<number>): Promise<ListedGame[]>
  /**
   * Version of the catalogue: while it stays the same, what {@link games} gave is still right. It changes
   * with every change here, and every minute, so that what other servers learn is looked for.
   */
  version(): number
  /** A game as its own list shows it. An app that nobody named is 'App 12345' (API-3). */
  face(appid: number): FullFace
  gameFace(appid: number): GameFace
  /** The name that was learnt; undefined when none was. */
  knownName(appid: number): string | undefined
  /** Compares a library with what is known: what it teaches. */
  learn(games: readonly PlatformGame[]): Promise<NewNames>
  /**
   * Asks the store for the next hundred apps that are due, in the background; says how many there were.
   * @throws SteamError when it could not be asked; those apps are left alone for a day, or until it says to come back
   */
  readStoreDetails(): Promise<number>
}

type CatalogueParts = {
  database: Database
  steam: Pick<SteamPort, 'storeItems'>
  clock: () => number
  log: { warn(fields: object, text: string): void }
  /** Demo mode: the origin that draws pictures instead of the platform's hosts. */
  pictureOrigin?: string | undefined
}

type Entry = ListedGame & { row: AppRow; readAt: number }

/** The catalogue of one server; several share what is in the database. */
export function createCatalogue({ database, steam, clock, log, pictureOrigin }: CatalogueParts): Catalogue {
  const { queries } = database
  const known = createLruCache<number, Entry>(APPS_KEPT)
  const names = createNameOrder()
  const beingRead = new Set<number>()

  let changes = 0

  function remember(row: AppRow): void {
    const before = known.get(row.appid)
    if (before && showsTheSame(before.row, row)) {
      before.row = row
      before.readAt = clock()
      return
    }
    changes++
    known.set(row.appid, { row, readAt: clock(), ...listed(faceOf(row)) })
  }

  async function read(appids: readonly number[]): Promise<void> {
    for (const row of (await readApps(queries, appids)).values()) remember(row)
  }

  function readAgain(appids: readonly number[]): void {
    const wanted = appids.filter((appid) => !beingRead.has(appid))
    if (wanted.length === 0) return
    for (const appid of wanted) beingRead.add(appid)
    void read(wanted)
      .catch((error: unknown) => log.warn({ err: error }, 'apps could not be read again'))
      .finally(() => {
        for (const appid of wanted) beingRead.delete(appid)
      })
  }

  async function ensure(appids: Iterable<number>): Promise<void> {
    const missing: number[] = []
    const stale: number[] = []
    const freshSince = clock() - FRESH_MS
    for (const appid of appids) {
      const entry = known.get(appid)
      if (!entry) missing.push(appid)
      else if (entry.readAt < freshSince) stale.push(appid)
    }
    readAgain(stale)
    if (missing.length > 0) await read([...new Set(missing)])
  }

  async function games(appids: ArrayLike<number> & Iterable<number>): Promise<ListedGame[]> {
    const found: ListedGame[] = []
    const freshSince = clock() - FRESH_MS
    for (let index = 0; index < appids.length; index++) {
      const entry = known.get(appids[index]!)
      // One that is missing or stale: all are looked at again, which is seldom.
      if (!entry || entry.readAt < freshSince) {
        await ensure(appids)
        return Array.from(appids, (appid) => known.get(appid) ?? listed(faceOf(blankApp(appid))))
      }
      found.push(entry)
    }
    return found
  }

  function faceOf(row: AppRow): FullFace {
    const { appid, name, icon_hash: icon, header_url: header } = row
    const demo = pictureOrigin && `${pictureOrigin}/pictures/apps/${appid}`
    return {
      appid,
      name: name ?? `App ${appid}`,
      image_url: demo ? `${demo}/header.svg` : (header ?? headerUrl(appid)),
      icon_url: icon === null ? null : demo ? `${demo}/icon/${icon}` : iconUrl(appid, icon),
      modes: modesOf(row.categories),
    }
  }

  const listed = (face: FullFace): ListedGame => ({ face, nameRank: names.rankOf(face.name) })

  const face = (appid: number) => known.get(appid)?.face ?? faceOf(blankApp(appid))

  return {
    ensure,
    games,
    version: () => changes * VERSIONS_PER_CHANGE + (Math.floor(clock() / MINUTE_MS) % VERSIONS_PER_CHANGE),
    face,
    gameFace: (appid) => {
      const { name, image_url } = face(appid)
      return { appid, name, image_url }
    },
    knownName: (appid) => known.get(appid)?.row.name ?? undefined,

    async learn(games) {
      await ensure(games.map((game) => game.appid))
      const news = games
        .filter(({ appid, name, iconHash }) => {
          const row = known.get(appid)?.row
          return (
            !row || (name !== null && name !== row.name) || (iconHash !== null && iconHash !== row.icon_hash)
          )
        })
        .map(({ appid, name, iconHash }) => ({ appid, name, icon_hash: iconHash }))
      return {
        write: (tx) => saveAppNames(tx, news),
        keep: () => {
          for (const { appid, name, icon_hash } of news) {
            const row = known.get(appid)?.row ?? blankApp(appid)
            remember({ ...row, name: name ?? row.name, icon_hash: icon_hash ?? row.icon_hash })
          }
        },
      }
    },

    async readStoreDetails() {
      const now = clock()
      const appids = await claimStoreDetails(database, {
        now,
        until: now + STORE_LEASE_MS,
        limit: STORE_APPS_PER_CALL,
      })
      if (appids.length === 0) return 0
      const items = await steam.storeItems(appids, 'background').catch(async (error: unknown) => {
        // Told when to come back, or not asked at all: that says nothing about these apps.
        const wait = error instanceof SteamError ? error.retryAfterSeconds : undefined
        await putOffStoreDetails(queries, appids, now + (wait ? wait * 1000 : STORE_ASKED_AGAIN_MS))
        throw error
      })
      await saveStoreDetails(
        queries,
        items.map((item) => ({
          appid: item.appid,
          name: item.name,
          kind: item.kind,
          header_url: item.headerUrl,
          // An item without any says nothing; what was known stays.
          categories: item.categories.join(',') || null,
        })),
        now + STORE_DETAILS_KEPT_MS,
      )
      const found = new Set(items.map((item) => item.appid))
      const missing = appids.filter((appid) => !found.has(appid))
      await putOffStoreDetails(queries, missing, now + STORE_ASKED_AGAIN_MS)
      await read(appids.filter((appid) => known.get(appid)))
      return appids.length
    },
  }
}

/** A game as lists of what several people can play show it. */
export function playableFace({ appid, name, image_url, modes }: FullFace): PlayableFace {
  return { appid, name, image_url, modes }
}

/** Whether lists show the same of a game. */
function showsTheSame(a: AppRow, b: AppRow): boolean {
  return (
    a.name === b.name &&
    a.icon_hash === b.icon_hash &&
    a.header_url === b.header_url &&
    a.categories === b.categories
  )
}

function blankApp(appid: number): AppRow {
  return {
    appid,
    name: null,
    kind: null,
    icon_hash: null,
    header_url: null,
    categories: null,
    store_due_at: 0,
  }
}
