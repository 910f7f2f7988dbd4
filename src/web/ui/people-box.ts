/** The keys and the pointer of every search for people, as a combobox that follows the ARIA pattern (LOOK-16, PAGE-22). */
import { useCombobox } from 'downshift'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import type { Friend } from '#shared/entities.ts'
import { friendSearch } from '../more-messages.ts'
import { isSecondClick } from './async-action.tsx'
import { nameOf } from './name.tsx'

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
