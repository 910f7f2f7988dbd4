/** Add Member: searches friends who are not in the group and adds them (GPAGE-5, GPAGE-6). */
import { useQuery } from '@tanstack/react-query'
import { useCombobox } from 'downshift'
import { LoaderCircle, Search, UserPlus } from 'lucide-react'
import { useEffect, useRef, useState, type MouseEvent } from 'react'
import type { Friend, GroupMember } from '#shared/entities.ts'
import { useDeparted } from '../../data/departed.ts'
import { friendsQueries } from '../../data/friends.ts'
import { useAddMembers } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { isSecondClick, OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Avatar, presenceOf } from '../../ui/avatar.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { inputLook } from '../../ui/field.tsx'
import { Loaded, type Loadable } from '../../ui/loaded.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'
import { anchors } from './page-links.tsx'
import { addable, suggestions } from './suggestions.ts'

const texts = messages.group

export function AddMemberCard({ groupId, members }: { groupId: number; members: Loadable<GroupMember[]> }) {
  const { steamId } = useSignedIn()
  const friends = useQuery(friendsQueries.stored(steamId))
  const addition = useAddMembers(steamId)
  const { departed, rememberRefusal } = useDeparted(groupId)
  const action = useAsyncAction()
  const result = useRef<HTMLDivElement>(null)
  const [adding, setAdding] = useState<readonly string[]>([])

  // On a phone the keyboard may cover the result (GPAGE-7).
  useEffect(() => {
    if (action.outcome) result.current?.scrollIntoView({ block: 'nearest' })
  }, [action.outcome])

  function choose(friend: Friend): void {
    if (adding.includes(friend.steam_id)) return
    setAdding((others) => [...others, friend.steam_id])
    void action.queue(() => add(friend))
  }

  async function add({ steam_id }: Friend): Promise<Outcome> {
    try {
      await addition.mutateAsync({ groupId, steamIds: [steam_id] })
      return { tone: 'success', text: texts.memberAdded }
    } catch (error) {
      rememberRefusal(steam_id, error)
      return {
        tone: 'error',
        text: texts.memberAddFailed,
        reason: failureText(error, messages.somethingWrong),
      }
    } finally {
      setAdding((others) => others.filter((other) => other !== steam_id))
    }
  }

  return (
    <Card id={anchors.add} title={texts.addMember}>
      <Loaded query={friends} failed={messages.friends.failed} skeleton={<ListSkeleton rows={4} />}>
        {({ friends: list }) =>
          list.length === 0 ? (
            <>
              <p className="text-sm text-soft">{texts.addNoFriends}</p>
              <ButtonLink to="/friends">{texts.toFriends}</ButtonLink>
            </>
          ) : (
            // Without the list of members, suggestions might include existing members.
            <Loaded query={members} failed={texts.membersFailed} skeleton={<ListSkeleton rows={4} />}>
              {(known) => (
                <MemberSearch candidates={addable(list, known, departed)} adding={adding} onChoose={choose} />
              )}
            </Loaded>
          )
        }
      </Loaded>
      {/* Below the list, so that the rows do not move under the user's finger. */}
      <div ref={result} className="scroll-mt-24 scroll-mb-4">
        <OutcomeNotice outcome={action.outcome} />
      </div>
    </Card>
  )
}

/** The second click of a double click may hit another friend, because the first one has left the list (PAGE-16). */
function ignoreSecondClick(event: MouseEvent): void {
  if (isSecondClick(event)) Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
}

/** A combobox whose list is always open, to show the first suggestions before anything is typed. */
function MemberSearch({
  candidates,
  adding,
  onChoose,
}: {
  candidates: readonly Friend[]
  /** The ids of friends who are being added. */
  adding: readonly string[]
  onChoose: (friend: Friend) => void
}) {
  const [typed, setTyped] = useState('')
  // The library focuses the input when its list opens, so the list opens only when the user focuses the input.
  const [isOpen, setOpen] = useState(false)
  const items = suggestions(candidates, typed)
  const { stateChangeTypes } = useCombobox
  const box = useCombobox<Friend>({
    items,
    isOpen,
    selectedItem: null,
    inputValue: typed,
    itemToString: (friend) => (friend ? nameOf(friend) : ''),
    itemToKey: (friend) => friend?.steam_id,
    // Enter adds the first match, and nobody while the search is empty.
    defaultHighlightedIndex: typed.trim() === '' ? -1 : 0,
    stateReducer: (state, { type, changes }) => {
      // Tab must not add the highlighted friend.
      if (type === stateChangeTypes.InputBlur)
        return { ...changes, selectedItem: state.selectedItem, inputValue: state.inputValue }
      // A second Enter must not add the next friend of the list.
      if (type === stateChangeTypes.InputKeyDownEnter || type === stateChangeTypes.ItemClick)
        return { ...changes, highlightedIndex: -1 }
      return changes
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (!selectedItem) return
      setTyped('')
      onChoose(selectedItem)
    },
  })

  if (candidates.length === 0) return <p className="text-sm text-soft">{texts.addNobody}</p>
  return (
    <div className="grid gap-2">
      <label {...box.getLabelProps()} className="text-sm text-soft">
        {texts.addHint}
        <span className="sr-only"> {texts.addSearch}</span>
      </label>
      <div className="relative">
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-soft" />
        <input
          {...box.getInputProps({
            placeholder: messages.friendSearch.placeholder,
            // Not `onInputValueChange`: it fires after the next render, and fast typing would lose letters.
            onChange: ({ currentTarget }) => setTyped(currentTarget.value),
            onFocus: () => setOpen(true),
            'aria-expanded': true,
            onKeyDown: ({ key }) => key === 'Escape' && setTyped(''),
            // The highlighted option may no longer be in the list.
            ...(items[box.highlightedIndex] === undefined && { 'aria-activedescendant': '' }),
          })}
          type="text"
          spellCheck={false}
          className={`${inputLook} pl-10`}
        />
      </div>
      <ul
        {...box.getMenuProps({ 'aria-label': texts.suggestions, 'aria-labelledby': undefined })}
        className="-mx-2 grid gap-0.5 empty:hidden"
      >
        {items.map((friend, index) => (
          <li
            key={friend.steam_id}
            {...box.getItemProps({ item: friend, index, onClick: ignoreSecondClick })}
            className={
              'flex min-h-12 min-w-0 cursor-pointer items-center gap-3 rounded-chip px-2.5 py-1.5 text-sm ' +
              (box.highlightedIndex === index ? 'bg-violet-deep/55' : '')
            }
          >
            <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
            <span className="min-w-0 flex-1">
              <Name className="line-clamp-1">{nameOf(friend)}</Name>
            </span>
            {adding.includes(friend.steam_id) ? (
              <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin text-mint" />
            ) : (
              <UserPlus aria-hidden className="size-5 shrink-0 text-mint" />
            )}
          </li>
        ))}
      </ul>
      <p role="status" className={items.length === 0 ? 'px-1 py-2 text-sm text-soft' : 'sr-only'}>
        {items.length === 0 ? messages.friendSearch.empty : typed !== '' && texts.suggested(items.length)}
      </p>
    </div>
  )
}
