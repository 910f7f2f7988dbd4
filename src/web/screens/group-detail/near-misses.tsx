/** Games for several players that one or two members lack and would have to buy, folded (GPAGE-28). */
import type { UseQueryResult } from '@tanstack/react-query'
import { ExternalLink, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { GroupMember, NearMiss, Price } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { fittingFirst, peopleCounted } from '../../data/common-games.ts'
import { useOnceMoreForPrices } from '../../data/games.ts'
import { messages, group as groupTexts, gameView } from 'virtual:texts'
import { Button } from '../../ui/forms/button.tsx'
import { Fold } from '../../ui/frames/fold.tsx'
import { GameCard } from '../../ui/games/game-grid.tsx'
import { elsewhereText } from '../../layout/game-marks.tsx'
import { Name, nameOf, PersonLink } from '../../ui/people/name.tsx'
import { selectLook } from '../../ui/looks.ts'
import { PriceSource, priceText } from '../../ui/games/price.tsx'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { storeOf } from '../../ui/people/steam-privacy.tsx'
import { FeatureBadges } from '../../ui/games/feature-badges.tsx'

const texts = groupTexts.nearMiss
/** Games shown of each kind, until all are asked for. */
const GAMES_SHOWN = 12

export function NearMisses({
  query,
  members,
  onPlayers,
}: {
  query: UseQueryResult<readonly NearMiss[]>
  members: readonly GroupMember[]
  /** Corrects how many can play a game. */
  onPlayers: ((game: NearMiss) => void) | undefined
}) {
  const isPriceMissing = query.data?.some(({ price, is_free }) => price === null && is_free !== true)
  useOnceMoreForPrices(query, isPriceMissing)
  if (query.data === undefined)
    return query.error ? (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-soft">
        <p>{texts.failed}</p>
        <Button
          variant="quiet"
          icon={<RotateCw aria-hidden />}
          busy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          {messages.tryAgain}
        </Button>
      </div>
    ) : null
  return ([1, 2] as const).map((count) => (
    <Short
      key={count}
      count={count}
      games={fittingFirst(
        query.data.filter(({ lacking, is_free }) => lacking.length === count && is_free !== true),
      )}
      members={members}
      onPlayers={onPlayers}
    />
  ))
}

/** What those who lack a game would pay together; a game of unknown price is the last. */
export const costOf = (price: Price | null, lacking: number) => (price ? price.cents * lacking : Infinity)

/** The order of games that some would have to buy: `first`, or by what they would pay together. */
export function CostSort({
  first,
  isByCost,
  onChange,
}: {
  first: string
  isByCost: boolean
  onChange: (isByCost: boolean) => void
}) {
  return (
    <label className="flex w-fit items-center gap-2 text-sm text-soft">
      <span className="shrink-0">{gameView.sortLabel}</span>
      <select
        className={selectLook}
        value={String(isByCost)}
        onChange={({ target }) => onChange(target.value === 'true')}
      >
        <option value="false" className="bg-deep">
          {first}
        </option>
        <option value="true" className="bg-deep">
          {texts.sorts.price}
        </option>
      </select>
    </label>
  )
}

/** The games that `count` members lack; nothing if there are none. */
function Short({
  count,
  games,
  members,
  onPlayers,
}: {
  count: 1 | 2
  games: readonly NearMiss[]
  members: readonly GroupMember[]
  onPlayers: ((game: NearMiss) => void) | undefined
}) {
  const [isAllShown, showAll] = useState(false)
  const [isByCost, sortByCost] = useState(false)
  const now = useNow()
  if (games.length === 0) return null
  const prices = games.flatMap(({ price }) => price ?? [])
  const inOrder = isByCost ? games.toSorted((a, b) => costOf(a.price, count) - costOf(b.price, count)) : games
  const nameById = new Map(members.map((member) => [member.steam_id, nameOf(member)]))
  return (
    <Fold title={texts.short[count]} count={games.length}>
      <p className="text-sm text-soft">
        {texts.explained[count]} <PriceSource prices={prices} />
      </p>
      {prices.length > 1 && <CostSort first={texts.sorts.hours} isByCost={isByCost} onChange={sortByCost} />}
      <ul
        aria-label={texts.short[count]}
        className="grid grid-cols-[repeat(auto-fill,minmax(140px,1fr))] gap-3.5 sm:grid-cols-[repeat(auto-fill,minmax(176px,1fr))] 2xl:grid-cols-[repeat(auto-fill,minmax(220px,1fr))]"
      >
        {inOrder.slice(0, isAllShown ? undefined : GAMES_SHOWN).map((game) => (
          <li key={game.appid} className="min-w-0">
            <GameCard
              game={game}
              detail={gameView.totalHours({ hours: roundedHours(game.total_playtime) })}
              heading="h3"
              density="compact"
              people={peopleCounted(games)}
              onPlayers={onPlayers && (() => onPlayers(game))}
            >
              <FeatureBadges game={game} />
              {game.elsewhere.length > 0 && (
                <p className="text-xs text-soft">{elsewhereText(game, (id) => nameById.get(id) ?? id)}</p>
              )}
              <p className="mt-auto text-xs text-soft">
                <Sentence
                  text={game.price ? texts.needs : texts.lacking}
                  values={{
                    count,
                    price: game.price ? priceText(game.price, count, now) : '',
                    members: (
                      <>
                        {game.lacking.map((steamId, index) => (
                          <span
                            key={steamId}
                            className="inline-flex max-w-full items-center align-middle pointer-coarse:flex pointer-coarse:min-h-11"
                          >
                            <PersonLink
                              steamId={steamId}
                              className="flex min-h-6 min-w-6 items-center underline-offset-4 hover:underline pointer-coarse:min-h-11"
                            >
                              <Name className="line-clamp-1 font-semibold text-ink">
                                {nameById.get(steamId) ?? steamId}
                              </Name>
                            </PersonLink>
                            {index < game.lacking.length - 1 && ', '}
                          </span>
                        ))}
                      </>
                    ),
                  }}
                />
              </p>
              <p className="text-xs">
                <Link
                  {...storeOf(game.appid)}
                  className="inline-flex min-h-6 items-center gap-1 font-semibold underline-offset-4 hover:underline pointer-coarse:min-h-11"
                >
                  {texts.store}
                  <ExternalLink aria-hidden className="size-3" />
                </Link>
              </p>
            </GameCard>
          </li>
        ))}
      </ul>
      {games.length > GAMES_SHOWN && !isAllShown && (
        <Button className="justify-self-start" onClick={() => showAll(true)}>
          {texts.showAll({ count: games.length })}
        </Button>
      )}
    </Fold>
  )
}
