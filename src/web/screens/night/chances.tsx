/** The odds of a draw as a bar and as text (NIGHT-86). */
import { nights } from 'virtual:texts'
import { GameArt } from '../../ui/games/game-art.tsx'
import { hueOf } from '../../ui/looks.ts'
import { Name } from '../../ui/people/name.tsx'
import type { GameOdds } from '#shared/nights/entities.ts'
import { chances } from './night-view.ts'

export type NamedGame = { appid: number; name: string; image_url: string | null }

const text = nights.tie

/** @param drawn the game that was drawn, if one was */
export function Chances({
  odds,
  games,
  drawn,
}: {
  odds: readonly GameOdds[]
  games: ReadonlyMap<number, NamedGame>
  drawn?: number
}) {
  const rows = chances(odds)
  return (
    <div className="grid gap-3">
      <div aria-hidden className="forced-color-adjust-none flex h-4 gap-0.5 overflow-hidden rounded-round">
        {rows.map(({ appid, weight }) => (
          <i key={appid} style={{ flexGrow: weight, ...hueOf(appid) }} className="hued min-w-1" />
        ))}
      </div>
      <ul
        aria-label={text.odds}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-2"
      >
        {rows.map(({ appid, weight, sum, percent }) => {
          const game = games.get(appid) ?? { appid, name: String(appid), image_url: null }
          return (
            <li
              key={appid}
              className={`flex min-w-0 items-center gap-3 rounded-control border p-1.5 pr-3 ${
                appid === drawn ? 'border-mint bg-mint/10' : 'border-line/60 bg-deep/60'
              }`}
            >
              <GameArt game={game} className="w-20 rounded-chip" />
              <span className="grid min-w-0 flex-1 text-sm">
                <Name className="line-clamp-1 font-semibold">{game.name}</Name>
                <span className="flex items-center gap-2 text-soft tabular-nums">
                  <i
                    aria-hidden
                    className="hued forced-color-adjust-none size-2.5 rounded-round"
                    style={hueOf(appid)}
                  />
                  {text.chance({ weight, sum, percent })}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The games of a night by appid, for names and pictures. */
export function gamesOf(night: {
  shortlist: readonly NamedGame[]
  draws: readonly NamedGame[]
}): ReadonlyMap<number, NamedGame> {
  return new Map([...night.draws, ...night.shortlist].map((game) => [game.appid, game]))
}
