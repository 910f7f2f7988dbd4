/** A whole list of game nights in parts: current ones and past ones (NIGHT-104). */
import { useId } from 'react'
import type { NightSummary } from '#shared/nights/entities.ts'
import type { NightList, NightListOf } from '../../data/night-lists.ts'
import { nightLists as text } from 'virtual:texts'
import { Names } from '../../ui/people/name.tsx'
import { repeatText } from '../../ui/words/night-series.ts'
import { isPast } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { partsOf } from './night-lists.ts'
import { nightCard, nightGrid, NightRow } from './night-row.tsx'

/** @param of whose list it is */
export function NightParts({ list, of }: { list: NightList; of: NightListOf }) {
  const { current, past } = partsOf(list.nights, useNow())
  const decided = current.filter(({ status }) => status === 'decided')
  const upcoming = current.filter(({ status }) => status !== 'decided')
  const ofGroup = 'groupId' in of
  return (
    <div className="grid gap-8">
      <Part title={text.upcoming} nights={upcoming} ofGroup={ofGroup} />
      <Part title={text.decided} nights={decided} ofGroup={ofGroup} />
      <Part title={text.past} nights={past} ofGroup={ofGroup} />
    </div>
  )
}

function Part({
  title,
  nights,
  ofGroup,
}: {
  title: string
  nights: readonly NightSummary[]
  ofGroup: boolean
}) {
  const heading = useId()
  const now = useNow()
  if (nights.length === 0) return null
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <h2 id={heading} className="text-xl font-semibold tracking-tight">
        {title}
      </h2>
      <ul aria-labelledby={heading} className={nightGrid}>
        {nights.map((night) => (
          <li key={night.night_id} className={nightCard}>
            <NightRow night={night} ofGroup={ofGroup} isWhole />
            {night.series && !isPast(night, now) && (
              <p className="px-2.5 pb-1 text-sm text-soft">
                {repeatText({ ...night.series, at: Date.parse(night.series.next_starts_at) })}
              </p>
            )}
            <Company night={night} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who is in, or was. */
function Company({ night: { came } }: { night: NightSummary }) {
  if (came.length === 0) return null
  return (
    <p className="px-2.5 pb-2 text-sm text-soft">
      <Sentence text={text.came} values={{ names: <Names people={came} /> }} />
    </p>
  )
}
