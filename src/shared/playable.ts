import type { GameKind, PlayMode } from './entities.ts'

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
