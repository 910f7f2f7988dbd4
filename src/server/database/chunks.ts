/** Queries over lists that are longer than the number of parameters a statement may have. */
import { restBetweenSlices } from '../library/slices.ts'

/** Items per statement: at a dozen columns each this stays below the parameter limit of both engines. */
const CHUNK = 500

/** Runs `query` over `items` in chunks and returns all rows in order; runs nothing when there are no items. */
export async function inChunks<Item, Row>(
  items: readonly Item[],
  query: (chunk: Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (items.length <= CHUNK) return items.length === 0 ? [] : query([...items])
  const rows: Row[] = []
  const rest = restBetweenSlices()
  for (let start = 0; start < items.length; start += CHUNK) {
    rows.push(...(await query(items.slice(start, start + CHUNK))))
    // On SQLite a query runs at once, on the main thread.
    await rest()
  }
  return rows
}
