/**
 * What the product's list says of how many can play a game, in words (API-53).
 * Requirements: GAME-10.
 */
import type { GamePlayers } from '#shared/entities.ts'
import { gamePlayers as text } from '../messages/game-players.ts'

export function ListPlayers({ players: { online, screen, year, note } }: { players: GamePlayers }) {
  const ways = `${text.online(online)}, ${screen === null ? text.screenUnknown : text.screen(screen)}`
  return (
    <>
      {sentence(`${ways} (${text.checked(year)})`)} {note !== null && sentence(note)}
    </>
  )
}

const sentence = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}.`
