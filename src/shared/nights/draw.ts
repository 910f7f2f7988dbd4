/**
 * Draws that can be checked afterwards (NIGHT-32, NIGHT-33). Each draw has a seed of its own: its hash is shown before the
 * draw, the seed after it.
 *
 * A library hashes, because browsers offer their own hashing only on https.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Odds } from './votes.ts'

/** The hash of a seed, both in hex. */
export function seedHash(seed: string): string {
  return bytesToHex(sha256(hexToBytes(seed)))
}

/**
 * Recomputes a draw from what is shown: the game it gives, and whether its seed belongs to the hash that was shown before
 * (NIGHT-91).
 * @throws RangeError as {@link drawFrom}
 */
export function checkDraw(
  nightId: number,
  { number, odds, seed, seed_hash }: { number: number; odds: Odds; seed: string; seed_hash: string | null },
): { appid: number; hashMatches: boolean } {
  return { appid: drawFrom(seed, nightId, number, odds), hashMatches: seedHash(seed) === seed_hash }
}

/** What is signed with the seed: night, number of the draw, and the odds by ascending appid. */
export function drawText(nightId: number, number: number, odds: Odds): string {
  const list = inOrder(odds).map(({ appid, weight }) => `${appid}=${weight}`)
  return `${nightId}:${number}:${list.join(',')}`
}

/**
 * The game that a draw gives (NIGHT-33).
 * @param seed 32 random bytes in hex
 * @param number of the draw, from 1
 * @throws RangeError when the odds are none or not positive whole numbers of different games
 */
export function drawFrom(seed: string, nightId: number, number: number, odds: Odds): number {
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
