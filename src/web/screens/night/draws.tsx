/** How the pick came about: all draws with their reasons, and the way to check them (NIGHT-87). */
import { ChevronRight, ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import type { Night } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Chances, type NamedGame } from './chances.tsx'

const text = nights.pick

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
                    {draw.by === 'votes' ? text.votes : text.number({ number: draw.number })}:
                  </span>{' '}
                  <Link
                    to={`/games/${draw.appid}`}
                    className="font-semibold underline-offset-4 hover:underline"
                  >
                    <Name>{draw.name}</Name>
                  </Link>{' '}
                  <span className="text-soft">
                    · {by && `${text.by} `}
                    {by && <Name>{nameOf(by)}</Name>} <RelativeTime time={draw.at} />
                  </span>
                </p>
                {draw.reason !== null && (
                  <p className="text-sm">
                    <span className="text-soft">{text.because}</span> <Name>{draw.reason}</Name>
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
