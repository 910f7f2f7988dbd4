/**
 * What the product's list says of how many can play a game, in words (API-53).
 * Requirements: GAME-10.
 */
import { PLAYERS_MAX } from '#shared/limits.ts'
import type { GamePlayers } from '#shared/entities.ts'
import { gamePlayers as text } from '../more-messages.ts'

export function ListPlayers({ players: { online, screen, year, note } }: { players: GamePlayers }) {
  const ways = `${wayText(text.online, online)}, ${screen === null ? text.screenUnknown : wayText(text.screen, screen)}`
  return (
    <>
      {sentence(`${ways} (${text.checked({ year })})`)} {note !== null && sentence(note)}
    </>
  )
}

function wayText(way: typeof text.online | typeof text.screen, people: number): string {
  if (people === 0) return way.none
  return people >= PLAYERS_MAX ? way.any : way.upTo({ people })
}

const sentence = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}.`
