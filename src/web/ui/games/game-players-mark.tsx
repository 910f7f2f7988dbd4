/** How many can play a game together, on its tile, row or page (LIST-10, API-53, GAME-1). */
import { Users } from 'lucide-react'
import { isTooSmall } from '#shared/playable.ts'
import { gameList as text, gamePlayers as listed, playerNotes } from 'virtual:texts'
import { playersText } from '../../format.ts'
import { PLAYERS_MAX } from '#shared/limits.ts'
import type { GamePlayers } from '#shared/entities.ts'

/**
 * 'Up to 4'; nothing where that is not known.
 * @param people how many want to play: a game for fewer stands out
 * @param isPlain within a line of text
 */
export function PlayersMark({
  game,
  people,
  isPlain = false,
}: {
  game: { players_max?: number | null }
  people?: number
  isPlain?: boolean
}) {
  const { players_max: max } = game
  if (typeof max !== 'number') return null
  const colour = people !== undefined && isTooSmall(game, people) ? 'text-amber' : isPlain ? '' : 'text-ink'
  if (isPlain)
    return (
      <span title={text.playersHint} className={colour}>
        {playersText(max)}
      </span>
    )
  return (
    <span
      title={text.playersHint}
      className={`inline-flex h-6 shrink-0 items-center gap-1 rounded-chip bg-deep/90 px-1.5 text-xs font-semibold whitespace-nowrap @max-md:h-4 @max-md:bg-transparent @max-md:px-0 ${colour}`}
    >
      <Users aria-hidden className="size-3.5 shrink-0" />
      {playersText(max)}
    </span>
  )
}

export function ListPlayers({ players: { online, screen, year, note } }: { players: GamePlayers }) {
  return (
    <>
      {listed.listed({
        online: wayOf(online),
        onlinePeople: online,
        screen: screen === null ? 'unknown' : wayOf(screen),
        screenPeople: screen ?? 0,
        year,
      })}{' '}
      {/* A newer server may have notes that this page does not know. */}
      {note !== null && sentence((playerNotes as Record<string, string>)[note] ?? note)}
    </>
  )
}

/** Which of its words a message takes. */
function wayOf(people: number): 'none' | 'any' | 'upTo' {
  return people === 0 ? 'none' : people >= PLAYERS_MAX ? 'any' : 'upTo'
}

const sentence = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}.`
