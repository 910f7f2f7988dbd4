/**
 * Friends Who Play (PLAY-1): the user's playtime of a game, and friends who own it.
 * Requirements: PLAY-2, PLAY-3.
 */
import { useQuery } from '@tanstack/react-query'
import { Scale, Search, UsersRound } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import type { Friend, FriendWithGame } from '#shared/entities.ts'
import { friendsQueries } from '../../data/friends.ts'
import { gamePageQuery } from '../../data/games.ts'
import { libraryQueries } from '../../data/library.ts'
import { useLibraryProgress } from '../../data/sync.ts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import {
  messages,
  ownerList as listText,
  gameFriends,
  library as libraryTexts,
  friends as friendsTexts,
  gameView,
} from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { appidOf, useQueryView } from '../../ui/query-string.ts'
import { Avatar, presenceOf, presenceText } from '../../ui/people/avatar.tsx'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Select, TextField } from '../../ui/forms/field.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { LibraryProgress } from '../../ui/forms/sync-button.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { VirtualGrid } from '../../ui/games/virtual-grid.tsx'
import { ownerParams, ownersShown, readNavigationState, unknownLibraries } from './game-friends.ts'
import { formatList, formatNumber, hoursAndMinutes } from '../../format.ts'

const text = gameFriends
const CARD_MIN_PX = 320
const CARD_HEIGHT_PX = 92
const GAP_PX = 16

/** The screen; nobody plays what has an id that no game can have. */
export function GameFriendsScreen() {
  const appid = appidOf(useParams().gameId)
  if (appid !== undefined) return <FriendsWhoPlay key={appid} appid={appid} />
  return (
    <Screen title={<Title name={undefined} />} windowTitle={text.title({ game: text.unknownGame })}>
      <EmptyState icon={<UsersRound />}>{text.empty}</EmptyState>
    </Screen>
  )
}

function Title({ name }: { name: string | undefined }) {
  return (
    <span className="block text-xl text-soft">
      <Sentence
        text={text.title}
        values={{
          game: (
            // On a line of its own, so that the words before it do not move when the name comes.
            <span className="block text-3xl leading-tight text-ink md:text-4xl">
              {name === undefined ? text.unknownGame : <Name>{name}</Name>}
            </span>
          ),
        }}
      />
    </span>
  )
}

/** The navigation state is shown at once, until the response arrives (ROUTE-10). */
function FriendsWhoPlay({ appid }: { appid: number }) {
  const { steamId } = useSignedIn()
  const navigationState = readNavigationState(useLocation().state)
  const playtime = useQuery(libraryQueries.gamePlaytime(steamId, appid))
  const owners = useQuery(friendsQueries.ofGame(steamId, appid))
  const friends = useQuery(friendsQueries.stored(steamId)).data?.friends ?? []
  const library = useQuery(libraryQueries.games(steamId)).data
  const mine = library?.games.find((game) => game.appid === appid)
  const isNotMine = library?.status === 'ok' && !mine
  // Only what is there already, from the game's page.
  const page = useQuery({ ...gamePageQuery(steamId, appid), enabled: false }).data

  const name = playtime.data?.game_name || navigationState.gameName || mine?.name || undefined
  const minutes = playtime.data?.playtime_minutes ?? navigationState.myPlaytime ?? mine?.playtime_minutes
  const face = { appid, name: name ?? text.unknownGame, image_url: (mine ?? page)?.image_url ?? null }

  return (
    <Screen title={<Title name={name} />} windowTitle={text.title({ game: face.name })}>
      {/* The heading may become shorter by a line when the name comes. */}
      {name === undefined && playtime.isPending ? (
        <ListSkeleton text={messages.loading} />
      ) : (
        // On a very wide window friends stand beside the game.
        <div className="grid items-start gap-6 min-[110rem]:grid-cols-[32rem_minmax(0,1fr)] min-[110rem]:gap-x-8">
          <section
            aria-label={text.yours}
            className="frosted grid items-center gap-5 overflow-hidden rounded-card sm:grid-cols-[minmax(0,22rem)_1fr] min-[110rem]:grid-cols-1"
          >
            <Link
              to={`/games/${appid}`}
              aria-label={listText.toGame({ game: face.name })}
              className="rounded-card transition hover:brightness-110 focus-visible:-outline-offset-2"
            >
              <GameArt game={face} />
            </Link>
            <div className="grid gap-1 px-5 pb-5 sm:py-5">
              <p className="text-sm text-soft">{text.yours}</p>
              <p className="text-3xl font-bold tracking-tight tabular-nums">
                {minutes === undefined ? '–' : hoursAndMinutes(minutes)}
              </p>
              {/* The same height with and without it. */}
              <p className="min-h-5 text-sm text-soft">{isNotMine && listText.notMine}</p>
            </div>
          </section>
          <section aria-labelledby="who-plays" className="grid min-w-0 gap-4">
            <header className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
              <h2 id="who-plays" className="text-xl font-semibold tracking-tight">
                {text.list}
              </h2>
              <p role="status" className="flex-1 text-sm whitespace-nowrap text-soft tabular-nums">
                {owners.data && friendsTexts.count({ friends: owners.data.length })}
              </p>
              {owners.data && owners.data.length > 0 && (
                <StartNight startWith={{ friends: owners.data.map(({ steam_id }) => steam_id) }} />
              )}
            </header>
            <Loaded
              query={owners}
              skeleton={<ListSkeleton text={messages.loading} />}
              failed={text.failed}
              empty={<EmptyState icon={<UsersRound />}>{text.empty}</EmptyState>}
            >
              {(list) => <Owners owners={list} friends={friends} appid={appid} />}
            </Loaded>
            {/* Not before the list above it. */}
            {!owners.isPending && <Unknown friends={friends} />}
          </section>
        </div>
      )}
    </Screen>
  )
}

/** Who plays it and who owns it, each under a heading of its own (PLAY-6). */
function Owners({
  owners,
  friends,
  appid,
}: {
  owners: readonly FriendWithGame[]
  friends: readonly Friend[]
  appid: number
}) {
  const known = useMemo(() => new Map(friends.map((friend) => [friend.steam_id, friend])), [friends])
  const [view, change] = useQueryView(ownerParams)
  const shownView = useDeferredValue(view)
  const { plays, owns } = useMemo(() => ownersShown(owners, shownView, known), [owners, shownView, known])
  const part = (title: string, people: readonly FriendWithGame[]) =>
    people.length > 0 && (
      <div className="grid gap-3">
        <h3 className="font-semibold">
          {title}{' '}
          <span className="text-sm font-normal text-soft tabular-nums">{formatNumber(people.length)}</span>
        </h3>
        <VirtualGrid
          items={people}
          keyOf={(owner) => owner.steam_id}
          minWidth={CARD_MIN_PX}
          gap={GAP_PX}
          heightOf={() => CARD_HEIGHT_PX}
          label={title}
        >
          {(owner) => <Owner owner={owner} friend={known.get(owner.steam_id)} appid={appid} />}
        </VirtualGrid>
      </div>
    )
  return (
    <div className="grid gap-5">
      <div role="search" className="grid gap-3 sm:grid-cols-[minmax(0,48rem)_auto] sm:justify-between">
        <TextField
          label={listText.searchLabel}
          hideLabel
          type="search"
          placeholder={friendsTexts.searchPlaceholder}
          icon={<Search />}
          value={view.search}
          onChange={(event) => change({ search: event.target.value })}
        />
        <Select
          label={gameView.sortLabel}
          hideLabel
          options={listText.sorts}
          value={view.sort}
          onChange={(sort) => change({ sort })}
        />
      </div>
      <p role="status" className="sr-only">
        {friendsTexts.count({ friends: plays.length + owns.length })}
      </p>
      {plays.length + owns.length === 0 ? (
        <EmptyState
          icon={<Search />}
          action={<Button onClick={() => change({ search: '' })}>{friendsTexts.showAll}</Button>}
        >
          {friendsTexts.noMatch}
        </EmptyState>
      ) : (
        <>
          {part(listText.plays, plays)}
          {part(listText.owns, owns)}
        </>
      )}
    </div>
  )
}

/** One friend, with links to their games and to the comparison. */
function Owner({
  owner,
  friend,
  appid,
}: {
  owner: FriendWithGame
  friend: Friend | undefined
  appid: number
}) {
  return (
    <div className="flex h-full items-center gap-4 rounded-card border border-line/70 bg-surface/85 pr-3 pl-4 shadow-card">
      <Avatar src={owner.avatar_url} presence={friend && presenceOf(friend)} />
      <div className="grid min-w-0 flex-1">
        <Link
          to={`/friends/${owner.steam_id}/games`}
          aria-description={friend && presenceText(friend)}
          className="-mt-4 flex min-h-11 min-w-0 items-end pb-0.5 font-semibold underline-offset-4 hover:underline"
        >
          <Name className="line-clamp-1">{nameOf(owner)}</Name>
        </Link>
        <p className="text-sm text-soft tabular-nums">{hoursAndMinutes(owner.playtime_minutes)}</p>
      </div>
      <ButtonLink
        to={`/games/${appid}/comparison?friend=${owner.steam_id}`}
        variant="quiet"
        icon={<Scale aria-hidden />}
        aria-label={text.compareWith({ name: nameOf(owner) })}
      >
        {text.compare}
      </ButtonLink>
    </div>
  )
}

/** Friends whose libraries are not known: how many, why, and the sync progress (PLAY-6). */
function Unknown({ friends }: { friends: readonly Friend[] }) {
  const progress = useLibraryProgress(useSignedIn().steamId)
  const { total, reasons } = unknownLibraries(friends)
  if (total === 0 && !progress) return null
  return (
    <div className="grid gap-3 rounded-card border border-line/70 bg-deep/50 p-4 text-sm text-soft">
      {progress && <LibraryProgress {...progress} />}
      {total > 0 && (
        <p>
          {text.unavailable({
            friends: total,
            reasons: formatList(
              reasons.map(([reason, count]) => libraryTexts.unavailable[reason]({ friends: count })),
              'unit',
            ),
          })}
        </p>
      )}
    </div>
  )
}
