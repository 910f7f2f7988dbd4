/** Game night (NIGHT-121): what is planned, what waits for my answer, and starting one. Above all cards, of one height. */
import { useQuery } from '@tanstack/react-query'
import { nightListQueries } from '../../data/night-lists.ts'
import { AllNights } from '../../layout/nights/all-nights.tsx'
import { partsOf } from '../../layout/nights/night-lists.ts'
import { NightRow } from '../../layout/nights/night-row.tsx'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { nightLists as text } from '../../messages/night-lists.ts'
import { useSignedIn } from '../../session.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeletons.tsx'

/** As many as there is room for beside each other; smaller windows show fewer. */
const SHOWN = 3
const hiddenBelow = ['', 'max-xl:hidden', 'max-vast:hidden']

export function GameNightCard() {
  const { steamId } = useSignedIn()
  const { data, isPending } = useQuery(nightListQueries.mine(steamId))
  const nights = data ?? []
  const { current } = partsOf(nights, useNow())
  return (
    <section
      aria-labelledby="game-night"
      className="frosted grid items-center gap-x-6 gap-y-3 rounded-card px-5 py-4 lg:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <div>
        <h2 id="game-night" className="text-lg font-semibold tracking-tight">
          {text.card}
        </h2>
        <p className="text-sm text-soft">{text.question}</p>
      </div>
      {/* Of the height of a night, whatever there is. */}
      <div className="-mx-2.5 h-16 min-w-0 content-center">
        {isPending ? (
          <div aria-hidden className="flex items-center gap-3 px-2.5">
            <Skeleton className="size-11 rounded-control" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        ) : current.length === 0 ? (
          <p className="line-clamp-3 px-2.5 text-sm text-soft">{text.none}</p>
        ) : (
          <ul aria-labelledby="game-night" className="flex">
            {current.slice(0, SHOWN).map((night, nth) => (
              <li key={night.night_id} className={`min-w-0 flex-1 ${hiddenBelow[nth]}`}>
                <NightRow night={night} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <StartNight startWith="any" />
        <AllNights nights={nights} ofGroup={false} />
      </div>
    </section>
  )
}
