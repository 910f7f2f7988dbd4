/** Chooses several friends (PAGE-23). */
import { Check, Search, X } from 'lucide-react'
import { useMemo, useState, type KeyboardEvent, useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Friend, SteamId } from '#shared/entities.ts'
import { heightOfPeople, peopleStatus, PeopleOptions, usePeopleBox } from './people-options.tsx'
import { inPickingOrder, peopleMatching } from './people.ts'
import { peoplePicker } from 'virtual:texts'
import { Name, nameOf } from './name.tsx'

/**
 * A search above a list that is always shown, with the chosen friends as chips. The search is the only tab stop.
 * @param chosen ids of the chosen friends, in the order they were chosen
 * @param onToggle called with the id of a friend who is to be chosen, or no longer to be chosen
 * @param label the name of the search, for screen readers
 * @param listLabel the name of the list, for screen readers
 */
export function PeoplePicker({
  friends,
  chosen,
  onToggle,
  label,
  listLabel,
}: {
  friends: readonly Friend[]
  chosen: readonly SteamId[]
  onToggle: (steamId: SteamId) => void
  label: string
  listLabel: string
}) {
  const [typed, setTyped] = useState('')
  const [list, setList] = useState<HTMLUListElement | null>(null)
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  const [chips, setChips] = useState<HTMLUListElement | null>(null)
  const ordered = useMemo(() => inPickingOrder(friends), [friends])
  const items = useMemo(() => peopleMatching(ordered, typed), [ordered, typed])
  const chosenIds = useMemo(() => new Set(chosen), [chosen])
  const box = usePeopleBox({
    items,
    typed,
    isInline: true,
    onType: (search) => {
      setTyped(search)
      list?.scrollTo({ top: 0 })
    },
    onChoose: (friend, { highlighted }) => {
      onToggle(friend.steam_id)
      // Clears the search for the next name, but not while the arrow keys choose several matches.
      if (!highlighted) setTyped('')
      else if (document.activeElement === input) input?.select()
    },
  })
  const isEmpty = items.length === 0

  function onSearchKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { selectionStart, selectionEnd } = event.currentTarget
    const last = chosen.at(-1)
    if (selectionStart !== 0 || selectionEnd !== 0 || last === undefined) return
    if (event.key === 'Backspace' && typed === '') onToggle(last)
    if (event.key === 'ArrowLeft') {
      event.preventDefault()
      chips?.querySelector<HTMLElement>('li:last-child button')?.focus()
    }
  }

  return (
    <div className="grid gap-2">
      <label {...box.getLabelProps()} className="sr-only">
        {label}
      </label>
      <ChosenPeople
        listRef={setChips}
        friends={friends}
        chosen={chosen}
        onRemove={onToggle}
        onLeave={() => input?.focus()}
      >
        <Search aria-hidden className="size-4 shrink-0 text-soft" />
        <input
          {...box.getInputProps({ ref: setInput, onKeyDown: onSearchKeyDown })}
          className="h-11 min-w-0 flex-1 bg-transparent text-base text-ink outline-none md:pointer-fine:text-sm"
        />
      </ChosenPeople>
      {/* As high as all of them need, whatever is searched: nothing below it moves. */}
      <div className="relative max-h-72" style={{ height: heightOfPeople(friends.length) }}>
        <ul
          {...box.getMenuProps({ 'aria-label': listLabel, ref: setList })}
          aria-multiselectable
          className="relative h-full overflow-y-auto overscroll-contain rounded-control border border-line/70"
        >
          <PeopleOptions
            items={items}
            list={list}
            box={box}
            chosen={chosenIds}
            mark={({ steam_id }) => (
              <Check
                aria-hidden
                className={`size-5 shrink-0 text-mint ${chosenIds.has(steam_id) ? '' : 'invisible'}`}
              />
            )}
          />
        </ul>
        {/* Outside the listbox, which may contain only options; announces their number to screen readers. */}
        <p role="status" className={isEmpty ? 'absolute inset-x-4 top-3 text-sm text-soft' : 'sr-only'}>
          {(typed !== '' || isEmpty) && peopleStatus(items.length, box.firstMatch)}
        </p>
      </div>
    </div>
  )
}

const text = peoplePicker

/**
 * A field with the search and below it the number of chosen friends and a chip for each. A chip removes its friend when
 * pressed, or by Backspace or Delete. Chips are no tab stops: the arrow keys reach them from the search. Their line
 * scrolls instead of growing, so that no row of the list moves below a pointer while one chooses.
 * @param listRef receives the element of the list of chips
 * @param children the search's input
 * @param onLeave called when the focus is to go back to the search
 */
export function ChosenPeople({
  listRef,
  friends,
  chosen,
  onRemove,
  onLeave,
  children,
}: {
  listRef: (list: HTMLUListElement | null) => void
  friends: readonly Friend[]
  chosen: readonly SteamId[]
  onRemove: (steamId: SteamId) => void
  onLeave: () => void
  children: ReactNode
}) {
  const field = useRef<HTMLDivElement>(null)
  // The latest chip is in view.
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
    // The whole field scrolls and the search sticks: a list of chips that scrolls alone would become a tab stop.
    <div
      ref={field}
      className="@container overflow-x-auto overscroll-x-contain rounded-control border border-edge/70 bg-deep [scrollbar-width:none] has-[input:focus-visible]:border-mint has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-mint"
    >
      <div className="w-max min-w-full">
        <div className="sticky left-0 flex w-[100cqw] items-center gap-2.5 px-3.5">{children}</div>
        <div className="flex h-12 items-center gap-1.5 pr-1">
          <p
            role="status"
            className="sticky left-0 z-1 flex h-11 items-center bg-deep pr-1.5 pl-3.5 text-sm whitespace-nowrap text-soft tabular-nums"
          >
            {chosen.length === 0 ? text.none : text.chosen({ people: chosen.length })}
          </p>
          <ul ref={listRef} aria-label={text.chosenList} className="flex gap-1.5 empty:hidden">
            {chosen.map((steamId) => (
              <li key={steamId}>
                <button
                  type="button"
                  tabIndex={-1}
                  aria-label={text.remove({ name: nameById(steamId) })}
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
        </div>
      </div>
    </div>
  )
}
