/** How the pick came about: all draws with their reasons, and the way to check them (NIGHT-87). */
import { ChevronRight, ShieldCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import type { NightDraw } from '#shared/nights/entities.ts'
import type { Night } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Chances, type NamedGame } from './chances.tsx'

const text = nights.pick

/** Which draw it was, or the vote, and what it gave. */
export function DrawResult({
  draw: { by, number },
  game,
}: {
  draw: Pick<NightDraw, 'by' | 'number'>
  game: ReactElement
}) {
  return by === 'votes' ? (
    <Sentence text={text.votes} values={{ game }} />
  ) : (
    <Sentence text={text.number} values={{ game, number }} />
  )
}

export function Draws({ night, games }: { night: Night; games: ReadonlyMap<number, NamedGame> }) {
  const { draws, people } = night
  const wasDrawn = draws.some(({ by }) => by === 'draw')
  return (
    <details className="group/fold border-t border-line/60 pt-3">
      <summary className="flex min-h-11 w-fit list-none items-center gap-2 rounded-control pr-3 font-semibold hover:text-mint-bright [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-5 text-soft transition group-open/fold:rotate-90" />
        {text.draws}
      </summary>
      <div className="grid gap-4 pt-2">
        <ol aria-label={text.draws} className="grid gap-4">
          {draws.map((draw) => {
            const by = people.find(({ steam_id }) => steam_id === draw.drawn_by)
            return (
              <li key={draw.number} className="grid gap-2">
                <p className="text-sm">
                  <span className="font-semibold">
                    <DrawResult
                      draw={draw}
                      game={
                        <Link to={`/games/${draw.appid}`} className="underline-offset-4 hover:underline">
                          <Name>{draw.name}</Name>
                        </Link>
                      }
                    />
                  </span>{' '}
                  <span className="text-soft">
                    ·{' '}
                    {by ? (
                      <Sentence
                        text={text.drawnBy}
                        values={{ name: <Name>{nameOf(by)}</Name>, ago: <RelativeTime time={draw.at} /> }}
                      />
                    ) : (
                      <RelativeTime time={draw.at} />
                    )}
                  </span>
                </p>
                {draw.reason !== null && (
                  <p className="text-sm text-soft">
                    <Sentence
                      text={text.because}
                      values={{ reason: <Name className="text-ink">{draw.reason}</Name> }}
                    />
                  </p>
                )}
                {draw.by === 'draw' && <Chances odds={draw.odds} games={games} drawn={draw.appid} />}
              </li>
            )
          })}
        </ol>
        {wasDrawn && (
          <ButtonLink
            to={`/nights/${night.night_id}/draw`}
            className="justify-self-start"
            icon={<ShieldCheck aria-hidden />}
          >
            {text.check}
          </ButtonLink>
        )}
      </div>
    </details>
  )
}
