/** The search of Find as a combobox that follows the ARIA pattern (LOOK-16): its list is always open. */
import { useCombobox } from 'downshift'
import { useDeferredValue, useMemo, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { messages, find as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { takeOver } from '../../ui/people/people-options.tsx'
import { found } from './find-ranking.ts'
import { pathOf, placeKey, placeName, usePlaces, type Place } from './places.ts'

/** Shown at most, in all sections. */
const ROWS = 12
const { InputBlur, MenuMouseLeave } = useCombobox.stateChangeTypes

/**
 * The library moves the highlight; what is typed and chosen is handled in the event itself, so that fast keys lose
 * nothing. The first match is highlighted until another is.
 * @param onClose called before the chosen place is opened
 */
export function useFindBox(onClose: () => void) {
  const { steamId } = useSignedIn()
  const navigate = useNavigate()
  const { places, isLoading, failed } = usePlaces(steamId)
  const [typed, setTyped] = useState('')
  const [list, setList] = useState<HTMLElement | null>(null)
  // What is typed is painted before what it finds.
  const searched = useDeferredValue(typed)
  const sections = useMemo(() => numbered(found(places, searched, ROWS)), [places, searched])
  const items = sections.flatMap((section) => section.items)

  const box = useCombobox<Place>({
    items,
    selectedItem: null,
    inputValue: typed,
    isOpen: true,
    initialHighlightedIndex: 0,
    defaultHighlightedIndex: 0,
    itemToString: (place) => (place ? placeName(place) : ''),
    itemToKey: (place) => place && placeKey(place),
    scrollIntoView: (option) => option.scrollIntoView({ block: 'nearest' }),
    // Neither leaving the input nor moving the pointer away may take the highlight.
    stateReducer: (state, { type, changes }) =>
      type === InputBlur || type === MenuMouseLeave ? state : changes,
  })
  const highlighted = items[box.highlightedIndex] ?? items[0]

  function choose(place: Place): void {
    onClose()
    void navigate(pathOf(place))
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // Enter may belong to an input method.
    if (event.nativeEvent.isComposing) return
    // The library would clear the search; Escape closes the dialog.
    if (event.key === 'Escape') takeOver(event)
    if (event.key !== 'Enter') return
    takeOver(event)
    event.preventDefault()
    // Enter may come before what was typed last has been searched for.
    const wanted = searched === typed ? highlighted : found(places, typed, ROWS)[0]?.items[0]
    if (wanted) choose(wanted)
  }

  const total = sections.reduce((sum, section) => sum + section.total, 0)
  return {
    sections,
    failed,
    highlightedIndex: box.highlightedIndex,
    isEmpty: items.length === 0,
    status:
      highlighted === undefined
        ? isLoading
          ? messages.loading
          : text.none
        : text.found({ results: total, name: placeName(highlighted) }),
    getLabelProps: box.getLabelProps,
    inputProps: box.getInputProps({
      type: 'text',
      spellCheck: false,
      autoCapitalize: 'none',
      enterKeyHint: 'go',
      // Not `onInputValueChange`: it fires after the next render, and fast typing would lose letters.
      onChange: ({ currentTarget }) => {
        setTyped(currentTarget.value)
        list?.scrollTo({ top: 0 })
      },
      onKeyDown,
      // The highlighted row may no longer be in the list.
      ...(items[box.highlightedIndex] === undefined && { 'aria-activedescendant': '' }),
    }),
    menuProps: box.getMenuProps({
      ref: setList,
      'aria-labelledby': undefined,
      // Browsers would make a list that scrolls a tab stop of its own.
      tabIndex: -1,
    }),
    getOptionProps: (place: Place, index: number) =>
      box.getItemProps({
        item: place,
        index,
        onClick: (event) => {
          takeOver(event)
          choose(place)
        },
        // Browsers also report a move when rows move below a resting pointer.
        onMouseMove: (event) => event.movementX === 0 && event.movementY === 0 && takeOver(event),
      }),
  }
}

/** Sections with the index of their first row in the whole list. */
function numbered<Row extends { items: readonly unknown[] }>(sections: readonly Row[]) {
  let first = 0
  return sections.map((section) => {
    const at = first
    first += section.items.length
    return { ...section, first: at }
  })
}
