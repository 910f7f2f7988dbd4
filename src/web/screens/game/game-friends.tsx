/**
 * Friends on a game's page: who is in it now, who plays it, and who owns it and never did (GAME-4).
 * Requirements: GAME-9.
 */
import { UsersRound } from 'lucide-react'
import { useId, useMemo, type ReactNode } from 'react'
import type { Friend, GamePage, Player } from '#shared/entities.ts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { gamePage as text } from 'virtual:texts'
import { Avatar, presenceOf, presenceText } from '../../ui/people/avatar.tsx'
import { EmptyState } from '../../ui/frames/loaded.tsx'
import { Name, nameOf, PersonLink } from '../../ui/people/name.tsx'
import { VirtualGrid } from '../../ui/games/virtual-grid.tsx'
import { formatNumber, hoursAndMinutes } from '../../format.ts'

const ROW_MIN_PX = 288
const ROW_PX = 64
const GAP_PX = 10

export function GameFriends({ game, friends }: { game: GamePage; friends: readonly Friend[] }) {
  const { now, plays, owns, most } = useMemo(() => gamePeople(game, friends), [game, friends])
  const heading = useId()
  const isEmpty = now.length + plays.length + owns.length === 0
  return (
    <section
      aria-labelledby={heading}
      className="grid min-w-0 gap-5 min-[110rem]:col-start-2 min-[110rem]:row-span-2 min-[110rem]:row-start-1"
    >
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={heading} className="text-xl font-semibold tracking-tight">
          {text.friends}
        </h2>
        {game.friends.length > 0 && (
          <StartNight startWith={{ friends: game.friends.map(({ steam_id }) => steam_id) }} />
        )}
      </header>
      {isEmpty && (
        <EmptyState icon={<UsersRound />}>{game.counted === 0 ? text.nobodyKnown : text.nobody}</EmptyState>
      )}
      <Part title={text.playingNow} people={now} most={most} className="text-violet" />
      <Part title={text.plays} people={plays} most={most} />
      <Part title={text.owns} people={owns} most={most} />
      {game.uncounted > 0 && (
        <p className="text-sm text-soft">{text.uncounted({ friends: game.uncounted })}</p>
      )}
    </section>
  )
}

function Part({
  title,
  people,
  most,
  className = '',
}: {
  title: string
  people: readonly FriendOfGame[]
  most: number
  className?: string
}) {
  if (people.length === 0) return null
  return (
    <div className="grid gap-3">
      <h3 className={`font-semibold ${className}`}>
        {title}{' '}
        <span className="text-sm font-normal text-soft tabular-nums">{formatNumber(people.length)}</span>
      </h3>
      <VirtualGrid
        items={people}
        keyOf={(person) => person.steam_id}
        minWidth={ROW_MIN_PX}
        gap={GAP_PX}
        heightOf={() => ROW_PX}
        label={title}
      >
        {(person) => <Row person={person} most={most} />}
      </VirtualGrid>
    </div>
  )
}

/** One friend with a bar relative to the one who played most; the whole row leads to their games. */
function Row({ person, most }: { person: FriendOfGame; most: number }) {
  const { minutes } = person
  return (
    <PersonLink
      steamId={person.steam_id}
      aria-description={presenceText(person)}
      className="flex h-full min-w-0 items-center gap-3.5 rounded-control border border-line/70 bg-surface/85 px-3 transition hover:border-edge/70 hover:bg-raised/70 focus-visible:-outline-offset-2"
    >
      <Avatar src={person.avatar_url} size="small" presence={presenceOf(person)} />
      <span className="grid min-w-0 flex-1 gap-1.5">
        <span className="flex min-w-0 items-baseline justify-between gap-3 text-sm">
          <Name className="line-clamp-1 min-w-0 font-semibold">{nameOf(person)}</Name>{' '}
          {minutes !== 0 && <Hours>{minutes === null ? text.hoursUnknown : hoursAndMinutes(minutes)}</Hours>}
        </span>
        {minutes !== null && minutes > 0 && (
          <span aria-hidden className="forced-color-adjust-none h-1.5 rounded-round bg-raised">
            <i
              className="block h-full min-w-1 rounded-round bg-linear-to-r from-teal to-mint"
              style={{ width: `${(minutes / most) * 100}%` }}
            />
          </span>
        )}
      </span>
    </PersonLink>
  )
}

function Hours({ children }: { children: ReactNode }) {
  return <span className="whitespace-nowrap text-soft tabular-nums">{children}</span>
}

/** A friend on the page; `minutes` is null when their library is not known. */
export type FriendOfGame = Player & Pick<Friend, 'personastate' | 'playing'> & { minutes: number | null }

export type GamePeople = {
  /** In the game now, whether or not their library is known. */
  now: FriendOfGame[]
  /** The others who have played it, most hours first. */
  plays: FriendOfGame[]
  /** The others who own it and have never played it. */
  owns: FriendOfGame[]
  /** The most minutes of any of them, for the bars. */
  most: number
}

/**
 * Parts the friends of a game. Each stands in one part only, in the given order.
 * @param page its friends are in order of playtime
 * @param friends the stored friend list, which also knows the game that people with unknown libraries are in
 */
export function gamePeople(
  page: Pick<GamePage, 'appid' | 'name' | 'friends'>,
  friends: readonly Friend[],
): GamePeople {
  const byId = new Map(friends.map((friend) => [friend.steam_id, friend]))
  const people: GamePeople = { now: [], plays: [], owns: [], most: 0 }
  const owners = new Set<string>()
  for (const { playtime_minutes: minutes, playing, ...person } of page.friends) {
    owners.add(person.steam_id)
    people.most = Math.max(people.most, minutes)
    const other = byId.get(person.steam_id)?.playing
    const row = { ...person, minutes, playing: playing ? page.name : (other ?? null) }
    people[playing ? 'now' : minutes > 0 ? 'plays' : 'owns'].push(row)
  }
  for (const { steam_id, display_name, avatar_url, personastate, playing, playing_appid } of friends)
    if (playing_appid === page.appid && !owners.has(steam_id))
      people.now.push({ steam_id, display_name, avatar_url, personastate, playing, minutes: null })
  return people
}
