/** My mark for a game: want, fine or not tonight, by thumb and by keys (NIGHT-85). */
import { Heart, Moon, ThumbsUp } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { MARKS, type Mark } from '#shared/nights/votes.ts'
import { nights } from '../../more-messages.ts'

const text = nights.marks
export const markIcons = { want: Heart, fine: ThumbsUp, no: Moon } as const
const chosenLook: Record<Mark, string> = {
  want: 'bg-mint text-ground',
  fine: 'bg-blue text-ground',
  no: 'bg-rose-deep text-ink',
}

/** A radio group; pressing the chosen mark again takes it back. */
export function MarkChoice({
  game,
  mark,
  onMark,
}: {
  game: string
  mark: Mark | undefined
  onMark: (mark: Mark | undefined) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex flex-auto flex-wrap rounded-control border border-edge/45 bg-deep/60">
      <legend className="sr-only">{text.legend({ game })}</legend>
      {MARKS.map((option) => {
        const Icon = markIcons[option]
        const isChosen = option === mark
        return (
          <label
            key={option}
            className={
              'relative flex min-h-11 min-w-11 flex-auto cursor-pointer items-center justify-center gap-1.5 rounded-chip px-2 text-sm font-semibold transition ' +
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-mint ' +
              (isChosen ? chosenLook[option] : 'text-soft hover:text-ink')
            }
          >
            <input
              type="radio"
              name={name}
              data-mark={option}
              checked={isChosen}
              onChange={() => onMark(option)}
              onClick={() => isChosen && onMark(undefined)}
              className="absolute inset-0 scroll-mt-24 scroll-mb-32 cursor-pointer appearance-none opacity-0"
            />
            {/* Beside the names there is room for the words only, until the row is wide. */}
            <Icon aria-hidden className="size-4 shrink-0 @lg:hidden @3xl:block" />
            <span className="whitespace-nowrap">{text.options[option]}</span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** V leads from a game to the vote. */
export function isKeyOfVote({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'v' && !ctrlKey && !altKey && !metaKey
}

const keys: Readonly<Record<string, Mark | null>> = {
  1: 'want',
  2: 'fine',
  3: 'no',
  0: null,
  Backspace: null,
}

/**
 * Digits mark the game that has the focus, and the focus moves on to the next one. For the key handler of a game that is
 * an entry of a list.
 */
export function markByKey(event: KeyboardEvent<HTMLElement>, onMark: (mark: Mark | undefined) => void): void {
  if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return
  event.preventDefault()
  const mark = keys[event.key] ?? undefined
  onMark(mark)
  if (mark === undefined) return
  let next = event.currentTarget.closest('li')?.nextElementSibling
  // A game that is gone has nothing to mark.
  while (next && !next.querySelector('[data-mark]')) next = next.nextElementSibling
  const target = next ?? event.currentTarget
  const radio =
    target.querySelector<HTMLElement>('[data-mark]:checked') ??
    target.querySelector<HTMLElement>('[data-mark]')
  radio?.focus()
}
