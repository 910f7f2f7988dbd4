/**
 * Friend's Games (FGAM-2), on both of its routes (ROUTE-2).
 * Requirements: FGAM-3, FGAM-6.
 */
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Gamepad2, Scale, UserRoundX } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { LibraryStatus, Player } from '#shared/entities.ts'
import { isSteamId } from '#shared/steam-id.ts'
import { hoursAndMinutes } from '../../format.ts'
import { friendsQueries } from '../../data/friends.ts'
import { isRefused } from '../../data/http.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { syncQueries } from '../../data/sync.ts'
import { friendGames, library as libraryTexts, myGames as myGamesTexts, gameView } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { ChooseFriend, FriendPicker } from '../../ui/people/friend-picker.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { GameShelf, librarySorts, undatedSorts } from '../../ui/games/game-shelf.tsx'
import { GameGridSkeleton } from '../../ui/games/game-grid-skeleton.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { canBeChosen } from '../../ui/people/people.ts'
import { PrivateHelp } from '../../ui/people/private-help.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { SyncButton } from '../../ui/forms/sync-button.tsx'
import { ListSummary } from '../../ui/words/relative-time.tsx'

const text = friendGames

const gamesOf = (steamId: string) => `/friends/${steamId}/games`

/** An id that nobody can have is not asked for, and the page says so (PAGE-32). */
export function FriendGamesScreen() {
  const { steamId } = useSignedIn()
  const inPath = useParams().friendSteamId
  const friendSteamId = inPath !== undefined && isSteamId(inPath) ? inPath : undefined
  const navigate = useNavigate()
  const stored = useQuery(friendsQueries.stored(steamId))
  const friends = stored.data?.friends ?? []
  const friend = friends.find((one) => one.steam_id === friendSteamId)
  // A member of a common group may not be on the friend list.
  const summary = useQuery({
    ...libraryQueries.summary(friendSteamId ?? ''),
    enabled: friendSteamId !== undefined && friend === undefined && !stored.isPending,
  })
  const isFormer = friend !== undefined && !canBeChosen(friend)
  /** Whose library can be asked for. */
  const shownId = isFormer ? undefined : friendSteamId
  const person = friend ?? summary.data
  const name = person && nameOf(person)

  // A name may take a second line: what is below it comes with it, so that nothing moves.
  if (friendSteamId !== undefined && name === undefined && summary.isPending)
    return (
      <Screen loading title={text.title}>
        <Loading key={friendSteamId} of={friendSteamId} />
      </Screen>
    )

  return (
    <Screen
      title={
        name === undefined ? (
          text.title
        ) : (
          // Inline: after an inline block, screen readers would read a space before 's.
          <Sentence text={text.heading} values={{ name: <Name className="inline!">{name}</Name> }} />
        )
      }
      windowTitle={name === undefined ? text.title : text.heading({ name })}
      lead={
        shownId !== undefined && (
          // As wide as it gets, so that the action does not move below it when the summary comes.
          <div className="sm:min-w-88">
            <LibrarySummary key={shownId} of={shownId} />
          </div>
        )
      }
      action={shownId !== undefined && <SyncTheirs key={shownId} of={shownId} />}
    >
      <div className="relative z-10 flex flex-wrap gap-3">
        <FriendPicker
          friends={friends}
          isLoading={stored.isPending}
          selected={friend}
          onSelect={(chosen) => void navigate(gamesOf(chosen.steam_id))}
          className="min-w-0 flex-1 basis-72 sm:max-w-96"
        />
        {/* There before the friends are, so that the games below do not move. */}
        {shownId !== undefined && (friend || stored.isPending) && (
          <ButtonLink
            to={`/games/1/comparison?friend=${shownId}`}
            icon={<Scale aria-hidden />}
            className="flex-1 sm:flex-none"
          >
            {text.compare}
          </ButtonLink>
        )}
      </div>
      {isFormer ? (
        <EmptyState icon={<UserRoundX />}>
          <span className="block font-medium text-ink">{text.former}</span>
          <span className="mt-1 block">{text.formerRemedy}</span>
        </EmptyState>
      ) : friendSteamId === undefined ? (
        <ChooseFriend
          query={stored}
          icon={<Gamepad2 />}
          text={inPath === undefined ? text.choose : text.nobody}
          to={(pick) => gamesOf(pick.steam_id)}
        />
      ) : (
        // The key prevents data of one friend from being shown for another.
        <Shelf
          key={friendSteamId}
          of={friendSteamId}
          person={person ?? { steam_id: friendSteamId, display_name: null }}
        />
      )}
    </Screen>
  )
}

/** Prefetches what the screen shows first while the name is loading. */
function Loading({ of }: { of: string }) {
  usePrefetchQuery(libraryQueries.games(of))
  usePrefetchQuery(syncQueries.status(useSignedIn().steamId))
  return <GameGridSkeleton plain />
}

/** Syncs this friend's library, which uses one of my syncs; hidden if I may not see it. */
function SyncTheirs({ of }: { of: string }) {
  const { steamId } = useSignedIn()
  const allowance = useQuery(syncQueries.status(steamId))
  const sync = useSyncGames(steamId, of)
  const { error, data } = useLibrary(of).library
  if (isRefused(error)) return null
  return (
    <SyncButton
      key={of}
      label={text.sync}
      sync={sync}
      allowance={allowance.data}
      syncedAt={data?.synced_at}
    />
  )
}

/** This friend's library, and whether libraries are being synced. */
function useLibrary(of: string) {
  const { steamId } = useSignedIn()
  const isSyncing = (useQuery(syncQueries.status(steamId)).data?.libraries?.waiting ?? 0) > 0
  const library = useQuery(libraryQueries.games(of))
  return { library, isSyncing }
}

/** The number of games and their age, or why the library is not known. */
function LibrarySummary({ of }: { of: string }) {
  const { data } = useLibrary(of).library
  if (data?.games.length === 0 && data.status !== 'ok') return libraryTexts.label[data.status]
  return <ListSummary list={data} counts={({ games }) => [gameView.count({ games: games.length })]} />
}

/** The games, or why there are none. */
function Shelf({ of, person }: { of: string; person: Pick<Player, 'steam_id' | 'display_name'> }) {
  const { library, isSyncing } = useLibrary(of)
  const owned = useOwned()
  return (
    <Loaded
      query={library}
      skeleton={<GameGridSkeleton plain />}
      failed={text.failed}
      isEmpty={({ games }) => games.length === 0}
      empty={<NoGames status={library.data?.status ?? 'never'} isSyncing={isSyncing} person={person} />}
    >
      {({ games }) => (
        <GameShelf
          games={games}
          sorts={games.some(({ last_played_at }) => last_played_at !== null) ? librarySorts : undatedSorts}
          owned={owned}
          searchLabel={text.searchLabel}
          label={text.title}
          detail={(game) => myGamesTexts.played({ playtime: hoursAndMinutes(game.playtime_minutes) })}
        />
      )}
    </Loaded>
  )
}

function NoGames({
  status,
  isSyncing,
  person,
}: {
  status: LibraryStatus
  isSyncing: boolean
  person: Pick<Player, 'steam_id' | 'display_name'>
}) {
  return (
    <EmptyState icon={<Gamepad2 />} action={status === 'private' && <PrivateHelp people={[person]} />}>
      <span className="block font-medium text-ink">{text.empty}</span>
      <span className="mt-1 block">
        {status === 'never' && isSyncing ? text.syncing : libraryTexts.emptyShelf[status]}
      </span>
    </EmptyState>
  )
}

/** The appids of my own games; null while, or if, they are not known. */
function useOwned(): ReadonlySet<number> | null {
  const { data } = useQuery(libraryQueries.games(useSignedIn().steamId))
  return useMemo(
    () =>
      data && (data.status === 'ok' || data.games.length > 0)
        ? new Set(data.games.map(({ appid }) => appid))
        : null,
    [data],
  )
}
