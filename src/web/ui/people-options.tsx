/** The rows of a list of people: of thousands, only those in view are rendered (PAGE-22). */
import { useEffect, useState, type ReactNode } from 'react'
import type { Friend } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { friendSearch } from '../more-messages.ts'
import { presenceText } from './avatar.tsx'
import { nameOf } from './name.tsx'
import { PeopleRow } from './people-row.tsx'
import type { PeopleBox } from './people-box.ts'

const ROW_PX = 48
const PADDING_PX = 6
/** Up to this many rows are all rendered, so that the browser's own search finds them. */
const RENDERED_WHOLE = 200
/** Of longer lists this many are rendered above and below the first row in view; no list shows more rows at once. */
const ROWS_AROUND = 20

/**
 * The options, within a list that is positioned and scrolls.
 * @param list the list's element, or null before it is there
 * @param chosen ids of the chosen people, where several can be chosen
 * @param mark shown at the end of a row
 */
export function PeopleOptions({
  items,
  list,
  box,
  chosen,
  mark,
}: {
  items: readonly Friend[]
  list: HTMLUListElement | null
  box: PeopleBox
  chosen?: ReadonlySet<string>
  mark?: (friend: Friend) => ReactNode
}) {
  const { highlightedIndex } = box
  const firstInView = useFirstRowInView(list)
  return (
    <>
      <li role="presentation" aria-hidden style={{ height: heightOfPeople(items.length) }} />
      {rowsToRender(items.length, firstInView, highlightedIndex).map((index) => {
        const friend = items[index]!
        const isHighlighted = highlightedIndex === index
        const isChosen = chosen?.has(friend.steam_id)
        return (
          <li
            key={friend.steam_id}
            {...box.getOptionProps(friend, index)}
            {...(chosen && { 'aria-selected': isChosen })}
            // A description, because the option is called by the name.
            aria-description={presenceText(friend)}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ height: ROW_PX, transform: `translateY(${PADDING_PX + index * ROW_PX}px)` }}
            className={
              'absolute inset-x-1.5 top-0 flex cursor-pointer items-center gap-3 rounded-chip px-2.5 text-sm ' +
              (isHighlighted
                ? 'bg-violet-deep/55 forced-colors:outline-2 -outline-offset-2'
                : isChosen
                  ? 'bg-violet-deep/30'
                  : '') +
              // What Enter chooses, without being highlighted.
              (box.firstMatch === friend ? ' ring-1 ring-violet/60 ring-inset' : '')
            }
          >
            <PeopleRow friend={friend} />
            {mark?.(friend)}
          </li>
        )
      })}
    </>
  )
}

export const heightOfPeople = (count: number) => count * ROW_PX + 2 * PADDING_PX

/** What is announced of the options: how many there are, and which of them Enter chooses. */
export function peopleStatus(count: number, firstMatch: Friend | undefined, isLoading = false): string {
  const text = friendSearch
  if (count === 0) return isLoading ? text.loading : text.empty
  const counted = messages.friends.count({ friends: count })
  return firstMatch ? `${counted}. ${text.enterChooses({ name: nameOf(firstMatch) })}` : counted
}

/** The index of the first row in view of a list that scrolls. */
function useFirstRowInView(list: HTMLUListElement | null): number {
  const [first, setFirst] = useState(0)
  useEffect(() => {
    const measure = () => setFirst(Math.floor((list?.scrollTop ?? 0) / ROW_PX))
    measure()
    list?.addEventListener('scroll', measure, { passive: true })
    return () => list?.removeEventListener('scroll', measure)
  }, [list])
  return first
}

/** The highlighted row is always rendered, because screen readers announce it and it is scrolled to. */
function rowsToRender(count: number, firstInView: number, highlighted: number): number[] {
  const isWhole = count <= RENDERED_WHOLE
  const from = isWhole ? 0 : Math.max(0, Math.min(firstInView, count) - ROWS_AROUND)
  const to = isWhole ? count : Math.min(count, firstInView + ROWS_AROUND)
  const rows = Array.from({ length: to - from }, (_, row) => from + row)
  return highlighted < count && highlighted >= 0 && !rows.includes(highlighted)
    ? [...rows, highlighted]
    : rows
}
