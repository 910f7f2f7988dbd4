/** How many can play a game together, in words (LIST-10). */
import { PLAYERS_MAX } from '#shared/limits.ts'
import { gameView } from 'virtual:texts'

export function playersText(max: number): string {
  const { any, exactly, upTo } = gameView.players
  return max >= PLAYERS_MAX ? any : max <= 2 ? exactly({ max }) : upTo({ max })
}
