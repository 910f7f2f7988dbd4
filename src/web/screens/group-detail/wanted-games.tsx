/** What members want to play, folded below the games (WISH-2). */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { GroupMember, WantedGame } from '#shared/entities.ts'
import { isolated } from '#shared/names.ts'
import { group as groupTexts } from 'virtual:texts'
import { groupsQueries } from '../../data/groups.ts'
import { formatList } from '../../format.ts'
import { Fold } from '../../ui/fold.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { isCounted } from '../../data/common-games.ts'
import { useSignedIn } from '../../session.ts'

const text = groupTexts.wanted

export function WantedGames({ groupId, members }: { groupId: number; members: readonly GroupMember[] }) {
  const { data = [] } = useQuery(groupsQueries.wanted(groupId))
  if (data.length === 0) return null
  return (
    <Fold title={text.title} count={data.length}>
      <ul aria-label={text.title} className="grid gap-1.5">
        {data.map((wanted) => (
          <Row key={wanted.game.appid} wanted={wanted} members={members} />
        ))}
      </ul>
    </Fold>
  )
}

function Row({
  wanted: { game, wanted_by, owned_by, price },
  members,
}: {
  wanted: WantedGame
  members: readonly GroupMember[]
}) {
  const { steamId: me } = useSignedIn()
  const namesOf = (ids: readonly string[]) =>
    formatList(
      ids.map((id) =>
        isolated(
          nameOf(members.find(({ steam_id }) => steam_id === id) ?? { steam_id: id, display_name: null }),
        ),
      ),
    )
  const lacking = members.filter(
    (member) => member.joined && isCounted(member, me) && !owned_by.includes(member.steam_id),
  )
  const lackers = namesOf(lacking.map(({ steam_id }) => steam_id))
  return (
    <li className="flex min-w-0 items-center gap-3 rounded-control border border-line/70 bg-surface/85 p-2">
      <GameArt game={game} className="w-20 rounded-chip" />
      <div className="grid min-w-0 text-sm">
        <Link to={`/games/${game.appid}`} className="font-semibold hover:text-mint-bright">
          <Name className="line-clamp-1">{game.name}</Name>
        </Link>
        <span className="text-xs text-soft">{text.by({ people: namesOf(wanted_by) })}</span>
        {lacking.length > 0 && (
          <span className="text-xs font-semibold text-amber">
            {price
              ? groupTexts.nearMiss.needs({ count: lacking.length, members: lackers, price: price.formatted })
              : groupTexts.nearMiss.lacking({ members: lackers })}
          </span>
        )}
      </div>
    </li>
  )
}
