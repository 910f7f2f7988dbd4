/** The chosen friends as chips, with their number (PAGE-23). */
import { X } from 'lucide-react'
import { useLayoutEffect, type KeyboardEvent } from 'react'
import type { Friend, SteamId } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { Name, nameOf } from './name.tsx'

const text = messages.peoplePicker

/**
 * Chips that remove a friend when pressed, or by Backspace or Delete. They are no tab stops: the arrow keys reach them
 * from the search. Their space is reserved, so that no row moves below a pointer while one chooses.
 * @param list the element of the list, which `setList` receives
 * @param onLeave called when the focus is to go back to the search
 */
export function ChosenPeople({
  list,
  setList,
  friends,
  chosen,
  onRemove,
  onLeave,
  className,
}: {
  list: HTMLUListElement | null
  setList: (list: HTMLUListElement | null) => void
  friends: readonly Friend[]
  chosen: readonly SteamId[]
  onRemove: (steamId: SteamId) => void
  onLeave: () => void
  className: string
}) {
  // The latest one is in view.
  useLayoutEffect(() => {
    list?.scrollTo(list.scrollWidth, list.scrollHeight)
  }, [list, chosen.length])

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
    <div className={`flex min-w-0 items-center gap-3 @2xl:block ${className}`}>
      <p role="status" className="shrink-0 text-sm text-soft tabular-nums @2xl:py-3">
        {chosen.length === 0 ? text.none : text.chosen(chosen.length)}
      </p>
      <ul
        ref={setList}
        aria-label={text.chosenList}
        className="flex h-11 min-w-0 flex-1 gap-2 overflow-x-auto overscroll-contain @2xl:h-auto @2xl:max-h-60 @2xl:flex-wrap @2xl:overflow-y-auto"
      >
        {chosen.map((steamId) => (
          <li key={steamId} className="max-w-full shrink-0">
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
              className="flex h-11 max-w-full items-center gap-1.5 rounded-round border border-violet/50 bg-violet-deep/35 pr-2.5 pl-4 text-sm transition hover:border-violet focus-visible:-outline-offset-2"
            >
              <Name className="line-clamp-1 max-w-40">{nameById(steamId)}</Name>
              <X aria-hidden className="size-4 shrink-0 text-soft" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
