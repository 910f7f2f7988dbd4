/**
 * Draws that can be checked afterwards (NIGHT-32 to NIGHT-36). Before the vote a night shows the hash of its seed. Each
 * draw has its own seed, and hashing the seed of one gives that of the one before, down to the hash that was shown: who
 * knows the seed of a draw can check it and all earlier ones, but cannot foresee the next.
 *
 * A library hashes, because browsers offer their own hashing only on https.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Odds } from './votes.ts'

/** Most draws of a night; each takes a game off the list, which has fewer. */
export const DRAWS_MAX = 32

/** The hash that is shown from the start, in hex. @param secret the night's 32 random bytes in hex, never shown */
export function seedHash(secret: string): string {
  return hashed(secret, DRAWS_MAX)
}

/** The seed of a draw, in hex, which may be shown once the draw was made. @param number of the draw, from 1 */
export function seedOf(secret: string, number: number): string {
  return hashed(secret, DRAWS_MAX - number)
}

/** The game that a draw gives. @throws RangeError when there are no odds, or the number is not from 1 to DRAWS_MAX */
export function drawFrom(secret: string, nightId: number, number: number, odds: Odds): number {
  return drawWith(seedOf(secret, number), nightId, number, odds)
}

/** What the seed decides: night, number of the draw, and the odds by ascending appid. */
export function drawText(nightId: number, number: number, odds: Odds): string {
  const list = odds
    .toSorted((a, b) => a.appid - b.appid)
    .map(({ appid, weight }) => `${appid}=${weight}`)
    .join(',')
  return `${nightId}:${number}:${list}`
}

function drawWith(seed: string, nightId: number, number: number, odds: Odds): number {
  const sum = odds.reduce((all, { weight }) => all + BigInt(weight), 0n)
  if (sum <= 0n) throw new RangeError('a draw needs odds')
  const code = hmac(sha256, hexToBytes(seed), utf8ToBytes(drawText(nightId, number, odds)))
  let rest = BigInt(`0x${bytesToHex(code)}`) % sum
  for (const { appid, weight } of odds.toSorted((a, b) => a.appid - b.appid)) {
    rest -= BigInt(weight)
    if (rest < 0n) return appid
  }
  throw new RangeError('odds may not be negative')
}

/**
 * Recomputes a draw from what is shown: the game it gives, and whether the seed belongs to the hash shown before.
 * @param seed the night's shown seed, which is that of draw `seedNumber`, the latest
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

/** Bytes in hex, hashed so many times. */
function hashed(hex: string, times: number): string {
  if (!Number.isInteger(times) || times < 0) throw new RangeError('the number of a draw is out of range')
  let bytes = hexToBytes(hex)
  for (let time = 0; time < times; time++) bytes = sha256(bytes)
  return bytesToHex(bytes)
}
