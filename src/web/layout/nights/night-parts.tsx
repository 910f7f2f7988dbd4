/** A whole list of game nights in parts: current ones and past ones (NIGHT-104). */
import { useId } from 'react'
import type { NightSummary } from '#shared/nights/entities.ts'
import type { NightList, NightListOf } from '../../data/night-lists.ts'
import type { NightHistory } from '../../data/night-history.ts'
import { nightLists as text } from '../../messages.ts'
import { nightMemory as memory } from '../../more-messages.ts'
import { Name, nameOf } from '../../ui/name.tsx'
import { repeatText } from '../../ui/night-series.ts'
import { isPast } from '../../ui/night-time.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { HistoryText } from './night-history.tsx'
import { partsOf } from './night-lists.ts'
import { nightCard, nightGrid, NightRow } from './night-row.tsx'

/**
 * @param of whose list it is
 * @param histories what the earlier ones say, above them
 */
export function NightParts({
  list,
  of,
  histories,
}: {
  list: NightList
  of: NightListOf
  histories: readonly NightHistory[]
}) {
  const { current, past } = partsOf(list.nights, useNow())
  const decided = current.filter(({ status }) => status === 'decided')
  const upcoming = current.filter(({ status }) => status !== 'decided')
  const ofGroup = 'groupId' in of
  return (
    <div className="grid gap-8">
      <Part title={text.upcoming} nights={upcoming} ofGroup={ofGroup} />
      <Part title={text.decided} nights={decided} ofGroup={ofGroup} />
      {histories.length > 0 && <Histories histories={histories} />}
      <Part title={text.past} nights={past} ofGroup={ofGroup} />
    </div>
  )
}

/** One for each group or other people (MEMORY-6). */
function Histories({ histories }: { histories: readonly NightHistory[] }) {
  const heading = useId()
  const now = useNow()
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <h2 id={heading} className="text-xl font-semibold tracking-tight">
        {memory.title}
      </h2>
      <ul aria-labelledby={heading} className={nightGrid}>
        {histories.map((history) => (
          <li key={history.last!.night_id} className={`${nightCard} grid content-start gap-1 px-4! py-3!`}>
            <h3 className="min-w-0 font-medium">
              {history.group ? (
                <Name className="wrap-anywhere">{history.group.name}</Name>
              ) : (
                <Names people={history.people} />
              )}
            </h3>
            <HistoryText history={history} now={now} />
          </li>
        ))}
      </ul>
    </section>
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

/** Names shown of those who came; the rest are counted. */
const NAMES = 6

/** Who is in, or was. */
function Company({ night: { came } }: { night: NightSummary }) {
  return (
    <div className="grid gap-0.5 px-2.5 pb-2 text-sm text-soft empty:hidden">
      {came.length > 0 && (
        <p>
          <Sentence text={text.came} values={{ names: <Names people={came} /> }} />
        </p>
      )}
    </div>
  )
}

function Names({ people }: { people: NightSummary['came'] }) {
  const rest = people.length - NAMES
  const names = (
    <>
      {people.slice(0, NAMES).map((person, nth) => (
        <span key={person.steam_id}>
          {nth > 0 && ', '}
          <Name className="inline!">{nameOf(person)}</Name>
        </span>
      ))}
    </>
  )
  return rest > 0 ? <Sentence text={text.more} values={{ names, count: rest }} /> : names
}
