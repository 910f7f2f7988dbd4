/** The chosen friends as chips (PAGE-23). */
import { X } from 'lucide-react'
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import type { Friend, SteamId } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { Name, nameOf } from './name.tsx'

const text = messages.peoplePicker

/**
 * A field of one line with the chosen friends as chips, then the search. A chip removes its friend when pressed, or by
 * Backspace or Delete. Chips are no tab stops: the arrow keys reach them from the search. The field scrolls instead of
 * growing, so that no row moves below a pointer while one chooses.
 * @param children the search's input
 * @param onLeave called when the focus is to go back to the search
 */
export function ChosenPeople({
  friends,
  chosen,
  onRemove,
  onLeave,
  children,
}: {
  friends: readonly Friend[]
  chosen: readonly SteamId[]
  onRemove: (steamId: SteamId) => void
  onLeave: () => void
  children: ReactNode
}) {
  const field = useRef<HTMLDivElement>(null)
  // The latest chip and the search are in view.
  useLayoutEffect(() => {
    field.current?.scrollTo({ left: field.current.scrollWidth })
  }, [chosen.length])

  const nameById = (steamId: SteamId) =>
    nameOf(friends.find(({ steam_id }) => steam_id === steamId) ?? { steam_id: steamId, display_name: null })

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, steamId: SteamId): void {
    const chip = event.currentTarget.parentElement!
    const [before, after] = [chip.previousElementSibling, chip.nextElementSibling]
    const focus = (other: Element | null) => {
      const button = other?.querySelector('button')
      if (button) button.focus()
      else onLeave()
    }
    const { key } = event
    if (key === 'ArrowLeft') before?.querySelector('button')?.focus()
    else if (key === 'ArrowRight') focus(after)
    else if (key === 'Escape') {
      event.stopPropagation()
      onLeave()
    } else if (['Backspace', 'Delete', 'Enter', ' '].includes(key)) {
      focus(after ?? before)
      onRemove(steamId)
    } else return
    event.preventDefault()
  }

  return (
    <div
      ref={field}
      className="flex h-13 items-center gap-2 overflow-x-auto rounded-control border border-edge/70 bg-deep/80 px-1 [scrollbar-width:none] has-[input:focus-visible]:border-mint has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-mint"
    >
      <ul aria-label={text.chosenList} className="flex shrink-0 gap-1.5 empty:hidden">
        {chosen.map((steamId) => (
          <li key={steamId}>
            <button
              type="button"
              tabIndex={-1}
              aria-label={text.remove(nameById(steamId))}
              // The focus stays in the search.
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => {
                if (document.activeElement === event.currentTarget) onLeave()
                onRemove(steamId)
              }}
              onKeyDown={(event) => onKeyDown(event, steamId)}
              className="flex h-11 items-center gap-1.5 rounded-chip border border-violet/50 bg-violet-deep/35 pr-2 pl-3 text-sm transition hover:border-violet focus-visible:-outline-offset-2"
            >
              <Name className="line-clamp-1 max-w-32">{nameById(steamId)}</Name>
              <X aria-hidden className="size-4 shrink-0 text-soft" />
            </button>
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
