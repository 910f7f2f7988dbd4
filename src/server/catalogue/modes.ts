/** Ways to play a game, derived from the store's player categories (PLAT-32). */
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
  // Remote Play Together streams a local multiplayer game to friends.
  44: ['local'],
  47: ['multi', 'local'],
  48: ['coop', 'local'],
  49: ['multi'],
}
const DISPLAY_ORDER: readonly PlayMode[] = ['single', 'multi', 'coop', 'online', 'local', 'mmo']

/** Modes for a comma-separated list of categories; none when the categories are unknown (null). */
export function modesOf(categories: string | null): PlayMode[] {
  if (!categories) return []
  const found = new Set(categories.split(',').flatMap((id) => MODES_OF_CATEGORY[Number(id)] ?? []))
  return DISPLAY_ORDER.filter((mode) => found.has(mode))
}
