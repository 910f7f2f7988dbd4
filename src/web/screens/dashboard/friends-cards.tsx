/** The cards about friends: Friends, Friends' Top Games and Recent Activity. */
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Gamepad2, RefreshCw, Users } from 'lucide-react'
import { Link } from 'react-router'
import type { Activity } from '#shared/contract/sync.ts'
import { DASHBOARD } from '#shared/limits.ts'
import { roundedHours } from '#shared/playtime.ts'
import { friendsQueries } from '../../data/friends.ts'
import { syncQueries } from '../../data/sync.ts'
import { dashboard as texts, friends as friendsTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Avatar, presenceColors, presenceOf, presenceText } from '../../ui/people/avatar.tsx'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { inOrderOfPresence } from '../../ui/people/people.ts'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { SteamPrivacyLink } from '../../ui/people/steam-privacy.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { rowsOrEmpty, CardEmptyState } from './card-empty-state.tsx'

/** Why the list of friends is empty. */
function whyNoFriends(status: 'ok' | 'private' | 'never' | undefined, isSyncing: boolean): string {
  if (isSyncing) return texts.friendsSyncing
  if (status === 'private') return friendsTexts.privateExplained
  return status === 'ok' ? friendsTexts.none : texts.friendsNeverSynced
}

/** Friends: the first five, in the order of the Friends screen (DASH-5). */
export function FriendsCard({ className }: { className?: string }) {
  const { steamId } = useSignedIn()
  const query = useQuery(friendsQueries.stored(steamId))
  const friends = rowsOrEmpty(query, (list) => inOrderOfPresence(list.friends))
  const { data: sync } = useQuery(syncQueries.status(steamId))

  return (
    <Card title={texts.friends} className={className}>
      {friends?.length === 0 ? (
        <CardEmptyState
          query={query}
          icon={<Users />}
          always={friendsTexts.empty}
          action={query.data?.status === 'private' && <SteamPrivacyLink />}
        >
          {whyNoFriends(query.data?.status, sync?.friends?.reading === true)}
        </CardEmptyState>
      ) : (
        <ul className="-mx-2 grid flex-1 grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] content-start">
          {friends
            ? friends.slice(0, DASHBOARD.friends).map((friend) => (
                <li key={friend.steam_id}>
                  <Link
                    to={`/friends/${friend.steam_id}/games`}
                    aria-description={presenceText(friend)}
                    className="flex min-h-14 items-center gap-3.5 rounded-control px-2.5 py-1.5 transition hover:bg-raised/60"
                  >
                    <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
                    <span className="grid min-w-0">
                      <Name className="line-clamp-1 font-medium">{nameOf(friend)}</Name>
                      {/* The description of the row says it too. */}
                      <span aria-hidden className={`text-xs ${presenceColors[presenceOf(friend)]}`}>
                        {friend.playing === null ? (
                          presenceText(friend)
                        ) : (
                          <Name className="line-clamp-1">{friend.playing}</Name>
                        )}
                      </span>
                    </span>
                  </Link>
                </li>
              ))
            : Array.from({ length: DASHBOARD.friends }, (_, row) => (
                <li key={row} aria-hidden className="flex min-h-14 items-center gap-3.5 px-2.5">
                  <Skeleton className="size-9 rounded-round" />
                  <Skeleton className="h-4 w-1/2" />
                </li>
              ))}
        </ul>
      )}
      <ButtonLink to="/friends" icon={<Users aria-hidden />}>
        {texts.viewAllFriends}
      </ButtonLink>
    </Card>
  )
}

/**
 * Friends' Top Games. It shows two games, and its empty check looks at three; without the excluded game both give the same
 * result (DASH-21).
 */
export function FriendsTopGamesCard({ className }: { className?: string }) {
  const { steamId } = useSignedIn()
  const query = useQuery(friendsQueries.topGames(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const { data: sync } = useQuery(syncQueries.status(steamId))
  const games = rowsOrEmpty(query, (list) => list)?.slice(0, DASHBOARD.friendsTopGamesEmptyCheck)

  return (
    <Card title={texts.friendsTopGames} className={className}>
      {games?.length === 0 ? (
        <CardEmptyState query={query} icon={<Gamepad2 />}>
          {friends.data?.friends.length === 0
            ? whyNoFriends(friends.data.status, sync?.friends?.reading === true)
            : texts.friendsTopEmpty}
        </CardEmptyState>
      ) : (
        <ul className="grid flex-1 grid-cols-2 content-start gap-4">
          {games
            ? games.slice(0, DASHBOARD.friendsTopGamesShown).map((game) => (
                <li key={game.appid}>
                  <Link
                    to={`/games/${game.appid}`}
                    className="grid gap-1.5 rounded-control transition hover:brightness-110"
                  >
                    <GameArt game={game} className="rounded-control shadow-card" />
                    <span className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3">
                      <Name className="line-clamp-1 min-w-0 flex-1 basis-28 font-semibold">{game.name}</Name>
                      <span className="text-sm text-soft tabular-nums">
                        {texts.friendsHours({ hours: roundedHours(game.total_playtime) })}
                      </span>
                    </span>
                  </Link>
                </li>
              ))
            : Array.from({ length: DASHBOARD.friendsTopGamesShown }, (_, row) => (
                <li key={row} aria-hidden className="grid gap-2">
                  <Skeleton className="aspect-[460/215] rounded-control" />
                  <Skeleton className="h-5 w-2/3" />
                </li>
              ))}
        </ul>
      )}
    </Card>
  )
}

/** Recent Activity: up to two groups that synced, and one friend who played a new game (DASH-31). */
export function RecentActivityCard({ className }: { className?: string }) {
  const { steamId } = useSignedIn()
  const query = useQuery(syncQueries.activity(steamId))
  const entries = rowsOrEmpty(query, shownActivity)

  return (
    <Card title={texts.recentActivity} className={className}>
      {entries?.length === 0 ? (
        <CardEmptyState query={query} icon={<CalendarClock />} always={texts.noActivity} />
      ) : (
        <ul className="grid flex-1 content-start gap-4">
          {entries
            ? entries.map((entry) => (
                <Entry key={entry.kind === 'group_synced' ? entry.group_id : entry.kind} entry={entry} />
              ))
            : Array.from({ length: DASHBOARD.activityGroups + DASHBOARD.activityFriends }, (_, row) => (
                <li key={row} aria-hidden className="flex items-center gap-3.5">
                  <Skeleton className="size-9 rounded-round" />
                  <Skeleton className="h-4 flex-1" />
                </li>
              ))}
        </ul>
      )}
    </Card>
  )
}

/** At most two lines about groups and one about a friend. */
function shownActivity(entries: readonly Activity[]): Activity[] {
  return [
    ...entries.filter(({ kind }) => kind === 'group_synced').slice(0, DASHBOARD.activityGroups),
    ...entries.filter(({ kind }) => kind === 'friend_played').slice(0, DASHBOARD.activityFriends),
  ]
}

function Entry({ entry }: { entry: Activity }) {
  const isGroup = entry.kind === 'group_synced'
  return (
    <li className="flex min-w-0 items-start gap-3.5">
      <span
        aria-hidden
        className={`grid size-9 shrink-0 place-items-center rounded-round bg-raised [&_svg]:size-4 ${isGroup ? 'text-mint' : 'text-violet'}`}
      >
        {isGroup ? <RefreshCw /> : <Gamepad2 />}
      </span>
      <div className="min-w-0">
        {isGroup ? (
          <p>
            <Sentence
              text={texts.groupSynced}
              values={{
                group: (
                  <Link to={`/groups/${entry.group_id}`} className="font-semibold hover:underline">
                    <Name>{entry.group_name}</Name>
                  </Link>
                ),
              }}
            />
          </p>
        ) : (
          <p>
            <Sentence
              text={texts.friendPlayed}
              values={{
                friend: (
                  <Link to={`/friends/${entry.steam_id}/games`} className="font-semibold hover:underline">
                    <Name>{nameOf(entry)}</Name>
                  </Link>
                ),
                game: (
                  <Link to={`/games/${entry.appid}`} className="hover:underline">
                    <Name>{entry.game_name}</Name>
                  </Link>
                ),
              }}
            />
          </p>
        )}
        <p className="text-xs text-soft">
          <RelativeTime time={entry.at} />
        </p>
      </div>
    </li>
  )
}
