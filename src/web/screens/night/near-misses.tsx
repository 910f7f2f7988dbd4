/** Games to buy: one or two of those who may come, or are in, lack them (NIGHT-83). */
import { Store } from 'lucide-react'
import { Link } from 'react-router'
import { nameOf } from '#shared/names.ts'
import type { Night } from '../../data/nights.ts'
import { gamePage, nights } from '../../more-messages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { Name } from '../../ui/name.tsx'
import { storeOf } from '../../ui/steam-privacy.tsx'

const text = nights.nearMisses

/** Nothing without any. */
export function NearMisses({ night: { near_misses, people } }: { night: Night }) {
  if (near_misses.length === 0) return null
  const nameById = new Map(people.map((person) => [person.steam_id, nameOf(person)]))
  return (
    <Fold isSmall id="near-misses" title={text.title({ count: near_misses.length })}>
      <p className="text-sm text-soft">{text.explained}</p>
      <ul aria-labelledby="near-misses" className="grid gap-1.5">
        {near_misses.map((game) => (
          <li
            key={game.appid}
            className="flex min-w-0 items-center gap-3 rounded-control border border-line/70 bg-surface/85 p-1.5"
          >
            <GameArt game={game} className="w-20 rounded-chip sm:w-24" />
            <div className="min-w-0 flex-1">
              <h3 className="text-[0.9375rem] leading-5 font-semibold" title={game.name}>
                <Link to={`/games/${game.appid}`} className="-my-2.5 block py-2.5 hover:text-mint-bright">
                  <Name className="line-clamp-2 sm:line-clamp-1">{game.name}</Name>
                </Link>
              </h3>
              <p className="line-clamp-1 text-xs leading-5 text-amber">
                {nights.list.lacking({ names: game.lacking.map((id) => nameById.get(id) ?? id).join(', ') })}
              </p>
            </div>
            <ButtonLink
              {...storeOf(game.appid)}
              variant="quiet"
              icon={<Store aria-hidden />}
              className="px-2!"
            >
              <span className="max-sm:sr-only">{text.store}</span>{' '}
              <span className="sr-only">{gamePage.inNewTab}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
