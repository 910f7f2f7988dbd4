/**
 * Former members of a group, and whether they may come back; for its owner (MEM-13).
 * Requirements: GPAGE-23.
 */
import { useQuery } from '@tanstack/react-query'
import { DoorClosed, DoorOpen } from 'lucide-react'
import { useId } from 'react'
import type { FormerMember } from '#shared/entities.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { groupsQueries, useSetMayReturn } from '../../data/groups.ts'
import { messages, group as groupTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'

const texts = groupTexts.former

/** Nothing if there are no former members. */
export function FormerMembers({ groupId }: { groupId: number }) {
  const query = useQuery(groupsQueries.formerMembers(groupId))
  const heading = useId()
  if (query.data?.length === 0 || query.isPending) return null
  return (
    <section aria-labelledby={heading} className="grid gap-3 border-t border-line/60 pt-4">
      <h3 id={heading} className="text-sm font-semibold">
        {texts.title}
      </h3>
      <Loaded query={query} failed={texts.failed} skeleton={null}>
        {(people) => (
          <ul
            aria-labelledby={heading}
            className="-mx-2 grid max-h-[20rem] gap-1 overflow-y-auto overscroll-contain px-2"
          >
            {people.map((person) => (
              <Row key={person.steam_id} groupId={groupId} person={person} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function Row({ groupId, person }: { groupId: number; person: FormerMember }) {
  const { steamId: me } = useSignedIn()
  const setting = useSetMayReturn(me)
  const task = useCallAction()
  const id = useId()
  const mayReturn = person.may_return

  const toggle = task.run(
    () => setting.mutateAsync({ groupId, steamId: person.steam_id, mayReturn: !mayReturn }),
    { failed: messages.saveFailed },
  )

  return (
    <li className="grid min-w-0 gap-2 py-1">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar src={person.avatar_url} size="small" />
        <div className="min-w-0 flex-1">
          <p id={id} className="min-w-0 leading-snug font-medium">
            <Name className="line-clamp-2">{nameOf(person)}</Name>
          </p>
          <p className="text-xs text-soft">
            <Sentence
              text={person.removed ? texts.removed : texts.left}
              values={{ time: <RelativeTime time={person.left_at} /> }}
            />{' '}
            · <span role="status">{mayReturn ? texts.mayReturn : texts.mayNotReturn}</span>
          </p>
        </div>
        <Button
          variant="quiet"
          className="px-3!"
          icon={mayReturn ? <DoorClosed aria-hidden /> : <DoorOpen aria-hidden />}
          aria-describedby={id}
          busy={task.busy}
          busyLabel={texts.saving}
          onClick={toggle}
        >
          {mayReturn ? texts.block : texts.allow}
        </Button>
      </div>
      <OutcomeNotice outcome={task.outcome} />
    </li>
  )
}
