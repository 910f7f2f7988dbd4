/** What was played in the last two weeks. */
import { useState } from 'react'
import { Link } from 'react-router'
import type { Game } from '#shared/entities.ts'
import { hoursAndMinutes } from '../../format.ts'
import { shelf as texts } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { Name } from '../../ui/name.tsx'
import type { Figures } from './figures.ts'

/** Shown until all are asked for. */
const SHOWN = 12

export function RecentCard({ figures }: { figures: Figures<Game> }) {
  const { recent, recentMinutes } = figures
  const [isAllShown, showAll] = useState(false)
  const most = recent[0]?.playtime_2weeks_minutes ?? 1
  return (
    <Card title={texts.recent} className="lg:col-span-2">
      <p className="-mt-3 text-sm text-soft tabular-nums">
        {recent.length === 0
          ? texts.recentNone
          : texts.recentTotal({ time: hoursAndMinutes(recentMinutes), games: recent.length })}
      </p>
      {recent.length > 0 && (
        <ul
          aria-label={texts.recent}
          className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-5"
        >
          {recent.slice(0, isAllShown ? undefined : SHOWN).map((game) => (
            <li key={game.appid} className="min-w-0">
              <Link
                to={`/games/${game.appid}`}
                className="grid gap-1.5 rounded-control hover:text-mint-bright"
                title={game.name}
              >
                <GameArt game={game} className="rounded-control shadow-card" />
                <span
                  aria-hidden
                  className="forced-color-adjust-none h-1.5 overflow-hidden rounded-round bg-line/60"
                >
                  <i
                    className="chart-bar block h-full rounded-round bg-mint"
                    style={{ width: `${(game.playtime_2weeks_minutes / most) * 100}%`, minWidth: 2 }}
                  />
                </span>
                <Name className="line-clamp-1 text-sm font-semibold">{game.name}</Name>
                <span className="text-xs text-soft tabular-nums">
                  {hoursAndMinutes(game.playtime_2weeks_minutes)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {recent.length > SHOWN && !isAllShown && (
        <Button className="self-start" onClick={() => showAll(true)}>
          {texts.showAll({ games: recent.length })}
        </Button>
      )}
    </Card>
  )
}
