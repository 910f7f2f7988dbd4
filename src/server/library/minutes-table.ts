/** Minutes summed by game, over many libraries. */
import type { Playtimes } from './library.ts'

/** Slots of an empty table, a power of two; it grows when half of them are in use. */
const SLOTS = 8192

/**
 * A hash table of sums by appid: a Map takes three times as long over a hundred libraries. One table can serve call
 * after call, since clearing it touches only the slots in use.
 */
export class MinutesTable {
  /** No game has the appid 0: it marks a free slot. */
  #appids = new Uint32Array(SLOTS)
  #sums = new Float64Array(SLOTS)
  /** The slots in use, in the order they were taken. */
  #taken = new Uint32Array(SLOTS / 2)
  #used = 0

  /** Adds the games of a library that were played. */
  add({ length, appids: owned, minutes }: Playtimes): void {
    // Grown for the most a library could add, so that the arrays stay the same in the loop.
    while (this.#used + length > this.#taken.length) this.#grow()
    const appids = this.#appids
    const sums = this.#sums
    const taken = this.#taken
    const mask = appids.length - 1
    let used = this.#used
    for (let index = 0; index < length; index++) {
      const played = minutes[index]!
      if (played === 0) continue
      const appid = owned[index]!
      const slot = slotOf(appids, mask, appid)
      if (appids[slot] === 0) {
        appids[slot] = appid
        taken[used++] = slot
      }
      sums[slot]! += played
    }
    this.#used = used
  }

  /** Calls `visit` for each game, in no order. */
  forEach(visit: (appid: number, total: number) => void): void {
    for (let index = 0; index < this.#used; index++) {
      const slot = this.#taken[index]!
      visit(this.#appids[slot]!, this.#sums[slot]!)
    }
  }

  clear(): void {
    // A table that one large call made grow gives its memory back.
    if (this.#appids.length > SLOTS) return this.#allocate(SLOTS)
    for (let index = 0; index < this.#used; index++) {
      const slot = this.#taken[index]!
      this.#appids[slot] = this.#sums[slot] = 0
    }
    this.#used = 0
  }

  #grow(): void {
    const [appids, sums, taken, used] = [this.#appids, this.#sums, this.#taken, this.#used]
    this.#allocate(2 * appids.length)
    for (let index = 0; index < used; index++) {
      const appid = appids[taken[index]!]!
      const slot = slotOf(this.#appids, this.#appids.length - 1, appid)
      this.#appids[slot] = appid
      this.#sums[slot] = sums[taken[index]!]!
      this.#taken[this.#used++] = slot
    }
  }

  #allocate(slots: number): void {
    this.#appids = new Uint32Array(slots)
    this.#sums = new Float64Array(slots)
    this.#taken = new Uint32Array(slots / 2)
    this.#used = 0
  }
}

/** Where an appid stands, or would. */
function slotOf(appids: Uint32Array, mask: number, appid: number): number {
  // Appids are multiples of ten; the multiplication spreads them.
  let slot = (Math.imul(appid, 0x9e3779b1) >>> 12) & mask
  for (;;) {
    const found = appids[slot]!
    if (found === appid || found === 0) return slot
    slot = (slot + 1) & mask
  }
}
