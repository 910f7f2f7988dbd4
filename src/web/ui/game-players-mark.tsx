/** How many can play a game together, as a mark on its tile or row (LIST-10). */
import { Users } from 'lucide-react'
import { isTooSmall } from '#shared/playable.ts'
import { gameList as text } from '../more-messages.ts'
import { playersText } from '../ui/players-text.ts'

const look =
  'inline-flex h-6 shrink-0 items-center gap-1 rounded-chip bg-deep/90 px-1.5 text-xs font-semibold whitespace-nowrap'

/**
 * 'Up to 4'; nothing where that is not known, unless it can be corrected.
 * @param people how many want to play: a game for fewer stands out
 * @param onCorrect makes it a button, also where nothing is known
 */
export function PlayersMark({
  game,
  people,
  onCorrect,
}: {
  game: { name: string; players_max?: number | null }
  people?: number
  onCorrect?: () => void
}) {
  const { players_max: max } = game
  const isKnown = typeof max === 'number'
  const colour = people !== undefined && isTooSmall(game, people) ? 'text-amber' : 'text-ink'
  const content = (
    <>
      <Users aria-hidden className="size-3.5 shrink-0" />
      {isKnown && playersText(max)}
    </>
  )
  if (onCorrect)
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        title={text.playersHint}
        onClick={onCorrect}
        // As tall as a finger needs, in the room of the mark.
        className="group/mark pointer-events-auto -m-2.5 cursor-pointer rounded-control p-2.5"
      >
        <span
          className={`${look} ${isKnown ? colour : 'text-soft'} transition group-hover/mark:bg-raised group-hover/mark:text-mint-bright`}
        >
          {content}
          <span className="sr-only">
            {isKnown ? '' : text.playersHint}: {game.name}
          </span>
        </span>
      </button>
    )
  return isKnown ? (
    <span title={text.playersHint} className={`${look} ${colour}`}>
      {content}
    </span>
  ) : null
}
