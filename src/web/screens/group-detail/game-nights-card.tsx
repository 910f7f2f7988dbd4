/** Game nights of a group (NIGHT-104): what is planned, what was picked, who came. */
import { useQuery } from '@tanstack/react-query'
import type { Group } from '#shared/entities.ts'
import { nightListQueries } from '../../data/night-lists.ts'
import { AllNights } from '../../layout/nights/all-nights.tsx'
import { partsOf } from '../../layout/nights/night-lists.ts'
import { NightRow } from '../../layout/nights/night-row.tsx'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { nightLists as text } from '../../messages/night-lists.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { anchors } from './page-links.tsx'

/** The card has the room of as many, so that the cards below do not move. */
const SHOWN = 3

/** @param enabled whether the user is still a member */
export function GameNightsCard({ group, enabled }: { group: Group; enabled: boolean }) {
  const query = useQuery({ ...nightListQueries.ofGroup(group.group_id), enabled })
  const nights = query.data ?? []
  const { current, past } = partsOf(nights, useNow())
  return (
    <Card id={anchors.nights} title={text.section} action={<AllNights nights={nights} ofGroup />}>
      <div className="min-h-48">
        <Loaded
          query={query}
          failed={text.failed}
          skeleton={<RowsSkeleton />}
          empty={<p className="text-sm text-soft">{text.noneOfGroup}</p>}
        >
          {() => (
            <ul aria-label={text.section} className="-mx-2.5">
              {[...current, ...past].slice(0, SHOWN).map((night) => (
                <li key={night.night_id}>
                  <NightRow night={night} ofGroup />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
      {group.joined && <StartNight startWith={{ group }} className="max-xl:hidden" />}
    </Card>
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
