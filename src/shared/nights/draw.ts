/**
 * Draws that can be checked afterwards (NIGHT-32 to NIGHT-91). Before the vote a night shows the hash of its seed. Each
 * draw has its own seed, and hashing a draw's seed gives the seed of the draw before it, down to the hash that was
 * shown. Who knows the seed of a draw can check it and all earlier ones, but cannot foresee the next.
 *
 * A library hashes, because browsers offer their own hashing only on https.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Odds } from './votes.ts'

/** Most draws of a night. Each takes a game off a list that has fewer games. */
export const DRAWS_MAX = 32

/**
 * The hash that is shown from the start, in hex (NIGHT-32).
 * @param secret the night's 32 random bytes in hex, which are never shown
 */
export function seedHash(secret: string): string {
  return hashed(secret, DRAWS_MAX)
}

/**
 * The seed of a draw, in hex, which may be shown once that draw was made (NIGHT-32).
 * @param number of the draw, from 1
 * @throws RangeError when the number is not from 1 to {@link DRAWS_MAX}
 */
export function seedOf(secret: string, number: number): string {
  if (number < 1) throw noSuchDraw()
  return hashed(secret, DRAWS_MAX - number)
}

/**
 * The game that a draw gives (NIGHT-33).
 * @throws RangeError when the odds are none or not positive whole numbers of different games, or the number is not from
 * 1 to {@link DRAWS_MAX}
 */
export function drawFrom(secret: string, nightId: number, number: number, odds: Odds): number {
  return drawWith(seedOf(secret, number), nightId, number, odds)
}

/**
 * Recomputes a draw from what is shown: the game it gives, and whether the seed is the one whose hash was shown before
 * (NIGHT-91).
 * @param night it shows the seed of the draw `seedNumber`, the latest
 * @throws RangeError as {@link drawFrom}, and for a draw after the latest
 */
export function checkDraw(
  night: { nightId: number; seed: string; seedNumber: number; seedHash: string },
  draw: { number: number; odds: Odds },
): { appid: number; hashMatches: boolean } {
  const seed = hashed(night.seed, night.seedNumber - draw.number)
  return {
    appid: drawWith(seed, night.nightId, draw.number, draw.odds),
    hashMatches: hashed(night.seed, night.seedNumber) === night.seedHash,
  }
}

/** What is signed with the seed: night, number of the draw, and the odds by ascending appid. */
export function drawText(nightId: number, number: number, odds: Odds): string {
  const list = inOrder(odds).map(({ appid, weight }) => `${appid}=${weight}`)
  return `${nightId}:${number}:${list.join(',')}`
}

function drawWith(seed: string, nightId: number, number: number, odds: Odds): number {
  const isValid = odds.every(({ weight }) => Number.isSafeInteger(weight) && weight > 0)
  if (odds.length === 0 || !isValid) throw new RangeError('odds must be positive whole numbers')
  if (new Set(odds.map(({ appid }) => appid)).size < odds.length)
    throw new RangeError('odds must be of different games')
  const sum = odds.reduce((all, { weight }) => all + BigInt(weight), 0n)
  const code = hmac(sha256, hexToBytes(seed), utf8ToBytes(drawText(nightId, number, odds)))
  const drawn = BigInt(`0x${bytesToHex(code)}`) % sum
  let passed = 0n
  return inOrder(odds).find(({ weight }) => drawn < (passed += BigInt(weight)))!.appid
}

function inOrder(odds: Odds): Odds {
  return odds.toSorted((a, b) => a.appid - b.appid)
}

/** Bytes in hex, hashed so many times. */
function hashed(hex: string, times: number): string {
  if (!Number.isInteger(times) || times < 0) throw noSuchDraw()
  let bytes = hexToBytes(hex)
  for (let time = 0; time < times; time++) bytes = sha256(bytes)
  return bytesToHex(bytes)
}

const noSuchDraw = () => new RangeError('there is no draw of that number')
