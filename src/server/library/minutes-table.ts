/** Sums of minutes per game, over many libraries. */
import type { Playtimes } from './library.ts'

/** Initial number of slots, a power of two; the table grows when half of them are in use. */
const SLOTS = 8192

/**
 * Hash table with open addressing, from appid to sum. Over a hundred libraries a Map takes three times as long.
 * Clearing touches only the slots in use, so a table can be reused.
 */
export class MinutesTable {
  /** 0 marks a free slot; no game has the appid 0. */
  #appids = new Uint32Array(SLOTS)
  #sums = new Float64Array(SLOTS)
  /** Indices of the slots in use, in the order they were taken. */
  #taken = new Uint32Array(SLOTS / 2)
  #used = 0

  /** Adds the minutes of a library; games without any are skipped. */
  add({ length, appids: owned, minutes }: Playtimes): void {
    // Grow before the loop, for the case that every game is new, so that the arrays do not change during it.
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

  /** Calls `visit` for each game, in no particular order. */
  forEach(visit: (appid: number, total: number) => void): void {
    for (let index = 0; index < this.#used; index++) {
      const slot = this.#taken[index]!
      visit(this.#appids[slot]!, this.#sums[slot]!)
    }
  }

  clear(): void {
    // Release the memory of a table that has grown.
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

/** Slot of an appid, or the free slot to put it in. */
function slotOf(appids: Uint32Array, mask: number, appid: number): number {
  // Most appids are multiples of ten; the multiplication spreads them over the slots.
  let slot = (Math.imul(appid, 0x9e3779b1) >>> 12) & mask
  for (;;) {
    const found = appids[slot]!
    if (found === appid || found === 0) return slot
    slot = (slot + 1) & mask
  }
}
