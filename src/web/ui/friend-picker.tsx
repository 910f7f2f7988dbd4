/** The friend search (FGAM-2), as a combobox that follows the ARIA pattern (LOOK-17). */
import { useCombobox } from 'downshift'
import { Search, X } from 'lucide-react'
import { useState } from 'react'
import type { Friend } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { Avatar, presenceOf } from './avatar.tsx'
import { IconButton } from './button.tsx'
import { inputLook } from './field.tsx'
import { matchesName, Name, nameOf } from './name.tsx'

/** Longer lists are cut: typing finds the others. */
const ROWS_SHOWN = 100

const { ToggleButtonClick } = useCombobox.stateChangeTypes

const popUp =
  'absolute inset-x-0 top-full z-30 mt-2 rounded-control border border-line bg-surface shadow-card'

/**
 * Chooses one friend. A click or an arrow key opens it with all friends; typing filters by name.
 * @param selected the chosen friend, whose name the input shows
 * @param onSelect called with the chosen friend
 */
export function FriendPicker({
  friends,
  selected,
  onSelect,
  label = messages.friendSearch.label,
  className = '',
}: {
  friends: readonly Friend[]
  selected: Friend | undefined
  onSelect: (friend: Friend) => void
  label?: string
  className?: string
}) {
  const [typed, setTyped] = useState<string>()
  const matching = typed ? friends.filter((friend) => matchesName(friend, typed)) : friends
  const items = matching.slice(0, ROWS_SHOWN)
  const box = useCombobox<Friend>({
    items,
    selectedItem: selected ?? null,
    inputValue: typed ?? (selected ? nameOf(selected) : ''),
    itemToString: (friend) => (friend ? nameOf(friend) : ''),
    itemToKey: (friend) => friend?.steam_id,
    // The toggle button is used to clear the input; it must neither close the list nor take the focus.
    stateReducer: (state, { type, changes }) =>
      type === ToggleButtonClick ? { ...state, highlightedIndex: -1 } : changes,
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) onSelect(selectedItem)
    },
    // Closing without a new choice restores the name of the chosen friend.
    onIsOpenChange: ({ isOpen }) => {
      if (!isOpen) setTyped(undefined)
    },
  })

  return (
    <div className={`relative ${className}`}>
      <label {...box.getLabelProps()} className="sr-only">
        {label}
      </label>
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-soft" />
      <input
        {...box.getInputProps({
          placeholder: messages.friendSearch.placeholder,
          onFocus: (event) => event.currentTarget.select(),
          // Not `onInputValueChange`: it fires after the next render, and fast typing would lose letters.
          onChange: ({ currentTarget }) => setTyped(currentTarget.value),
          // The highlighted option may no longer be in the list.
          ...(items[box.highlightedIndex] === undefined && { 'aria-activedescendant': '' }),
        })}
        type="text"
        spellCheck={false}
        className={`${inputLook} pr-12 pl-10`}
      />
      {typed !== undefined && typed !== '' && (
        <IconButton
          {...box.getToggleButtonProps({
            label: messages.friendSearch.clear,
            onMouseDown: (event) => event.preventDefault(),
            onClick: () => setTyped(''),
          })}
          aria-controls={undefined}
          aria-expanded={undefined}
          className="absolute top-0 right-0"
        >
          <X aria-hidden />
        </IconButton>
      )}
      <ul
        {...box.getMenuProps()}
        className={`${popUp} max-h-80 overflow-y-auto overscroll-contain p-1.5 ${items.length > 0 && box.isOpen ? '' : 'hidden'}`}
      >
        {box.isOpen &&
          items.map((friend, index) => (
            <li
              key={friend.steam_id}
              {...box.getItemProps({ item: friend, index })}
              className={
                'flex min-h-11 items-center gap-3 rounded-chip px-2.5 py-1.5 text-sm ' +
                (box.highlightedIndex === index ? 'bg-violet-deep/55 text-ink' : 'text-ink')
              }
            >
              <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
              <Name className="line-clamp-1">{nameOf(friend)}</Name>
            </li>
          ))}
      </ul>
      {/* Outside the listbox, which may contain only options; announces their number to screen readers. */}
      <p
        role="status"
        className={box.isOpen && items.length === 0 ? `${popUp} px-4.5 py-4.5 text-sm text-soft` : 'sr-only'}
      >
        {box.isOpen &&
          (items.length === 0 ? messages.friendSearch.empty : messages.friends.count(matching.length))}
      </p>
    </div>
  )
}
