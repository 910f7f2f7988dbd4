/** Everything Find can lead to (NAV-10), in the order in which what matches alike is shown. */
import { useQuery } from '@tanstack/react-query'
import {
  ChartColumn,
  Gamepad2,
  History,
  House,
  Library,
  type LucideIcon,
  Moon,
  Scale,
  ShieldCheck,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { useMemo } from 'react'
import type { Friend, Game, Group } from '#shared/entities.ts'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { libraryQueries } from '../../data/library.ts'
import { nightLists, navigation as text } from 'virtual:texts'
import { nameOf } from '../../ui/people/name.tsx'
import { inPickingOrder } from '../../ui/people/people.ts'
import { entriesOf, type Entry } from './find-ranking.ts'

export type Place =
  | { kind: 'friends'; friend: Friend }
  | { kind: 'games'; game: Game }
  | { kind: 'groups'; group: Group }
  | { kind: 'screens'; name: string; to: string; Icon: LucideIcon }

const screens: Extract<Place, { kind: 'screens' }>[] = [
  { name: text.dashboard, to: '/dashboard', Icon: House },
  { name: text.myGames, to: '/my_games', Icon: Library },
  { name: text.shelf, to: '/my_games/shelf', Icon: ChartColumn },
  { name: text.lately, to: '/lately', Icon: History },
  { name: text.friends, to: '/friends', Icon: UserRound },
  { name: text.groups, to: '/groups', Icon: UsersRound },
  { name: nightLists.allTitle, to: '/nights', Icon: Moon },
  { name: text.friendsGames, to: '/friends/games', Icon: Gamepad2 },
  { name: text.gameComparison, to: '/games/1/comparison', Icon: Scale },
  { name: text.account, to: '/account', Icon: ShieldCheck },
  { name: text.privacy, to: '/privacy', Icon: ShieldCheck },
].map((screen) => ({ kind: 'screens', ...screen }))

/** What a place is called in its row; not the text that is compared. */
export function placeName(place: Place): string {
  if (place.kind === 'friends') return nameOf(place.friend)
  if (place.kind === 'games') return place.game.name
  return place.kind === 'groups' ? place.group.name : place.name
}

export function pathOf(place: Place): string {
  if (place.kind === 'friends') return `/friends/${place.friend.steam_id}/games`
  if (place.kind === 'games') return `/games/${place.game.appid}`
  return place.kind === 'groups' ? `/groups/${place.group.group_id}` : place.to
}

export function placeKey(place: Place): string {
  return `${place.kind} ${pathOf(place)}`
}

/** The places of a user, by kind; what is cached is there at once, and everything is refreshed. */
export function usePlaces(steamId: string) {
  const friends = useQuery(friendsQueries.stored(steamId))
  const games = useQuery(libraryQueries.games(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  const places = useMemo(
    () => [
      { kind: 'friends' as const, entries: friends.data ? friendEntries(friends.data.friends) : [] },
      { kind: 'games' as const, entries: games.data ? gameEntries(games.data.games) : [] },
      { kind: 'groups' as const, entries: groups.data ? groupEntries(groups.data) : [] },
      { kind: 'screens' as const, entries: screenEntries },
    ],
    [friends.data, games.data, groups.data],
  )
  return {
    places,
    isLoading: friends.isPending || games.isPending || groups.isPending,
    failed: Object.entries({ friends, games, groups })
      .filter(([, query]) => query.isError && query.data === undefined)
      .map(([kind]) => kind as 'friends' | 'games' | 'groups'),
  }
}

const friendEntries = once((friends: readonly Friend[]) =>
  entries(inPickingOrder(friends).map((friend) => ({ kind: 'friends', friend }))),
)

/** Games played last come first. */
const gameEntries = once((games: readonly Game[]) =>
  entries(
    games
      .map((game) => ({ kind: 'games' as const, game, last: game.last_played_at ?? '' }))
      .sort((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0)),
  ),
)

const groupEntries = once((groups: readonly Group[]) =>
  entries(groups.map((group) => ({ kind: 'groups', group }))),
)

const screenEntries = entries(screens)

function entries(places: readonly Place[]): Entry<Place>[] {
  return entriesOf(places, placeName)
}

/** Prepares each list once, however often Find is opened. */
function once<Row>(prepare: (list: readonly Row[]) => Entry<Place>[]) {
  const prepared = new WeakMap<readonly Row[], Entry<Place>[]>()
  return (list: readonly Row[]) => {
    const known = prepared.get(list)
    if (known) return known
    const made = prepare(list)
    prepared.set(list, made)
    return made
  }
}
