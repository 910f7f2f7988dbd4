/** When the same people last played, and who was there (MEMORY-6). */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { nightsQueries } from '../../data/nights.ts'
import { nightMemory as text } from '../../more-messages.ts'
import { longDay } from '../../ui/night-time.ts'
import { Name, nameOf } from '../../ui/name.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** Names in the sentence; the rest are counted. */
const NAMES = 6

/** Nothing until it is known, and where they have not played before. */
export function PlayedBefore({ nightId }: { nightId: number }) {
  const { data: last } = useQuery(nightsQueries.last(nightId))
  const heading = useId()
  const now = useNow()
  if (!last) return null
  const { starts_at, pick, came } = last
  const names = (
    <>
      {came.slice(0, NAMES).map((person, nth) => (
        <span key={person.steam_id}>
          {nth > 0 && ', '}
          <Name className="inline!">{nameOf(person)}</Name>
        </span>
      ))}
    </>
  )
  const rest = came.length - NAMES
  return (
    <section
      aria-labelledby={heading}
      className="frosted grid min-w-0 gap-3 rounded-card p-5 max-sm:gap-1 max-sm:p-3"
    >
      <h2 id={heading} className="min-w-0 text-lg font-semibold tracking-tight max-sm:text-sm">
        {text.title}
      </h2>
      <p className="text-sm text-soft">
        <Sentence
          text={text.last[pick ? 'picked' : 'none']}
          values={{
            day: (
              <time dateTime={starts_at} className="text-ink">
                {longDay(Date.parse(starts_at), now)}
              </time>
            ),
            game: <Name className="font-semibold text-ink">{pick?.name ?? ''}</Name>,
            names: rest > 0 ? <Sentence text={text.more} values={{ names, count: rest }} /> : names,
          }}
        />
      </p>
    </section>
  )
}
