import type { PlayMode } from './entities.ts'

/** Whether the store says a game can be played with others; one it was not asked about yet is not claimed to be. */
export function isPlayableTogether({ modes }: { modes: readonly PlayMode[] }): boolean {
  return modes.some((mode) => mode !== 'single')
}
