/**
 * Consecutive numbers for the games of all libraries that were summed in this process. An array by number is smaller
 * and faster than a hash table by appid. Numbers are never given back: there are as many as Steam has games.
 */
import type { Playtimes } from '../library/library.ts'

/** Initial number of slots, a power of two; the table grows when half of them are in use. */
const SLOTS = 16_384

/** Hash table with open addressing, from appid to number; 0 marks a free slot, since no game has the appid 0. */
let slotAppids = new Uint32Array(SLOTS)
let slotNumbers = new Uint32Array(SLOTS)
/** The appid of each number. */
let appids = new Uint32Array(SLOTS / 2)
let numbered = 0

/** The numbers of a library's games, in the order of its columns. */
export function gameNumbers(library: Playtimes): Uint32Array {
  return (library.numbers ??= numbersOf(library))
}

/** How many numbers there are; each is below it. */
export function numberedGames(): number {
  return numbered
}

/** The appid of a number. */
export function appidOfNumber(number: number): number {
  return appids[number]!
}

function numbersOf({ length, appids: owned }: Playtimes): Uint32Array {
  // Grown before the loop, for the case that every game is new.
  while (numbered + length > appids.length) grow()
  const mask = slotAppids.length - 1
  const numbers = new Uint32Array(length)
  for (let index = 0; index < length; index++) {
    const appid = owned[index]!
    const slot = slotOf(slotAppids, mask, appid)
    if (slotAppids[slot] === 0) {
      slotAppids[slot] = appid
      slotNumbers[slot] = numbered
      appids[numbered++] = appid
    }
    numbers[index] = slotNumbers[slot]!
  }
  return numbers
}

function grow(): void {
  const before = appids
  appids = new Uint32Array(2 * before.length)
  appids.set(before)
  slotAppids = new Uint32Array(2 * appids.length)
  slotNumbers = new Uint32Array(2 * appids.length)
  const mask = slotAppids.length - 1
  for (let number = 0; number < numbered; number++) {
    const slot = slotOf(slotAppids, mask, appids[number]!)
    slotAppids[slot] = appids[number]!
    slotNumbers[slot] = number
  }
}

/** Slot of an appid, or the free slot to put it in. */
function slotOf(table: Uint32Array, mask: number, appid: number): number {
  // Most appids are multiples of ten; the multiplication spreads them over the slots.
  let slot = (Math.imul(appid, 0x9e3779b1) >>> 12) & mask
  for (;;) {
    const found = table[slot]!
    if (found === appid || found === 0) return slot
    slot = (slot + 1) & mask
  }
}
