/** Lists longer than a statement may have parameters. */

/** Items of one statement: with a dozen columns each this stays below what both engines take. */
const CHUNK = 500

/** Runs `query` over `items` in chunks and gives all answers in order; no query at all for no items. */
export async function inChunks<Item, Row>(
  items: readonly Item[],
  query: (chunk: Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (items.length <= CHUNK) return items.length === 0 ? [] : query([...items])
  const rows: Row[] = []
  for (let start = 0; start < items.length; start += CHUNK)
    rows.push(...(await query(items.slice(start, start + CHUNK))))
  return rows
}
