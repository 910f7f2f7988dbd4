/** Add Member: searches friends who are not in the group and adds them (GPAGE-5). */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { LoaderCircle, Search, UserPlus } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Friend, Group, GroupMember, SteamId } from '#shared/entities.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { hasCode } from '../../data/api-error.ts'
import { useAddMembers } from '../../data/groups.ts'
import { friendsQueries } from '../../data/friends.ts'
import { keys } from '../../data/keys.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import { group as groupTexts, friends as friendsTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { inputLook } from '../../ui/looks.ts'
import { Loaded, type Loadable } from '../../ui/frames/loaded.tsx'
import { usePeopleBox, peopleStatus, PeopleOptions } from '../../ui/people/people-options.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { MEMBER_SUGGESTIONS, MEMBER_SUGGESTIONS_TYPING } from '#shared/limits.ts'
import { inPickingOrder, peopleMatching } from '../../ui/people/people.ts'

const texts = groupTexts

/** @param field the search, which has the focus from the beginning where it is the first step */
export function AddMember({
  group,
  members,
  field,
  isFirstStep,
}: {
  group: Group
  members: Loadable<GroupMember[]>
  field: RefObject<HTMLInputElement | null>
  isFirstStep: boolean
}) {
  const groupId = group.group_id
  const { steamId } = useSignedIn()
  const friends = useQuery(friendsQueries.stored(steamId))
  const addition = useAddMembers(steamId)
  const { departed, rememberRefusal } = useDeparted(groupId)
  const action = useAsyncAction()
  const result = useRef<HTMLDivElement>(null)
  const [adding, setAdding] = useState<readonly string[]>([])

  // On a phone the keyboard may cover the result (GPAGE-5).
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
      return failedOutcome(texts.memberAddFailed, error)
    } finally {
      setAdding((others) => others.filter((other) => other !== steam_id))
    }
  }

  return (
    // The first step shows its suggestions at once, so they have their room before they are there.
    <div className={`flex min-w-0 flex-col gap-2 ${isFirstStep ? 'min-h-80' : ''}`}>
      <Loaded query={friends} failed={friendsTexts.failed} skeleton={<SearchSkeleton />}>
        {({ friends: list }) =>
          list.length === 0 ? (
            <>
              <p className="text-sm text-soft">{texts.addNoFriends}</p>
              <ButtonLink to="/friends">{texts.toFriends}</ButtonLink>
            </>
          ) : (
            // Without the list of members, suggestions might include existing members.
            <Loaded query={members} failed={texts.membersFailed} skeleton={<SearchSkeleton />}>
              {(known) => (
                <MemberSearch
                  candidates={addable(list, known, departed)}
                  adding={adding}
                  field={field}
                  isFirstStep={isFirstStep}
                  onChoose={choose}
                />
              )}
            </Loaded>
          )
        }
      </Loaded>
      {/* Below the list, so that the rows do not move under the user's finger. */}
      <div ref={result} className="scroll-mt-24 scroll-mb-4">
        <OutcomeNotice outcome={action.outcome} />
      </div>
      {/* With nobody else in the group it is the other way to begin; later it stands with the members. */}
      {group.joined && members.data?.length === 1 && (
        <div className="mt-auto grid">
          <InviteByLink target={{ kind: 'group', id: groupId }} />
        </div>
      )}
    </div>
  )
}

/** As tall as the search. */
function SearchSkeleton() {
  return <Skeleton className="h-11 rounded-control" />
}

/** A search that shows its first suggestions as soon as it has the focus. */
function MemberSearch({
  candidates,
  adding,
  field,
  isFirstStep,
  onChoose,
}: {
  candidates: Candidates
  /** The ids of friends who are being added. */
  adding: readonly string[]
  field: RefObject<HTMLInputElement | null>
  /** Whether it takes the focus when it is first shown. */
  isFirstStep: boolean
  onChoose: (friend: Friend) => void
}) {
  const [typed, setTyped] = useState('')
  const [list, setList] = useState<HTMLUListElement | null>(null)
  const [isActive, setActive] = useState(false)
  const isOpen = isActive || typed !== '' || adding.length > 0
  const items = suggestions(candidates, typed)
  const box = usePeopleBox({
    items,
    typed,
    isInline: true,
    // The second click of a double click may hit another friend, because the first one has left the list (PAGE-6).
    ignoresSecondClick: true,
    onType: setTyped,
    onChoose: (friend) => {
      setTyped('')
      // A second Enter must not add the next friend of the list.
      box.clearHighlight()
      onChoose(friend)
    },
  })
  const isEmpty = items.length === 0
  const takesFocus = useRef(isFirstStep)
  useEffect(() => {
    if (takesFocus.current) field.current?.focus({ preventScroll: true })
    takesFocus.current = false
  }, [field])

  if (candidates.likely.length + candidates.departed.length === 0)
    return <p className="flex min-h-11 items-center text-sm text-soft">{texts.addNobody}</p>
  return (
    <div className="grid gap-2" onFocus={() => setActive(true)} onBlur={() => setActive(false)}>
      <label {...box.getLabelProps()} className="sr-only">
        {texts.addSearch}
      </label>
      <div className="relative">
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-soft" />
        <input
          {...box.getInputProps({ ref: field })}
          aria-expanded={isOpen}
          className={`${inputLook} pl-10`}
        />
      </div>
      <ul
        {...box.getMenuProps({ 'aria-label': texts.suggestions, ref: setList })}
        className={`relative -mx-2 ${isEmpty || !isOpen ? 'hidden' : ''}`}
        // A press on an option must not take the focus from the search, which would close the list.
        onMouseDown={(event) => event.preventDefault()}
      >
        <PeopleOptions
          items={items}
          list={list}
          box={box}
          mark={({ steam_id }) =>
            adding.includes(steam_id) ? (
              <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin text-mint" />
            ) : (
              <UserPlus aria-hidden className="size-5 shrink-0 text-mint" />
            )
          }
        />
      </ul>
      <p role="status" className={isEmpty && isOpen ? 'px-1 py-2 text-sm text-soft' : 'sr-only'}>
        {(typed !== '' || isEmpty) && peopleStatus(items.length, box.firstMatch)}
      </p>
    </div>
  )
}

const NONE: readonly SteamId[] = []

/**
 * Friends who are known to have left a group. No endpoint lists them for members: the server says so when it refuses to
 * add one (MEM-7), and the query cache remembers it.
 */
function useDeparted(groupId: number) {
  const client = useQueryClient()
  const { data: departed = NONE } = useQuery<readonly SteamId[]>({
    queryKey: keys.departed(groupId),
    queryFn: skipToken,
  })
  return {
    departed,
    /** Remembers a person whom the server refused to add because they left. */
    rememberRefusal: (steamId: SteamId, error: unknown) => {
      if (hasCode(error, 'has_left_group') && !departed.includes(steamId))
        client.setQueryData<readonly SteamId[]>(keys.departed(groupId), (known = NONE) => [...known, steamId])
    },
  }
}

/**
 * Friends who are not in the group, in the order of PAGE-20. Those known to have left it come after all others
 * (GPAGE-5): adding them is refused (MEM-7), but a search still finds them, so that the user learns why.
 */
export type Candidates = { likely: readonly Friend[]; departed: readonly Friend[] }

/** @param departed ids of friends known to have left */
export function addable(
  friends: readonly Friend[],
  members: readonly GroupMember[],
  departed: readonly SteamId[],
): Candidates {
  const inGroup = new Set(members.map(({ steam_id }) => steam_id))
  const others = inPickingOrder(friends.filter(({ steam_id }) => !inGroup.has(steam_id)))
  const hasLeft = ({ steam_id }: Friend) => departed.includes(steam_id)
  return { likely: others.filter((friend) => !hasLeft(friend)), departed: others.filter(hasLeft) }
}

/** The first few candidates, or more of those who match what is typed. */
export function suggestions({ likely, departed }: Candidates, typed: string): Friend[] {
  const count = typed.trim() === '' ? MEMBER_SUGGESTIONS : MEMBER_SUGGESTIONS_TYPING
  return [...peopleMatching(likely, typed), ...peopleMatching(departed, typed)].slice(0, count)
}
