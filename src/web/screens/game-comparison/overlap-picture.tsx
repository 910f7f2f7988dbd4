/** How much two people have in common (COMP-8): a bar of three parts that can be opened, and two figures. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { comparisonQueries } from '../../data/comparison.ts'
import { comparisonOverlap as text } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { type Statuses, whyNotKnown } from './not-known.tsx'
import type { Part } from './parts.ts'
import { formatNumber } from '../../format.ts'

const PARTS: readonly Part[] = ['mine', 'both', 'theirs']
const colors: Record<Part, string> = { mine: 'bg-mint', both: 'bg-blue', theirs: 'bg-violet' }

/** As tall while it loads and when nothing is known, so that the list below does not move. */
export function OverlapPicture({
  friendId,
  part,
  onChoose,
}: {
  friendId: string
  part: Part
  onChoose: (part: Part) => void
}) {
  const { data, error } = useQuery(comparisonQueries.overlap(useSignedIn().steamId, friendId))
  const overlap = data?.overlap
  const name = useId()
  return (
    <div className="grid gap-4">
      <div
        aria-hidden
        className="forced-color-adjust-none flex h-4 gap-0.5 overflow-hidden rounded-round bg-line/60"
      >
        {overlap &&
          PARTS.filter((one) => overlap[one] > 0).map((one) => (
            <span
              key={one}
              className={`min-w-1.5 transition-opacity ${colors[one]} ${one === part ? '' : 'opacity-45'}`}
              style={{ flexGrow: overlap[one] }}
            />
          ))}
      </div>
      <fieldset className="grid grid-cols-3 gap-2 sm:gap-3">
        <legend className="sr-only">{text.legend}</legend>
        {PARTS.map((one) => (
          <label
            key={one}
            className={
              'relative grid min-h-16 cursor-pointer content-center gap-0.5 rounded-control border px-2 py-1.5 transition sm:px-4 ' +
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-mint ' +
              (one === part
                ? 'border-violet bg-violet-deep/35'
                : 'border-edge/45 bg-deep/50 hover:border-edge')
            }
          >
            <input
              type="radio"
              name={name}
              checked={one === part}
              onChange={() => onChoose(one)}
              className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0"
            />
            <span className="flex items-center gap-1 text-xs text-soft sm:gap-2 sm:text-sm">
              <span
                aria-hidden
                className={`forced-color-adjust-none size-2.5 shrink-0 rounded-round ${colors[one]}`}
              />
              <span className="line-clamp-1">{text.parts[one]}</span>
            </span>
            <span className="text-base font-semibold tabular-nums sm:text-lg">
              {overlap ? (
                <>
                  <span aria-hidden className="sm:hidden">
                    {formatNumber(overlap[one])}
                  </span>
                  <span className="max-sm:sr-only">{text.games({ count: overlap[one] })}</span>
                </>
              ) : (
                '–'
              )}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="grid min-h-26 content-start gap-1 text-sm text-soft sm:min-h-16 xl:min-h-11">
        {overlap ? (
          <>
            <p>
              {overlap.both === 0
                ? text.noneInCommon
                : text.playedByNeither({ count: overlap.played_by_neither })}
            </p>
            <p>
              <span className="font-semibold text-ink">{text.alikeLabel} </span>
              {overlap.alike === null ? (
                text.alikeUnknown
              ) : (
                <Sentence
                  text={text.alikeMeaning}
                  values={{
                    share: (
                      <span className="font-semibold text-ink tabular-nums">
                        {text.alike({ percent: overlap.alike })}
                      </span>
                    ),
                  }}
                />
              )}
            </p>
          </>
        ) : (
          <WhyNot statuses={data} hasFailed={error !== null} />
        )}
      </div>
    </div>
  )
}

/** In the place of the figures: the reason first, then what to do about it. */
function WhyNot({ statuses, hasFailed }: { statuses: Statuses | undefined; hasFailed: boolean }) {
  if (!statuses) return hasFailed && <p>{text.failed}</p>
  const { reason, remedy } = whyNotKnown(statuses)
  return (
    <>
      <p className="font-semibold text-ink">{reason}</p>
      <p>{remedy}</p>
    </>
  )
}
