/** What earlier nights of the same people say, in sentences (MEMORY-6). */
import type { ReactNode } from 'react'
import type { NightHistory } from '../../data/night-history.ts'
import { nightMemory as text } from '../../more-messages.ts'
import { longDay } from '../../ui/long-day.ts'
import { Name, nameOf } from '../../ui/name.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** Names in a sentence; the rest are counted. */
const NAMES = 6
const GAMES = 3

/** Counts of a single night say nothing. */
const COUNTED_MIN = 2

/** Whether there is anything to say: a night before, or counts of this year. */
export function saysAnything({ last, nights }: NightHistory): boolean {
  return last !== null || nights >= COUNTED_MIN
}

/** @param now in milliseconds */
export function HistoryText({ history, now }: { history: NightHistory; now: number }) {
  const { nights, came, games } = history
  const isCounted = nights >= COUNTED_MIN
  return (
    <div className="grid gap-1.5 text-sm text-soft">
      <LastNight history={history} now={now} />
      {isCounted && (
        <p>
          <Sentence
            text={text.year}
            values={{
              names: (
                <Listed
                  items={came.map((person, nth) => (
                    <Sentence
                      key={person.steam_id}
                      text={nth === 0 ? text.cameOf : text.came}
                      values={{
                        name: <Name className="inline!">{nameOf(person)}</Name>,
                        count: person.nights,
                        nights,
                      }}
                    />
                  ))}
                />
              ),
            }}
          />
        </p>
      )}
      {isCounted && games.length > 0 && (
        <p>
          <Sentence
            text={text.picked}
            values={{
              games: (
                <>
                  {games.slice(0, GAMES).map(({ appid, name, picked }, nth) => (
                    <span key={appid}>
                      {nth > 0 && ', '}
                      <Sentence text={text.pick} values={{ game: <Name>{name}</Name>, count: picked }} />
                    </span>
                  ))}
                </>
              ),
            }}
          />
        </p>
      )}
    </div>
  )
}

/** When all who are expected last played together, or else the last night. */
function LastNight({ history: { last, last_together }, now }: { history: NightHistory; now: number }) {
  const night = last_together ?? last
  if (!night) return null
  const { starts_at, pick, came } = night
  const day = (
    <time dateTime={starts_at} className="text-ink">
      {longDay(Date.parse(starts_at), now)}
    </time>
  )
  const form = (last_together ? text.together : text.last)[pick ? 'picked' : 'none']
  const values = {
    day,
    game: <Name className="font-semibold text-ink">{pick?.name ?? ''}</Name>,
    names: (
      <Listed
        items={came.map((person) => (
          <Name key={person.steam_id} className="inline!">
            {nameOf(person)}
          </Name>
        ))}
      />
    ),
  }
  return (
    <p>
      <Sentence text={form} values={values} />
    </p>
  )
}

function Listed({ items }: { items: readonly ReactNode[] }) {
  const rest = items.length - NAMES
  const names = (
    <>
      {items.slice(0, NAMES).map((item, nth) => (
        <span key={nth}>
          {nth > 0 && ', '}
          {item}
        </span>
      ))}
    </>
  )
  return rest > 0 ? <Sentence text={text.more} values={{ names, count: rest }} /> : names
}
