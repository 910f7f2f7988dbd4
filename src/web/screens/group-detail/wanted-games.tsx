/** What members want to play, folded below the games (WISH-2). */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { GroupMember, WantedGame } from '#shared/entities.ts'
import { isolated } from '#shared/names.ts'
import { gameMarks, group as groupTexts } from 'virtual:texts'
import { useOnceMoreForPrices } from '../../data/games.ts'
import { groupsQueries } from '../../data/groups.ts'
import { formatList } from '../../format.ts'
import { IconButton } from '../../ui/forms/button.tsx'
import { Fold } from '../../ui/frames/fold.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { PriceSource, priceText } from '../../ui/games/price.tsx'
import { useNow } from '../../ui/words/relative-time.tsx'
import { isCounted } from '../../data/common-games.ts'
import { useSignedIn } from '../../session.ts'
import { CostSort, costOf } from './near-misses.tsx'

const text = groupTexts.wanted

export function WantedGames({
  groupId,
  members,
  onMore,
}: {
  groupId: number
  members: readonly GroupMember[]
  /** Opens what else I say of a game. */
  onMore: ((game: WantedGame['game']) => void) | undefined
}) {
  const { steamId: me } = useSignedIn()
  const query = useQuery(groupsQueries.wanted(groupId))
  const { data = [] } = query
  useOnceMoreForPrices(
    query,
    data.some(({ price, is_free }) => price === null && is_free !== true),
  )
  const [isByCost, sortByCost] = useState(false)
  if (data.length === 0) return null
  const games = data.map((wanted) => ({
    ...wanted,
    lacking: members.filter(
      (member) => member.joined && isCounted(member, me) && !wanted.owned_by.includes(member.steam_id),
    ),
  }))
  const cost = ({ price, is_free, lacking }: (typeof games)[number]) =>
    is_free === true || lacking.length === 0 ? 0 : costOf(price, lacking.length)
  const inOrder = isByCost ? games.toSorted((a, b) => cost(a) - cost(b)) : games
  const prices = games.flatMap(({ price }) => price ?? [])
  return (
    <Fold title={text.title} count={data.length}>
      <p className="text-sm text-soft empty:hidden">
        <PriceSource prices={prices} />
      </p>
      {prices.length > 0 && games.length > 1 && (
        <CostSort first={text.most} isByCost={isByCost} onChange={sortByCost} />
      )}
      <ul aria-label={text.title} className="grid gap-1.5">
        {inOrder.map((wanted) => (
          <Row key={wanted.game.appid} wanted={wanted} members={members} onMore={onMore} />
        ))}
      </ul>
    </Fold>
  )
}

function Row({
  wanted: { game, wanted_by, owned_by, price, lacking },
  members,
  onMore,
}: {
  wanted: WantedGame & { lacking: readonly GroupMember[] }
  members: readonly GroupMember[]
  onMore: ((game: WantedGame['game']) => void) | undefined
}) {
  const now = useNow()
  const namesOf = (ids: readonly string[]) =>
    formatList(
      ids.map((id) =>
        isolated(
          nameOf(members.find(({ steam_id }) => steam_id === id) ?? { steam_id: id, display_name: null }),
        ),
      ),
    )
  const lackers = namesOf(lacking.map(({ steam_id }) => steam_id))
  return (
    <li className="flex min-w-0 items-center gap-3 rounded-control border border-line/70 bg-surface/85 p-2">
      <GameArt game={game} className="w-20 rounded-chip" />
      <div className="grid min-w-0 flex-1 text-sm">
        <Link to={`/games/${game.appid}`} className="font-semibold hover:text-mint-bright">
          <Name className="line-clamp-1">{game.name}</Name>
        </Link>
        <span className="text-xs text-soft">
          {text.by({ people: namesOf(wanted_by) })} ·{' '}
          {game.link ? groupTexts.notOnSteam : text.owners({ count: owned_by.length })}
        </span>
        {lacking.length > 0 && (
          <span className="text-xs font-semibold text-amber">
            {price
              ? groupTexts.nearMiss.needs({
                  count: lacking.length,
                  members: lackers,
                  price: priceText(price, lacking.length, now),
                })
              : groupTexts.nearMiss.lacking({ members: lackers })}
          </span>
        )}
      </div>
      {onMore && (
        <IconButton
          label={gameMarks.open({ game: game.name })}
          aria-haspopup="dialog"
          onClick={() => onMore(game)}
        >
          <Ellipsis aria-hidden />
        </IconButton>
      )}
    </li>
  )
}
