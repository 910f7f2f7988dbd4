/** Games that members of a group or two players have in common, as the screens show them (GPAGE-14, GPAGE-19, COMP-7). */
import type { GroupMember, LibraryStatus, NearMiss, SharedGame, ComparisonEntry } from '#shared/entities.ts'
import { isPlayableTogether, isSinglePlayerOnly, isTooSmall } from '#shared/playable.ts'
import { queryOptions } from '@tanstack/react-query'
import { query } from './http.ts'
import { keys } from './keys.ts'
import { useSyncExternalStore } from 'react'

/** A game that all own, some elsewhere, or that is free for those who lack it. */
export type TogetherGame = SharedGame & Partial<Pick<NearMiss, 'lacking'>>

/**
 * The games that can be played together (GPAGE-25), most hours first: without those known to be for one player only, with
 * near misses that are free, and with games of unknown modes at the end.
 */
export function playTogether(
  games: readonly SharedGame[],
  nearMisses: readonly NearMiss[] = [],
): TogetherGame[] {
  const free = nearMisses.filter(({ is_free }) => is_free === true)
  const isUnknown = (game: SharedGame) => !isPlayableTogether(game) && !isSinglePlayerOnly(game)
  return [
    ...[...games.filter(isPlayableTogether), ...free].sort((a, b) => b.total_playtime - a.total_playtime),
    ...games.filter(isUnknown),
  ]
}

type CountedGame = Pick<SharedGame, 'playtimes'> & {
  players_max?: number | null
  lacking?: readonly string[]
}

/** How many members are counted in a list of games; undefined for fewer than two, who need no room. */
export function peopleCounted([game]: readonly CountedGame[]): number | undefined {
  const people = game ? Object.keys(game.playtimes).length + (game.lacking?.length ?? 0) : 0
  return people < 2 ? undefined : people
}

/** The games with those below that are known to be for fewer people than are counted (LIST-10). */
export function fittingFirst<Game extends CountedGame>(games: readonly Game[]): readonly Game[] {
  const people = peopleCounted(games) ?? 0
  const isSmall = (game: Game) => isTooSmall(game, people)
  return games.some(isSmall) ? [...games.filter((game) => !isSmall(game)), ...games.filter(isSmall)] : games
}

/**
 * A member's minutes in a game; undefined for who lacks it. `member` is undefined when the list of members could not be
 * loaded.
 */
export type MemberHours = { steamId: string; member: GroupMember | undefined; minutes: number | undefined }

/** Minutes of each member in a game, most first, who lacks it last; without members whose library is not known (API-27). */
export function memberHours(game: TogetherGame, members: readonly GroupMember[]): MemberHours[] {
  const byId = new Map(members.map((member) => [member.steam_id, member]))
  const has = Object.entries(game.playtimes).sort(([, a], [, b]) => b - a)
  const lacks = (game.lacking ?? []).map((steamId) => [steamId, undefined] as const)
  return [...has, ...lacks].map(([steamId, minutes]) => ({ steamId, member: byId.get(steamId), minutes }))
}

/**
 * Why a library is not counted: 'unjoined' if the member has not joined, 'unseen' if it may become visible once I join.
 */
export type MissingReason = Exclude<LibraryStatus, 'ok'> | 'unjoined' | 'unseen'
export type MissingMember = { member: GroupMember; reason: MissingReason }

/** Members whose libraries are not counted for `me`, and why. */
export function missingMembers(members: readonly GroupMember[], me: string): MissingMember[] {
  const haveJoined = hasJoined(members.find(({ steam_id }) => steam_id === me))
  return members.flatMap((member) => {
    const reason = reasonOf(member, me, haveJoined)
    return reason === undefined ? [] : [{ member, reason }]
  })
}

function reasonOf(member: GroupMember, me: string, haveJoined: boolean): MissingReason | undefined {
  const { steam_id, library_status } = member
  if (library_status === 'ok') return undefined
  if (library_status !== 'hidden' || steam_id === me) return library_status
  if (!hasJoined(member)) return 'unjoined'
  return haveJoined ? 'hidden' : 'unseen'
}

/** Whether a member has joined; true if the response does not say. */
export function hasJoined(one: { joined: boolean } | undefined): boolean {
  return one?.joined !== false
}

/**
 * How many members the common games count. `without`: members who do not count for me; `onlyMine`: those who may not
 * count for others, because they have not joined, or are me with a hidden library.
 */
export function countedOf(members: readonly GroupMember[], me: string) {
  const counted = members.filter((member) => isCounted(member, me))
  return {
    counted: counted.length,
    all: members.length,
    without: members.filter((member) => !counted.includes(member)),
    onlyMine: counted.filter((member) => !hasJoined(member) || member.library_status === 'hidden'),
  }
}

/** Whether a member's library is counted for `me`; my own is, even when I hide it from others. */
export function isCounted({ steam_id, library_status }: GroupMember, me: string): boolean {
  return library_status === 'ok' || (library_status === 'hidden' && steam_id === me)
}

export const comparisonQueries = {
  /** Games I and a friend both own, largest sum of playtime first; empty when a library is not known. */
  compare: (me: string, friend: string) =>
    queryOptions({
      queryKey: keys.comparison(me, friend),
      queryFn: ({ signal }) =>
        query(
          'GET /api/compare/:mySteamId/:friendSteamId',
          { params: { mySteamId: me, friendSteamId: friend } },
          signal,
        ),
    }),
}

/** Those that both really play come first: by the smaller of the two playtimes, equals as they are given (COMP-7). */
export function mostPlayedByBoth(games: readonly ComparisonEntry[]): readonly ComparisonEntry[] {
  const both = ({ user_playtime, friend_playtime }: ComparisonEntry) =>
    Math.min(user_playtime, friend_playtime)
  return games.toSorted((a, b) => both(b) - both(a))
}

export type GamesShown = 'together' | 'all'

const KEY = 'games_shown'
const DEFAULT: GamesShown = 'together'
const listeners = new Set<() => void>()

/** Which games a group's lists show, and a function to change that; updates when another component or tab changes it. */
export function useGamesShown(): [GamesShown, (shown: GamesShown) => void] {
  return [useSyncExternalStore(subscribe, read), write]
}

/** The same for a view in the address (LIST-1). */
export const gamesShown = { read, write }

function read(): GamesShown {
  return localStorage.getItem(KEY) === 'all' ? 'all' : DEFAULT
}

function write(shown: GamesShown): void {
  // The default is not stored.
  if (shown === DEFAULT) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, shown)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
