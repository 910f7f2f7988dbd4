/** What the store says about games, in tests. */
import { saveStoreDetails } from '../../src/server/storage/players/apps.ts'
import type { Product } from './product.ts'

/**
 * A game as the store lists it: player categories (PLAT-32), type (0 is a game) and whether it is free to play; null for
 * what it does not say.
 */
type Listed = { categories: readonly number[]; kind?: number | null; free?: boolean | null }

/** Stores what the store says about games, by name; the server does not ask it again. */
export async function storeSays(product: Product, games: Readonly<Record<string, Listed>>): Promise<void> {
  const details = Object.entries(games).map(([name, { categories, kind = 0, free = false }]) => ({
    appid: product.appidOf(name),
    name,
    kind,
    header_url: null,
    categories: categories.join(',') || null,
    is_free: free === null ? null : Number(free),
  }))
  await product.database.transaction((tx) => saveStoreDetails(tx, details, Number.MAX_SAFE_INTEGER))
}
