/** How one can play a game, by the store's player categories (PLAT-32). */
import type { PlayMode } from '#shared/entities.ts'

const MODES_OF_CATEGORY: Readonly<Record<number, readonly PlayMode[]>> = {
  1: ['multi'],
  2: ['single'],
  9: ['coop'],
  20: ['mmo', 'online'],
  24: ['local'],
  27: ['multi', 'online'],
  36: ['multi', 'online'],
  37: ['multi', 'local'],
  38: ['coop', 'online'],
  39: ['coop', 'local'],
  // Remote Play Together lends a game made for one sofa to friends elsewhere.
  44: ['local'],
  47: ['multi', 'local'],
  48: ['coop', 'local'],
  49: ['multi'],
}
const IN_ORDER: readonly PlayMode[] = ['single', 'multi', 'coop', 'online', 'local', 'mmo']

/** Modes of a game whose categories are stored joined by commas; none when the store was not asked yet. */
export function modesOf(categories: string | null): PlayMode[] {
  if (!categories) return []
  const found = new Set(categories.split(',').flatMap((id) => MODES_OF_CATEGORY[Number(id)] ?? []))
  return IN_ORDER.filter((mode) => found.has(mode))
}
