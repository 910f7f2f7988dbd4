/** The friend search (FGAM-2): chooses one friend. */
import { ChevronDown, Search, X, UsersRound } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { Friend } from '#shared/entities.ts'
import { friendSearch, friends as friendsTexts } from 'virtual:texts'
import { Avatar, presenceOf, presenceText } from './avatar.tsx'
import { IconButton, ButtonLink } from '../forms/button.tsx'
import { inputLook } from '../looks.ts'
import { nameOf, Name } from './name.tsx'
import { peopleStatus, PeopleOptions, usePeopleBox } from './people-options.tsx'
import { inPickingOrder, peopleMatching } from './people.ts'
import { Link } from 'react-router'
import { EmptyState, Loaded, type Loadable } from '../frames/loaded.tsx'

const text = friendSearch
const popUp =
  'absolute inset-x-0 top-full z-30 mt-2 rounded-control border border-line bg-surface shadow-card'

/**
 * Chooses one friend. A click or an arrow key opens it with all friends; typing filters by name.
 * @param isLoading whether the friends are still being loaded
 * @param selected the chosen friend, whose name the input shows
 * @param onSelect called with the chosen friend
 */
export function FriendPicker({
  friends,
  isLoading = false,
  selected,
  onSelect,
  label = text.label,
  className = '',
}: {
  friends: readonly Friend[]
  isLoading?: boolean
  selected: Friend | undefined
  onSelect: (friend: Friend) => void
  label?: string
  className?: string
}) {
  const [typed, setTyped] = useState<string>()
  const [list, setList] = useState<HTMLUListElement | null>(null)
  const ordered = useMemo(() => inPickingOrder(friends), [friends])
  const items = useMemo(() => peopleMatching(ordered, typed ?? ''), [ordered, typed])
  const box = usePeopleBox({
    items,
    typed: typed ?? '',
    value: typed ?? (selected ? nameOf(selected) : ''),
    isLoading,
    onType: (search) => {
      setTyped(search)
      list?.scrollTo({ top: 0 })
    },
    onChoose: (friend) => {
      setTyped(undefined)
      if (friend.steam_id !== selected?.steam_id) onSelect(friend)
    },
    // Closing without a new choice restores the name of the chosen friend.
    onClose: () => setTyped(undefined),
  })
  const isEmpty = items.length === 0

  return (
    <div className={`relative ${className}`}>
      <label {...box.getLabelProps()} className="sr-only">
        {label}
      </label>
      {/* Looks like what it is, a choice of a person: lists below it have searches of their own (FGAM-2). */}
      {selected && typed === undefined ? (
        <Avatar
          src={selected.avatar_url}
          className="pointer-events-none absolute top-2 left-2.5 size-7! ring-offset-0!"
        />
      ) : (
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-soft" />
      )}
      <input
        {...box.getInputProps({ onFocus: (event) => event.currentTarget.select() })}
        className={`${inputLook} pr-12 text-ellipsis ${selected && typed === undefined ? 'pl-12 font-semibold' : 'pl-10'}`}
      />
      {typed === undefined || typed === '' ? (
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-3.5 right-3.5 size-4 text-soft"
        />
      ) : (
        <IconButton
          {...box.getToggleButtonProps({
            label: text.clear,
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
        {...box.getMenuProps({ ref: setList })}
        className={`${popUp} max-h-80 overflow-y-auto overscroll-contain ${!isEmpty && box.isOpen ? '' : 'hidden'}`}
      >
        {box.isOpen && <PeopleOptions items={items} list={list} box={box} />}
      </ul>
      {/* Outside the listbox, which may contain only options; announces their number to screen readers. */}
      <p
        role="status"
        className={box.isOpen && isEmpty ? `${popUp} px-4.5 py-4.5 text-sm text-soft` : 'sr-only'}
      >
        {box.isOpen && peopleStatus(items.length, box.firstMatch, isLoading)}
      </p>
    </div>
  )
}

const PICKS = 12

/**
 * Asks to choose a friend and links to likely ones, or to the Friends page if there are none.
 * @param query my friends as stored; a failed load is shown above
 * @param to the link target for a friend
 */
export function ChooseFriend({
  query,
  icon,
  text,
  to,
}: {
  query: Loadable<{ friends: readonly Friend[] }>
  icon: ReactNode
  text: string
  to: (friend: Friend) => string
}) {
  const friends = query.data?.friends ?? []
  const hasNone = query.data?.friends.length === 0
  return (
    <>
      <Loaded query={query} skeleton={null} failed={friendsTexts.failed}>
        {() => null}
      </Loaded>
      <EmptyState
        icon={icon}
        action={
          hasNone ? (
            <ButtonLink to="/friends" icon={<UsersRound aria-hidden />}>
              {friendSearch.toFriends}
            </ButtonLink>
          ) : (
            <FriendPicks friends={friends} to={to} />
          )
        }
      >
        {hasNone ? friendSearch.noFriends : text}
      </EmptyState>
    </>
  )
}

/** Links for the first friends whose libraries are known; nothing if there are none. */
function FriendPicks({ friends, to }: { friends: readonly Friend[]; to: (friend: Friend) => string }) {
  const picks = inPickingOrder(friends.filter((friend) => friend.library_status === 'ok')).slice(0, PICKS)
  if (picks.length === 0) return null
  return (
    <ul
      aria-label={friendSearch.picks}
      className="grid w-full max-w-4xl grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] gap-2 text-left"
    >
      {picks.map((friend) => (
        <li key={friend.steam_id} className="min-w-0">
          <Link
            to={to(friend)}
            aria-description={presenceText(friend)}
            className="flex min-h-12 items-center gap-3 rounded-round border border-line bg-raised/60 py-1.5 pr-4 pl-2 text-sm font-medium transition hover:border-edge hover:bg-raised"
          >
            <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
            <Name className="line-clamp-1">{nameOf(friend)}</Name>
          </Link>
        </li>
      ))}
    </ul>
  )
}
