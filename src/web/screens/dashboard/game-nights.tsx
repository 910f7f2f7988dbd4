/** The nights of the dashboard's card, and its buttons (NIGHT-103). */
import type { UseQueryResult } from '@tanstack/react-query'
import type { NightList } from '../../data/night-lists.ts'
import { partsOf } from '../../layout/nights/night-lists.ts'
import { NightRow } from '../../layout/nights/night-row.tsx'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { nightLists as text } from '../../messages.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeletons.tsx'

/** As many as there is room for beside each other; smaller windows show fewer. */
const SHOWN = 3
const hiddenBelow = ['', 'max-2xl:hidden', 'max-vast:hidden']

export function GameNights({
  nights: { data, isError },
  labelledBy,
}: {
  nights: Pick<UseQueryResult<NightList>, 'data' | 'isError'>
  labelledBy: string
}) {
  const { current } = partsOf(data?.nights ?? [], useNow())
  return (
    <>
      {/* Of the height of a night, whatever there is. */}
      <div className="-ml-2.5 h-14 min-w-0 flex-1 basis-48 content-center sm:h-16">
        {current.length > 0 ? (
          <ul aria-labelledby={labelledBy} className="flex">
            {current.slice(0, SHOWN).map((night, nth) => (
              <li key={night.night_id} className={`min-w-0 flex-1 ${hiddenBelow[nth]}`}>
                <NightRow night={night} isNarrow />
              </li>
            ))}
          </ul>
        ) : data || isError ? (
          <p className="line-clamp-2 px-2.5 text-sm text-soft">{data ? text.none : text.failed}</p>
        ) : (
          <div aria-hidden className="flex items-center gap-3 px-2.5">
            <Skeleton className="size-11 rounded-control" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        )}
      </div>
      <StartNight startWith="any" isShort />
    </>
  )
}
