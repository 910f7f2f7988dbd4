/** A library in memory: what packing, set logic and sync agree on. Pure; no database, no names. */

/** One game somebody owns. Minutes are whole; `lastPlayed` is seconds since 1970, 0 when never or unknown. */
export type OwnedGame = { appid: number; minutes: number; recentMinutes: number; lastPlayed: number }

/**
 * Columns of equal length, ordered by ascending appid without repeats, so that two libraries are compared by one
 * merge without creating an object per game.
 */
export type Library = {
  readonly length: number
  readonly appids: Uint32Array
  readonly minutes: Uint32Array
  readonly recentMinutes: Uint32Array
  readonly lastPlayed: Uint32Array
}
