/** What an app is, from the store's `type` (PLAT-29). */
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

/** What names end in of apps that the store lists as games, or does not know. */
const KIND_OF_NAME: readonly [end: RegExp, kind: GameKind][] = [
  [/\b(?:dedicated servers?|sdk)\W*$/i, 'tool'],
  [/\b(?:soundtrack|ost)\W*$/i, 'other'],
  [/\bplaytest\W*$/i, 'beta'],
]

/**
 * The kind for a type of the store and a name (API-45); null when both say nothing, so an app is never taken for a game.
 */
export function kindOf(type: number | null, name: string | null): GameKind | null {
  const kind = type === null ? null : (KIND_OF_TYPE[type] ?? null)
  if (name === null || (kind !== null && kind !== 'game')) return kind
  return KIND_OF_NAME.find(([end]) => end.test(name))?.[1] ?? kind
}
