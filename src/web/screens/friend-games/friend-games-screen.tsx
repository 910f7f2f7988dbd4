/** Friend's Games (FGAM-1): one friend's shelf, on both of its addresses. */
import { useQuery } from '@tanstack/react-query'
import { Gamepad2, Scale } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import type { Game, LibraryStatus } from '#shared/entities.ts'
import { hoursAndMinutes } from '#shared/playtime.ts'
import { friendsQueries } from '../../data/friends.ts'
import { isRefused } from '../../data/http.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ChooseFriend } from '../../ui/choose-friend.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FriendPicker } from '../../ui/friend-picker.tsx'
import { GameShelf } from '../../ui/game-shelf.tsx'
import { byName, type Order, viewedBy } from '../../ui/game-view.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Screen } from '../../ui/screen.tsx'
import { GameGridSkeleton } from '../../ui/skeletons.tsx'
import { SyncButton } from '../../ui/sync-button.tsx'

const text = messages.friendGames
/** While a library waits to be read for the first time it is looked for this often. */
const READING_EVERY_MS = 4000

const gamesOf = (steamId: string) => `/friends/${steamId}/games`

export function FriendGamesScreen() {
  const { steamId } = useSignedIn()
  const { friendSteamId } = useParams()
  const navigate = useNavigate()
  const stored = useQuery(friendsQueries.stored(steamId))
  const friends = stored.data?.friends ?? []
  const friend = friends.find((one) => one.steam_id === friendSteamId)
  // Fellow members of a group need not be on the friend list.
  const summary = useQuery({
    ...libraryQueries.summary(friendSteamId ?? ''),
    enabled: friendSteamId !== undefined && friend === undefined && !stored.isPending,
  })
  const person = friend ?? summary.data
  const name = person && nameOf(person)

  return (
    <Screen
      title={
        name === undefined ? (
          text.title
        ) : (
          <>
            {/* In one line with what follows: a box of its own would be read with a space behind it. */}
            <Name className="inline!">{name}</Name>
            {text.headingAfterName}
          </>
        )
      }
      windowTitle={name === undefined ? text.title : text.heading(name)}
      lead={friendSteamId !== undefined && <About key={friendSteamId} of={friendSteamId} />}
      action={friendSteamId !== undefined && <SyncTheirs key={friendSteamId} of={friendSteamId} />}
    >
      <div className="relative z-10 flex flex-wrap gap-3">
        <FriendPicker
          friends={friends}
          selected={friend}
          onSelect={(chosen) => void navigate(gamesOf(chosen.steam_id))}
          className="min-w-0 flex-1 basis-72"
        />
        {friend && (
          <ButtonLink
            to={`/games/1/comparison?friend=${friend.steam_id}`}
            icon={<Scale aria-hidden />}
            className="flex-1 sm:flex-none"
          >
            {text.compare}
          </ButtonLink>
        )}
      </div>
      {friendSteamId === undefined ? (
        <ChooseFriend
          query={stored}
          icon={<Gamepad2 />}
          text={text.choose}
          to={(pick) => gamesOf(pick.steam_id)}
        />
      ) : (
        // Its own for each friend: nothing of one is ever shown for another.
        <Shelf key={friendSteamId} of={friendSteamId} />
      )}
    </Screen>
  )
}

/** The button that reads this friend's library, unless it is not for me to read; one of my own syncs. */
function SyncTheirs({ of }: { of: string }) {
  const { steamId } = useSignedIn()
  const allowance = useQuery(syncQueries.status(steamId))
  const sync = useSyncGames(steamId, of)
  const { error } = useLibrary(of).library
  if (isRefused(error)) return null
  return <SyncButton key={of} label={text.sync} sync={sync} allowance={allowance.data} />
}

/** This friend's library, looked for again while it waits to be read. */
function useLibrary(of: string) {
  const { steamId } = useSignedIn()
  const isReading = (useQuery(syncQueries.status(steamId)).data?.libraries?.waiting ?? 0) > 0
  const library = useQuery({
    ...libraryQueries.games(of),
    refetchInterval: ({ state }) => isReading && state.data?.status === 'never' && READING_EVERY_MS,
  })
  return { library, isReading }
}

/** How many, and how old; of a library that is not known neither can be said. */
function About({ of }: { of: string }) {
  const { data } = useLibrary(of).library
  if (!data) return <span>&nbsp;</span>
  if (data.games.length === 0 && data.status !== 'ok') return messages.friends.library[data.status]
  return (
    <span className="tabular-nums">
      {messages.gameView.count(data.games.length)} ·{' '}
      {data.synced_at === null ? (
        messages.sync.neverSynced
      ) : (
        <>
          {messages.sync.synced} <RelativeTime time={data.synced_at} />
        </>
      )}
    </span>
  )
}

/** The games themselves, or why there are none. */
function Shelf({ of }: { of: string }) {
  const { library, isReading } = useLibrary(of)
  return (
    <Loaded
      query={library}
      skeleton={<GameGridSkeleton plain />}
      failed={text.failed}
      isEmpty={(answer) => answer.games.length === 0}
      empty={<NoGames status={library.data?.status ?? 'never'} isReading={isReading} />}
    >
      {({ games }) => (
        <GameShelf
          games={games}
          choices={choices}
          find={find}
          searchLabel={text.searchLabel}
          label={text.title}
          detail={(game) => messages.myGames.played(hoursAndMinutes(game.playtime_minutes))}
        />
      )}
    </Loaded>
  )
}

function NoGames({ status, isReading }: { status: LibraryStatus; isReading: boolean }) {
  return (
    <EmptyState icon={<Gamepad2 />}>
      <span className="block font-medium text-ink">{text.empty}</span>
      <span className="mt-1 block">{status === 'never' && isReading ? text.reading : text.why[status]}</span>
    </EmptyState>
  )
}

/** The two orders offered here (FGAM-5). */
const choices = { sorts: text.sort, modes: messages.gameView.modes }
const orders: Record<keyof typeof choices.sorts, Order<Game>> = { playtime: undefined, alphabetical: byName }
const find = viewedBy(orders)
