/** How many can play a game together, on its tile, row or page (LIST-10). */
import { Users } from 'lucide-react'
import { isTooSmall } from '#shared/playable.ts'
import { gameList as text } from '../more-messages.ts'
import { playersText } from '../ui/players-text.ts'

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
