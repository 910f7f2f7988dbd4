/** The next game night of a group, or the last one, in one line (NIGHT-104, NIGHT-140). */
import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type { Group } from '#shared/entities.ts'
import { nightListQueries } from '../../data/night-lists.ts'
import { partsOf } from '../../layout/nights/night-lists.ts'
import { NightRow } from '../../layout/nights/night-row.tsx'
import { nightLists as text } from 'virtual:texts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'

/** @param enabled whether the user is still a member */
export function GameNightsCard({ group, enabled }: { group: Group; enabled: boolean }) {
  const query = useQuery({ ...nightListQueries.ofGroup(group.group_id), enabled })
  const { current, past } = partsOf(query.data?.nights ?? [], useNow())
  return (
    <Card
      title={text.section}
      isSlim
      // On a phone one line: the night, and the way to all of them.
      className="max-md:flex-row! max-md:items-center"
      headClass="max-md:order-last max-md:[&>h2]:sr-only"
      action={
        query.data?.nights.length ? (
          <ButtonLink
            to={`/nights?group=${group.group_id}`}
            variant="quiet"
            icon={<History aria-hidden />}
            title={text.all}
            // Only an icon in small windows.
            className="shrink-0 max-xl:size-11 max-xl:p-0! max-xl:[&_svg]:size-5!"
          >
            <span className="max-xl:sr-only">{text.all}</span>
          </ButtonLink>
        ) : undefined
      }
    >
      {/* As tall as a night, so that nothing moves when it comes. */}
      <div className="flex min-h-16 min-w-0 flex-1 flex-col justify-center">
        <Loaded
          query={query}
          failed={text.failed}
          skeleton={<Skeleton className="h-11 rounded-control" />}
          isEmpty={({ nights }) => nights.length === 0}
          empty={<p className="text-sm text-soft">{text.noneOfGroup}</p>}
        >
          {() => (
            <ul aria-label={text.section} className="-mx-2.5">
              {[...current, ...past].slice(0, 1).map((night) => (
                <li key={night.night_id}>
                  <NightRow night={night} ofGroup isNarrow />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </Card>
  )
}
