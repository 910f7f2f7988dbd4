/**
 * What the product's list says of how many can play a game, in words (API-53).
 * Requirements: GAME-1.
 */
import { PLAYERS_MAX } from '#shared/limits.ts'
import type { GamePlayers } from '#shared/entities.ts'
import { gamePlayers as text } from '../more-messages.ts'

export function ListPlayers({ players: { online, screen, year, note } }: { players: GamePlayers }) {
  return (
    <>
      {text.listed({
        online: wayOf(online),
        onlinePeople: online,
        screen: screen === null ? 'unknown' : wayOf(screen),
        screenPeople: screen ?? 0,
        year,
      })}{' '}
      {note !== null && sentence(note)}
    </>
  )
}

/** Which of its words a message takes. */
function wayOf(people: number): 'none' | 'any' | 'upTo' {
  return people === 0 ? 'none' : people >= PLAYERS_MAX ? 'any' : 'upTo'
}

const sentence = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}.`
