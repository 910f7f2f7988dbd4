/**
 * A game's page (GAME-1): my time in it, who plays it, who owns it, and which groups have it together.
 * Requirements: GAME-7.
 */
import { useQuery } from '@tanstack/react-query'
import { SearchX, Store } from 'lucide-react'
import { useParams } from 'react-router'
import type { GameFeature, GamePage, PlayMode } from '#shared/entities.ts'
import { friendsQueries } from '../../data/friends.ts'
import { gamePageQuery } from '../../data/games.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages } from '../../messages.ts'
import { gamePage as text, gameList } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FeatureBadge } from '../../ui/feature-badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Name } from '../../ui/name.tsx'
import { PlayersMark } from '../../ui/game-players-mark.tsx'
import { Screen } from '../../ui/screen.tsx'
import { ListSkeleton, Loading, Skeleton } from '../../ui/skeletons.tsx'
import { storeOf } from '../../ui/steam-links.ts'
import { GameFriends } from './game-friends.tsx'
import { GameGroups } from './game-groups.tsx'
import { MyTime } from './my-time.tsx'
import { appidOf } from '../../ui/appid.ts'

/** The screen; an id that no game can have is an unknown game. */
export function GameScreen() {
  const appid = appidOf(useParams().gameId)
  return appid === undefined ? <UnknownGame /> : <KnownGame key={appid} appid={appid} />
}

function KnownGame({ appid }: { appid: number }) {
  const { steamId } = useSignedIn()
  const query = useQuery(gamePageQuery(steamId, appid))
  const friends = useQuery(friendsQueries.stored(steamId)).data?.friends ?? []
  // Only what is there already: the name stands there at once when one comes from a list.
  const listed = useQuery({ ...libraryQueries.games(steamId), enabled: false }).data?.games
  const page = query.data
  const name = page?.name ?? listed?.find((game) => game.appid === appid)?.name

  if (page && !isKnown(page)) return <UnknownGame appid={appid} />
  return (
    <Screen
      title={name === undefined ? text.untitled : <Name>{name}</Name>}
      windowTitle={name ?? text.untitled}
      lead={<Lead page={page} />}
    >
      <Loaded query={query} skeleton={<PageSkeleton />} failed={text.failed}>
        {(game) => (
          // On a very wide window friends stand beside everything else.
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] min-[110rem]:grid-cols-[32rem_minmax(0,1fr)] min-[110rem]:grid-rows-[auto_1fr] min-[110rem]:gap-x-8">
            <MyTime game={game} />
            <GameFriends game={game} friends={friends} />
            <GameGroups game={game} />
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

/** A game that nobody here has had can still be in my library or in a friend's, right after a sync. */
function isKnown({ known, mine, friends }: GamePage): boolean {
  return known || mine !== null || friends.length > 0
}

/** What the app is, and how it is played; as tall while it is loading. */
function Lead({ page }: { page: GamePage | undefined }) {
  if (!page) return <span>&nbsp;</span>
  const { kind, is_free, features, modes } = page
  const words = [
    kind !== null && kind !== 'game' && gameList.kinds[kind],
    ...modesBeside(features, modes).map((mode) => gameList.modes[mode]),
  ].filter((word) => word !== false)
  return (
    <div
      className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1.5"
      aria-label={text.howPlayed}
      role="group"
    >
      {is_free === true && (
        <span className="inline-flex h-6 items-center rounded-chip bg-mint/15 px-1.5 text-xs font-semibold text-mint">
          {text.free}
        </span>
      )}
      <PlayersMark game={page} />
      {features.map((feature) => (
        <FeatureBadge key={feature} feature={feature} />
      ))}
      <span>
        {words.length > 0 ? words.join(' · ') : features.length === 0 && messages.gameView.unknownModes}
      </span>
    </div>
  )
}

/** What a badge says already: 'Online co-op' is multiplayer, co-op and online. */
const saidBy: Record<GameFeature, readonly PlayMode[]> = {
  online_coop: ['multi', 'coop', 'online'],
  online_versus: ['multi', 'online'],
  same_screen: ['multi'],
  remote_play: [],
  cross_platform: [],
}

/** The modes that the badges do not say; whether one can play on one screen is said by a badge only. */
const modesBeside = (features: readonly GameFeature[], modes: readonly PlayMode[]) =>
  modes.filter(
    (mode): mode is Exclude<PlayMode, 'local'> =>
      mode !== 'local' && !features.some((feature) => saidBy[feature].includes(mode)),
  )

function UnknownGame({ appid }: { appid?: number }) {
  return (
    <Screen title={text.unknown.title}>
      <EmptyState
        icon={<SearchX />}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink to="/my_games" variant="primary">
              {text.unknown.toMyGames}
            </ButtonLink>
            <ButtonLink to="/dashboard">{messages.notFound.back}</ButtonLink>
            {appid !== undefined && (
              <ButtonLink {...storeOf(appid)} variant="quiet" icon={<Store aria-hidden />}>
                {text.store} <span className="sr-only">{text.inNewTab}</span>
              </ButtonLink>
            )}
          </div>
        }
      >
        {text.unknown.text}
      </EmptyState>
    </Screen>
  )
}

function PageSkeleton() {
  return (
    <Loading>
      <div className="grid overflow-hidden rounded-card border border-line/60 bg-surface/60 md:grid-cols-[minmax(0,30rem)_1fr] min-[110rem]:max-w-lg min-[110rem]:grid-cols-1">
        <Skeleton className="aspect-[460/215] rounded-none" />
        <div className="grid content-center gap-4 p-5">
          <Skeleton className="h-10 w-2/3" />
          <Skeleton className="h-11 w-1/2 rounded-control" />
        </div>
      </div>
      <ListSkeleton />
    </Loading>
  )
}
