/** Add Member: searches friends who are not in the group and adds them (GPAGE-5, GPAGE-6). */
import { useQuery } from '@tanstack/react-query'
import { LoaderCircle, Search, UserPlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Friend, Group, GroupMember } from '#shared/entities.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { useDeparted } from '../../data/departed.ts'
import { friendsQueries } from '../../data/friends.ts'
import { useAddMembers } from '../../data/groups.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import { group as groupTexts, friends as friendsTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { inputLook } from '../../ui/looks.ts'
import { Loaded, type Loadable } from '../../ui/loaded.tsx'
import { usePeopleBox } from '../../ui/people-box.ts'
import { peopleStatus, PeopleOptions } from '../../ui/people-options.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'
import { anchors } from './page-links.tsx'
import { addable, type Candidates, suggestions } from './suggestions.ts'

const texts = groupTexts

export function AddMemberCard({ group, members }: { group: Group; members: Loadable<GroupMember[]> }) {
  const groupId = group.group_id
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
      return failedOutcome(texts.memberAddFailed, error)
    } finally {
      setAdding((others) => others.filter((other) => other !== steam_id))
    }
  }

  return (
    <Card id={anchors.add} title={texts.addMember}>
      <Loaded query={friends} failed={friendsTexts.failed} skeleton={<ListSkeleton rows={4} />}>
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
      {group.joined && <InviteByLink target={{ kind: 'group', id: groupId }} />}
    </Card>
  )
}

/** A search whose list is always open, to show the first suggestions before anything is typed. */
function MemberSearch({
  candidates,
  adding,
  onChoose,
}: {
  candidates: Candidates
  /** The ids of friends who are being added. */
  adding: readonly string[]
  onChoose: (friend: Friend) => void
}) {
  const [typed, setTyped] = useState('')
  const [list, setList] = useState<HTMLUListElement | null>(null)
  const items = suggestions(candidates, typed)
  const box = usePeopleBox({
    items,
    typed,
    isInline: true,
    // The second click of a double click may hit another friend, because the first one has left the list (PAGE-16).
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

  if (candidates.likely.length + candidates.departed.length === 0)
    return <p className="text-sm text-soft">{texts.addNobody}</p>
  return (
    <div className="grid gap-2">
      <label {...box.getLabelProps()} className="text-sm text-soft">
        {texts.addHint}
        <span className="sr-only"> {texts.addSearch}</span>
      </label>
      <div className="relative">
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-soft" />
        <input {...box.getInputProps()} className={`${inputLook} pl-10`} />
      </div>
      <ul
        {...box.getMenuProps({ 'aria-label': texts.suggestions, ref: setList })}
        className={`relative -mx-2 ${isEmpty ? 'hidden' : ''}`}
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
      <p role="status" className={isEmpty ? 'px-1 py-2 text-sm text-soft' : 'sr-only'}>
        {(typed !== '' || isEmpty) && peopleStatus(items.length, box.firstMatch)}
      </p>
    </div>
  )
}
