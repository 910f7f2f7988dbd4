/** What happened lately, as lines of its page and of the dashboard's card (LATELY-3). */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Gift, Heart, History, type LucideIcon, Moon, Tag, UsersRound } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Lately } from '#shared/contract/lately.ts'
import type { Player } from '#shared/entities.ts'
import { syncQueries } from '../data/sync.ts'
import { lately as text } from 'virtual:texts'
import { useSignedIn } from '../session.ts'
import { Card } from '../ui/frames/card.tsx'
import { GameArt } from '../ui/games/game-art.tsx'
import { Name, nameOf, PersonLink } from '../ui/people/name.tsx'
import { priceText } from '../ui/games/price.tsx'
import { RelativeTime, useNow } from '../ui/words/relative-time.tsx'
import { Sentence } from '../ui/words/sentence.tsx'

const CARD_ROWS = 3

/** The latest; nothing while there is none. */
export function LatelyCard({ className }: { className: string }) {
  const entries = useInfiniteQuery(syncQueries.lately(useSignedIn().steamId)).data?.pages[0]?.entries ?? []
  if (entries.length === 0) return null
  return (
    <Card
      title={text.title}
      className={className}
      action={
        <Link
          to="/lately"
          className="flex min-h-11 items-center font-semibold underline-offset-4 hover:underline"
        >
          {text.all}
        </Link>
      }
    >
      <LatelyList entries={entries.slice(0, CARD_ROWS)} />
    </Card>
  )
}

export function LatelyList({ entries }: { entries: readonly Lately[] }) {
  return (
    <ul aria-label={text.title} className="grid gap-1">
      {entries.map((entry) => (
        <Entry key={keyOf(entry)} entry={entry} />
      ))}
    </ul>
  )
}

function keyOf(entry: Lately): string {
  const about = entry.kind === 'night' ? entry.night_id : entry.player.steam_id
  const group = 'group' in entry ? entry.group?.group_id : ''
  return [entry.kind, entry.at, about, group, gamesOf(entry)[0]?.appid].join()
}

const gamesOf = (entry: Lately) => ('games' in entry ? entry.games : [entry.game])

const icons: Record<Lately['kind'], LucideIcon> = {
  got: Gift,
  again: History,
  all_own: UsersRound,
  night: Moon,
  wish: Heart,
  sale: Tag,
}

function Entry({ entry }: { entry: Lately }) {
  const Icon = icons[entry.kind]
  const [game] = gamesOf(entry)
  return (
    <li className="flex min-w-0 items-center gap-3.5 py-1.5">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-round bg-raised text-mint [&_svg]:size-4"
      >
        <Icon />
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <What entry={entry} />
        </p>
        <p className="text-xs text-soft">
          <RelativeTime time={entry.at} />
        </p>
      </div>
      {game && <GameArt game={game} className="w-24 rounded-control max-sm:hidden" />}
    </li>
  )
}

function What({ entry }: { entry: Lately }) {
  const now = useNow()
  const { steamId: me } = useSignedIn()
  if (entry.kind === 'night') {
    const { group, night_id } = entry
    const game = linked(`/nights/${night_id}`, entry.game.name)
    return group ? (
      <Sentence text={text.nightOf} values={{ game, group: groupLink(group) }} />
    ) : (
      <Sentence text={text.night} values={{ game }} />
    )
  }
  const player = playerLink(entry.player)
  if ('games' in entry) {
    const games = (
      <>
        {entry.games.map(({ appid, name }, nth) => (
          <Fragment key={appid}>
            {nth > 0 && ', '}
            {linked(`/games/${appid}`, name)}
          </Fragment>
        ))}
      </>
    )
    const { kind, more } = entry
    const all = more > 0 ? <Sentence text={text.andMore} values={{ games, more }} /> : games
    return <Sentence text={text[kind]} values={{ player, games: all }} />
  }
  const isMe = entry.player.steam_id === me
  const values = {
    player,
    game: linked(`/games/${entry.game.appid}`, entry.game.name),
    group: groupLink(entry.group),
  }
  if (entry.kind === 'all_own')
    return <Sentence text={isMe ? text.allOwnMine : text.allOwn} values={values} />
  if (entry.kind === 'wish')
    return <Sentence text={text.wish} values={{ ...values, members: entry.members }} />
  const price = priceText(entry.price, 1, now)
  return <Sentence text={isMe ? text.saleMine : text.sale} values={{ ...values, price }} />
}

function linked(to: string, name: string): ReactNode {
  return (
    <Link to={to} className="font-semibold underline-offset-4 hover:underline">
      <Name className="inline!">{name}</Name>
    </Link>
  )
}

const groupLink = ({ group_id, name }: { group_id: number; name: string }) =>
  linked(`/groups/${group_id}`, name)

function playerLink(player: Player): ReactNode {
  return (
    <PersonLink steamId={player.steam_id} className="font-semibold underline-offset-4 hover:underline">
      <Name className="inline!">{nameOf(player)}</Name>
    </PersonLink>
  )
}
