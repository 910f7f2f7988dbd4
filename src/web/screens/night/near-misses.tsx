/** Games that one or two of those who are in lack, with who, and the way to the store (NIGHT-83). */
import { Store } from 'lucide-react'
import type { Night } from '../../data/nights.ts'
import { gamePage, nights } from '../../more-messages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FeatureBadges } from '../../ui/feature-badges.tsx'
import { GameCard } from '../../ui/game-grid.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { storeOf } from '../../ui/steam-links.ts'
import { sizeOf } from './night-view.ts'

const text = nights.nearMisses

/** Nothing without any. */
export function NearMisses({ night }: { night: Night }) {
  if (night.near_misses.length === 0) return null
  const nameById = new Map(night.people.map((person) => [person.steam_id, nameOf(person)]))
  return (
    <section aria-labelledby="near-misses" className="grid min-w-0 gap-4">
      <div>
        <h2 id="near-misses" className="text-xl font-semibold tracking-tight">
          {text.title}
        </h2>
        <p className="text-sm text-soft">{text.explained}</p>
      </div>
      <ul
        aria-labelledby="near-misses"
        className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-3.5 sm:grid-cols-[repeat(auto-fill,minmax(186px,1fr))] 2xl:grid-cols-[repeat(auto-fill,minmax(220px,1fr))]"
      >
        {night.near_misses.map((game) => (
          <li key={game.appid} className="min-w-0">
            <GameCard
              game={game}
              heading="h3"
              density="compact"
              people={sizeOf(night)}
              detail={
                <Sentence
                  text={text.lacking}
                  values={{
                    names: (
                      <>
                        {game.lacking.map((steamId, nth) => (
                          <span key={steamId} className="mr-1 inline-flex max-w-full align-top">
                            <Name className="line-clamp-1 min-w-0 font-semibold text-ink">
                              {nameById.get(steamId) ?? steamId}
                            </Name>
                            {nth < game.lacking.length - 1 && ', '}
                          </span>
                        ))}
                      </>
                    ),
                  }}
                />
              }
              action={
                <ButtonLink
                  {...storeOf(game.appid)}
                  variant={game.is_free === true ? 'secondary' : 'quiet'}
                  icon={<Store aria-hidden />}
                  className="px-2!"
                >
                  {game.is_free === true ? text.free : text.store}{' '}
                  <span className="sr-only">{gamePage.inNewTab}</span>
                </ButtonLink>
              }
            >
              <FeatureBadges game={game} />
            </GameCard>
          </li>
        ))}
      </ul>
    </section>
  )
}
