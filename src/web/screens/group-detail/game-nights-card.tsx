/** Game nights of a group (NIGHT-104): what is planned, what was picked, who came. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Group } from '#shared/entities.ts'
import { nightListQueries, refetchForNews } from '../../data/night-lists.ts'
import { AllNights } from '../../layout/nights/all-nights.tsx'
import { DeletableNight } from '../../layout/nights/deletable-night.tsx'
import { partsOf } from '../../layout/nights/night-lists.ts'
import { nightLists as text } from '../../messages.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { anchors } from './page-links.tsx'

/** The card has the room of as many, so that the cards below do not move. */
const SHOWN = 3

/** @param enabled whether the user is still a member */
export function GameNightsCard({ group, enabled }: { group: Group; enabled: boolean }) {
  const query = useQuery({
    ...nightListQueries.ofGroup(group.group_id),
    enabled,
    ...refetchForNews,
  })
  const { current, past } = partsOf(query.data?.nights ?? [], useNow())
  const card = useRef<HTMLDivElement>(null)
  return (
    <Card
      id={anchors.nights}
      title={text.section}
      action={query.data?.nights.length ? <AllNights groupId={group.group_id} /> : undefined}
    >
      <div ref={card} tabIndex={-1} className="flex min-h-48 flex-col outline-none">
        <Loaded
          query={query}
          failed={text.failed}
          skeleton={<RowsSkeleton />}
          isEmpty={({ nights }) => nights.length === 0}
          empty={<Explained>{text.noneOfGroup}</Explained>}
        >
          {({ nights }) => (
            <>
              <ul aria-label={text.section} className="-mx-2.5">
                {[...current, ...past].slice(0, SHOWN).map((night) => (
                  <li key={night.night_id}>
                    <DeletableNight night={night} ofGroup onDeleted={() => card.current?.focus()} />
                  </li>
                ))}
              </ul>
              {nights.length < SHOWN && <Explained>{text.explained}</Explained>}
            </>
          )}
        </Loaded>
      </div>
    </Card>
  )
}

/** What a game night is, in the room that the nights of the group do not take. */
function Explained({ children }: { children: string }) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 rounded-control border border-dashed border-line px-3 py-1 text-center text-sm text-balance text-soft">
      {children}
    </div>
  )
}

function RowsSkeleton() {
  return (
    <Loading>
      {Array.from({ length: SHOWN }, (_, row) => (
        <div key={row} className="flex h-12 items-center gap-3">
          <Skeleton className="size-11 rounded-control" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ))}
    </Loading>
  )
}
