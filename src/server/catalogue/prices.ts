/**
 * What games cost, by country, from the store (PLAT-46). The store is asked in the background about what somebody has just
 * looked at, and the look is answered with what is known.
 */
import type { Price } from '#shared/entities.ts'
import type { Database } from '../database/database.ts'
import type { SteamPort, StoreItem } from '../steam/port.ts'
import { claimPrices, type PriceRow, readPrices, savePrices } from '../storage/players/apps.ts'
import { isoTime } from '../time.ts'

const HOUR_MS = 60 * 60_000
/** How long a price is shown, and how old it is when a look has it read again. */
const SHOWN_MS = 6 * HOUR_MS
const DUE_MS = 3 * HOUR_MS
/** When the store is asked again that has not answered. */
const RETRY_MS = 5 * 60_000
const APPS_PER_REQUEST = 100
/** Games that wait for the store; others are asked about when somebody looks again. */
const WAITING_MAX = 2000

type PricesOptions = {
  database: Database
  /** Says what games cost; another shop can be asked instead. */
  steam: {
    storeItems(...of: Parameters<SteamPort['storeItems']>): Promise<Pick<StoreItem, 'appid' | 'price'>[]>
  }
  clock: () => number
  /** Of users who have chosen none. */
  country: string
}

/** The prices of one server; all servers share the rows in the database. */
export function createPrices({ database, steam, clock, country: ours }: PricesOptions) {
  /** Games to ask about, by country. */
  const wanted = new Map<string, Set<number>>()

  function want(country: string, appids: readonly number[]): void {
    const waiting = wanted.values().reduce((sum, { size }) => sum + size, 0)
    const asked = appids.slice(0, Math.max(0, WAITING_MAX - waiting))
    if (asked.length > 0) wanted.set(country, new Set([...(wanted.get(country) ?? []), ...asked]))
  }

  return {
    /**
     * What games cost in a country, as far as it is known; null for what is free, or not sold there.
     * @param chosen the country of a user; null for the server's
     */
    async of(appids: readonly number[], chosen: string | null): Promise<(appid: number) => Price | null> {
      const country = chosen ?? ours
      const now = clock()
      const rows = new Map(
        (await readPrices(database.queries, country, appids)).map((row) => [row.appid, row]),
      )
      want(
        country,
        appids.filter((appid) => isDue(rows.get(appid), now)),
      )
      return (appid) => shown(rows.get(appid), now)
    },

    /** Asks the store about up to 100 games that were looked at. Background work. @throws SteamError */
    async readWanted(): Promise<void> {
      const [next] = wanted
      if (!next) return
      const [country, games] = next
      const appids = [...games].slice(0, APPS_PER_REQUEST)
      for (const appid of appids) games.delete(appid)
      // Others come first now.
      wanted.delete(country)
      if (games.size > 0) wanted.set(country, games)
      const now = clock()
      const claimed = await database.transaction((tx) =>
        claimPrices(tx, { country, appids, now, before: now - RETRY_MS }),
      )
      if (claimed.length === 0) return
      const items = await steam.storeItems(claimed, 'background', country)
      // What the store left out stays as it was.
      const rows = items.map(({ appid, price }) => ({
        country,
        appid,
        asked_at: now,
        read_at: now,
        formatted: price?.formatted ?? null,
        cents: price?.cents ?? null,
        discount_percent: price?.discountPercent ?? 0,
        discount_ends_at: price?.discountEndsAt ?? null,
      }))
      await database.transaction((tx) => savePrices(tx, rows))
    },
  }
}

function isDue(row: PriceRow | undefined, now: number): boolean {
  if (!row) return true
  if (row.asked_at > now - RETRY_MS) return false
  return row.read_at === null || row.read_at <= now - DUE_MS || hasEnded(row, now)
}

function shown(row: PriceRow | undefined, now: number): Price | null {
  if (!row?.read_at || row.read_at <= now - SHOWN_MS || hasEnded(row, now)) return null
  const { formatted, cents, discount_percent, country } = row
  if (formatted === null || cents === null) return null
  const [discount_ends_at, read_at] = [isoTime(row.discount_ends_at), isoTime(row.read_at)!]
  return { formatted, cents, discount_percent, discount_ends_at, country, read_at }
}

/** Whether a discount is over that the price has. */
function hasEnded({ discount_ends_at: end }: PriceRow, now: number): boolean {
  return end !== null && end <= now
}
