/** The rows of a list of people: of thousands, only those in view are rendered (PAGE-22). */
import {
  useEffect,
  useState,
  type ReactNode,
  useEffectEvent,
  useRef,
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import type { Friend } from '#shared/entities.ts'
import { friendSearch, friends } from 'virtual:texts'
import { presenceText } from './avatar.tsx'
import { nameOf } from './name.tsx'
import { PeopleRow } from './people-row.tsx'
import { useCombobox } from 'downshift'
import { isSecondClick } from '../forms/async-action.tsx'

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
  const counted = friends.count({ friends: count })
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

const { InputBlur, ToggleButtonClick, ItemMouseMove } = useCombobox.stateChangeTypes

/** How a person was chosen: `highlighted` when the keys had moved to them, otherwise they were the first match. */
export type Choice = { highlighted: boolean }

/**
 * The library highlights, opens and closes; choosing is done here, in the event itself, so that nothing that happens
 * between two fast keys can lose a choice (PAGE-22).
 * @param items the options
 * @param typed the search text
 * @param value what the input shows, if not the search text
 * @param isInline whether the list is always shown; otherwise it opens below the input
 * @param isLoading whether the options are still on their way: Enter then takes effect when they arrive
 * @param ignoresSecondClick whether the second click of a double click does nothing
 * @param onClose called when a list that is not inline has closed
 */
export function usePeopleBox({
  items,
  typed,
  value = typed,
  isInline = false,
  isLoading = false,
  ignoresSecondClick = false,
  onType,
  onChoose,
  onClose,
}: {
  items: readonly Friend[]
  typed: string
  value?: string
  isInline?: boolean
  isLoading?: boolean
  ignoresSecondClick?: boolean
  onType: (text: string) => void
  onChoose: (friend: Friend, choice: Choice) => void
  onClose?: () => void
}) {
  // The library focuses the input when its list opens, so an inline list opens only when the user focuses the input.
  const [wasFocused, setWasFocused] = useState(false)
  // Whether the keys moved the highlight, rather than the pointer.
  const byKeys = useRef(false)
  const enterIsWaiting = useRef(false)
  const box = useCombobox<Friend>({
    items: items as Friend[],
    selectedItem: null,
    inputValue: value,
    ...(isInline && { isOpen: wasFocused }),
    itemToString: (friend) => (friend ? nameOf(friend) : ''),
    itemToKey: (friend) => friend?.steam_id,
    // Of the list and of the window.
    scrollIntoView: (option) => option.scrollIntoView({ block: 'nearest' }),
    stateReducer: (state, { type, changes }) => {
      // Leaving the input must not choose the highlighted person.
      if (type === InputBlur) return { ...state, isOpen: false, highlightedIndex: -1 }
      // The toggle button clears the input; it must neither close the list nor take the focus.
      if (type === ToggleButtonClick) return { ...state, highlightedIndex: -1 }
      return changes
    },
    onHighlightedIndexChange: ({ type }) => {
      if (type === ItemMouseMove) byKeys.current = false
    },
    onIsOpenChange: ({ isOpen }) => {
      if (!isOpen) onClose?.()
    },
  })
  const highlighted = items[box.highlightedIndex]
  const firstMatch = typed.trim() === '' ? undefined : items[0]

  function choose(friend: Friend, choice: Choice): void {
    if (!isInline) box.closeMenu()
    onChoose(friend, choice)
  }

  const chooseAwaited = useEffectEvent(() => {
    const isWanted = enterIsWaiting.current
    enterIsWaiting.current = false
    if (isWanted && firstMatch) choose(firstMatch, { highlighted: false })
  })
  useEffect(() => {
    if (!isLoading) chooseAwaited()
  }, [isLoading])

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // Enter and Space may belong to an input method.
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    const { key } = event
    enterIsWaiting.current = false
    if (/^(Arrow(Up|Down)|Home|End|Page(Up|Down))$/.test(key)) byKeys.current = true
    else if (key === 'Enter' && box.isOpen) {
      takeOver(event)
      event.preventDefault()
      const friend = highlighted ?? firstMatch
      if (friend) choose(friend, { highlighted: highlighted !== undefined })
      else enterIsWaiting.current = isLoading && typed.trim() !== ''
    } else if (key === ' ' && isInline && highlighted && byKeys.current) {
      // Otherwise a space is part of the search.
      event.preventDefault()
      choose(highlighted, { highlighted: true })
    } else if (key === 'Escape' && isInline) {
      takeOver(event)
      if (typed === '' && !highlighted) return
      // The first Escape clears the search, the next one closes what the list stands in.
      event.preventDefault()
      event.stopPropagation()
      box.setHighlightedIndex(-1)
      onType('')
    }
  }

  return {
    isOpen: box.isOpen,
    highlightedIndex: box.highlightedIndex,
    /** The person that Enter chooses although none is highlighted. */
    firstMatch: highlighted ? undefined : firstMatch,
    clearHighlight: () => box.setHighlightedIndex(-1),
    getLabelProps: box.getLabelProps,
    getToggleButtonProps: box.getToggleButtonProps,
    getMenuProps: (props: { 'aria-label'?: string; ref?: (list: HTMLUListElement | null) => void } = {}) =>
      box.getMenuProps({
        ...props,
        ...(props['aria-label'] !== undefined && { 'aria-labelledby': undefined }),
        // Browsers would make a list that scrolls a tab stop of its own.
        tabIndex: -1,
        onMouseLeave: (event) => byKeys.current && takeOver(event),
      }),
    /** @param onKeyDown acts on keys that are not for the list */
    getInputProps: (props: Pick<ComponentProps<'input'>, 'ref' | 'onFocus' | 'onKeyDown'> = {}) =>
      box.getInputProps({
        type: 'text',
        spellCheck: false,
        placeholder: friendSearch.placeholder,
        ...props,
        onFocus: (event: FocusEvent<HTMLInputElement>) => {
          setWasFocused(true)
          props.onFocus?.(event)
        },
        // Not `onInputValueChange`: it fires after the next render, and fast typing would lose letters.
        onChange: ({ currentTarget }) => {
          byKeys.current = false
          enterIsWaiting.current = false
          onType(currentTarget.value)
        },
        onBlur: () => {
          enterIsWaiting.current = false
        },
        onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
          onKeyDown(event)
          props.onKeyDown?.(event)
        },
        ...(isInline && { 'aria-expanded': true }),
        // The highlighted option may no longer be in the list.
        ...(highlighted === undefined && { 'aria-activedescendant': '' }),
      }),
    getOptionProps: (friend: Friend, index: number) =>
      box.getItemProps({
        item: friend,
        index,
        onClick: (event) => {
          takeOver(event)
          byKeys.current = false
          if (!ignoresSecondClick || !isSecondClick(event)) choose(friend, { highlighted: true })
        },
        // Browsers also report a move when rows move below a resting pointer.
        onMouseMove: (event) => event.movementX === 0 && event.movementY === 0 && takeOver(event),
      }),
  }
}

export type PeopleBox = ReturnType<typeof usePeopleBox>

/** Keeps the library from acting on an event as well. */
export function takeOver({ nativeEvent }: KeyboardEvent | MouseEvent): void {
  Object.assign(nativeEvent, { preventDownshiftDefault: true })
}
