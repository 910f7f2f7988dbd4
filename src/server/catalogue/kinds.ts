/** What an app is, from the store's `type` (PLAT-30). */
import type { GameKind } from '#shared/entities.ts'

const KIND_OF_TYPE: Readonly<Record<number, GameKind>> = {
  0: 'game',
  1: 'demo',
  2: 'mod',
  // A film, a video, a series and an episode.
  3: 'video',
  4: 'dlc',
  // A guide.
  5: 'other',
  6: 'software',
  7: 'video',
  8: 'video',
  9: 'video',
  // Hardware and a soundtrack.
  10: 'other',
  11: 'other',
  12: 'beta',
  13: 'tool',
  // Advertising.
  14: 'other',
}

/** The kind for a type of the store (API-46); null when the type is unknown, so an app is never taken for a game. */
export function kindOf(type: number | null): GameKind | null {
  return type === null ? null : (KIND_OF_TYPE[type] ?? null)
}
