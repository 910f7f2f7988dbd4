/** Rows as copies see them, the same from both engines, and checksums of tables that do not depend on the engine. */
import { createHash } from 'node:crypto'

/** Integers are always bigints and fractions numbers, so that both engines give the same. */
export type Value = null | bigint | number | string | Uint8Array
/** Values in the order of the table's columns. */
export type Row = readonly Value[]
/** Consecutive rows, and how many bytes their values have. */
export type Slice = { rows: Row[]; bytes: number }

/** How much is in memory at a time; a row that is larger comes alone. */
export const SLICE_BYTES = 2 ** 20
export const SLICE_ROWS = 2000

/** Number of rows, size of their values in bytes, and a checksum that does not depend on the order of the rows. */
export type TableSum = { rows: number; bytes: number; checksum: string }

/** Cuts rows into slices. */
export function* slicesOf(rows: Iterable<Row>): Generator<Slice> {
  let slice: Slice = { rows: [], bytes: 0 }
  for (const row of rows) {
    slice.rows.push(row)
    slice.bytes += bytesOf(row)
    if (slice.bytes < SLICE_BYTES && slice.rows.length < SLICE_ROWS) continue
    yield slice
    slice = { rows: [], bytes: 0 }
  }
  if (slice.rows.length > 0) yield slice
}

/** Size of a row's values in bytes; a number counts as 8. */
export function bytesOf(row: Row): number {
  let bytes = 0
  for (const value of row)
    bytes +=
      typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.length : 8
  return bytes
}

/** Adds up the rows of a table. */
export class Summing {
  #rows = 0
  #bytes = 0
  #sum = 0n

  add({ rows, bytes }: Slice): void {
    this.#rows += rows.length
    this.#bytes += bytes
    // The engines sort text differently, so the sum must not depend on the order. A sum, unlike XOR, counts equal rows.
    for (const row of rows) this.#sum = BigInt.asUintN(128, this.#sum + digestOf(row))
  }

  get sum(): TableSum {
    return { rows: this.#rows, bytes: this.#bytes, checksum: this.#sum.toString(16).padStart(32, '0') }
  }
}

/** Half of the SHA-256 of a row. Each value is written with its type and length, so that no two rows look the same. */
function digestOf(row: Row): bigint {
  const hash = createHash('sha256')
  let text = ''
  for (const value of row) {
    if (value === null) text += 'n'
    else if (typeof value === 'bigint') text += `i${value};`
    else if (typeof value === 'number') text += `f${value};`
    else if (typeof value === 'string') text += `t${value.length};${value}`
    else {
      hash.update(`${text}b${value.length};`).update(value)
      text = ''
    }
  }
  return BigInt(`0x${hash.update(text).digest('hex').slice(0, 32)}`)
}
