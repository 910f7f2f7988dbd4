/** Ways to play a game and badges, derived from the store's player categories (PLAT-32). */
import { type GameFeature, gameFeature, type PlayMode, playMode } from '#shared/entities.ts'

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

const FEATURE_OF_CATEGORY: Readonly<Record<number, GameFeature>> = {
  24: 'same_screen',
  27: 'cross_platform',
  36: 'online_versus',
  37: 'same_screen',
  38: 'online_coop',
  39: 'same_screen',
  44: 'remote_play',
}

/** Modes for a comma-separated list of categories; none when the categories are unknown (null). */
export function modesOf(categories: string | null): PlayMode[] {
  const found = new Set(idsOf(categories).flatMap((id) => MODES_OF_CATEGORY[id] ?? []))
  return playMode.options.filter((mode) => found.has(mode))
}

/** Badges for a comma-separated list of categories (API-45); none when the categories are unknown (null). */
export function featuresOf(categories: string | null): GameFeature[] {
  const found = new Set(idsOf(categories).map((id) => FEATURE_OF_CATEGORY[id]))
  return gameFeature.options.filter((feature) => found.has(feature))
}

function idsOf(categories: string | null): number[] {
  return categories ? categories.split(',').map(Number) : []
}
