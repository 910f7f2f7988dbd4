/** Chooses several friends (PAGE-23). */
import { Check, Search } from 'lucide-react'
import { useMemo, useState, type KeyboardEvent } from 'react'
import type { Friend, SteamId } from '#shared/entities.ts'
import { ChosenPeople } from './people-chosen.tsx'
import { heightOfPeople, peopleStatus, PeopleOptions } from './people-options.tsx'
import { inPickingOrder, peopleMatching } from './people.ts'
import { usePeopleBox } from './people-box.ts'

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
      // The next name can be typed. With the arrow keys more of those found may be chosen first.
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
