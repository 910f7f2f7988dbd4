import type { GameKind, PlayMode } from './entities.ts'

/** Appids of games that groups have added, which are not on Steam: Steam's are a thousand times smaller. */
export const ADDED_APPIDS_FROM = 4_000_000_000
const ADDED_APPIDS_TO = 4_200_000_000
/** Whether a group has added a game; all of its members can play it. */
export const isAddedGame = (appid: number): boolean => appid >= ADDED_APPIDS_FROM && appid < ADDED_APPIDS_TO

/** Whether a game is known to be multiplayer; games without store details are not. */
export function isPlayableTogether({ modes }: { modes: readonly PlayMode[] }): boolean {
  return modes.some((mode) => mode !== 'single')
}

/** Whether an app is a game to play, or may be one: no add-on, server, soundtrack, tool, playtest or other extra. */
export function mayBeGame({ kind }: { kind: GameKind | null }): boolean {
  return kind === null || kind === 'game' || kind === 'mod' || kind === 'demo'
}

/** Whether a game is known to be for fewer than `players` (API-53); one that says nothing is not. */
export function isTooSmall({ players_max }: { players_max?: number | null }, players: number): boolean {
  return typeof players_max === 'number' && players_max < players
}

/** Whether the store is known to list a game for one player only; games without store details are not. */
export function isSinglePlayerOnly({ modes }: { modes: readonly PlayMode[] }): boolean {
  return modes.length > 0 && !isPlayableTogether({ modes })
}
