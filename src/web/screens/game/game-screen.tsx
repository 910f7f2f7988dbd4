/** A game's page: my time in it and what leads on (GAME-1, GAME-3), groups that have it (GAME-4); GAME-7. */
import { useQuery } from '@tanstack/react-query'
import { SearchX, Store, Download, Play, UsersRound } from 'lucide-react'
import { useParams, Link } from 'react-router'
import type { GameFeature, GamePage, PlayMode } from '#shared/entities.ts'
import { friendsQueries } from '../../data/friends.ts'
import { gamePageQuery, useHiddenGames, useOnceMoreForPrices } from '../../data/games.ts'
import { libraryQueries } from '../../data/library.ts'
import {
  gamePage as text,
  gameList,
  hiddenGames,
  gameView,
  notFound,
  groups as groupsTexts,
  gameMarks,
} from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { groupsQueries } from '../../data/groups.ts'
import { isolated } from '#shared/names.ts'
import { isAddedGame } from '#shared/playable.ts'
import { isNotFound } from '../../data/http.ts'
import { Fold } from '../../ui/frames/fold.tsx'
import { ElsewhereChoice, Wish } from '../../layout/game-marks.tsx'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { FeatureBadge } from '../../ui/games/feature-badges.tsx'
import { Name } from '../../ui/people/name.tsx'
import { PlayersMark, ListPlayers } from '../../ui/games/game-players-mark.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { ListSkeleton, Loading, Skeleton } from '../../ui/frames/skeletons.tsx'
import { storeOf, installOf, launchOf } from '../../ui/people/steam-privacy.tsx'
import { GameFriends } from './game-friends.tsx'
import { appidOf } from '../../ui/query-string.ts'
import { type ReactNode, useId } from 'react'
import { hostOf, hoursAndMinutes } from '../../format.ts'
import { outsideOf } from '../../ui/games/outside-link.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { HideGameButton, HideGameNotice } from '../../ui/games/hide-game.tsx'
import { PriceSource, priceText } from '../../ui/games/price.tsx'
import { RelativeTime, useNow } from '../../ui/words/relative-time.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'

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
  useOnceMoreForPrices(query, page?.price === null && page.is_free !== true)
  const name = page?.name ?? listed?.find((game) => game.appid === appid)?.name

  if ((page && !isKnown(page)) || isNotFound(query.error)) return <UnknownGame appid={appid} />
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
            {!game.link && <GameFriends game={game} friends={friends} />}
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
  const { kind, is_free, features, modes, link } = page
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
      {is_free === true && !link && (
        <span className="inline-flex h-6 items-center rounded-chip bg-mint/15 px-1.5 text-xs font-semibold text-mint">
          {text.free}
        </span>
      )}
      <PlayersMark game={page} />
      {features.map((feature) => (
        <FeatureBadge key={feature} feature={feature} />
      ))}
      <span>{words.length > 0 ? words.join(' · ') : features.length === 0 && gameView.unknownModes}</span>
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
            <ButtonLink to="/dashboard">{notFound.back}</ButtonLink>
            {appid !== undefined && !isAddedGame(appid) && (
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

function MyTime({ game }: { game: GamePage }) {
  const { appid, mine } = game
  const hiding = useHiddenGames(useSignedIn().steamId)
  const now = useNow()
  const isHidden = hiding.hidden.has(appid)
  return (
    <section
      aria-label={text.mine}
      className="frosted grid items-center overflow-hidden rounded-card md:grid-cols-[minmax(0,26rem)_1fr] lg:col-span-2 min-[110rem]:col-span-1 min-[110rem]:grid-cols-1"
    >
      <GameArt
        game={game}
        className="md:m-5 md:w-auto! md:rounded-control min-[110rem]:m-0 min-[110rem]:rounded-none"
      />
      <div className="grid min-w-0 gap-5 p-5 lg:px-7">
        {game.link ? (
          <p className="text-lg font-semibold text-soft">{text.notOnSteam}</p>
        ) : mine ? (
          <dl className="flex flex-wrap gap-x-8 gap-y-3 tabular-nums">
            <Figure label={text.total}>{hoursAndMinutes(mine.playtime_minutes)}</Figure>
            <Figure label={text.recent}>{hoursAndMinutes(mine.playtime_2weeks_minutes)}</Figure>
            <Figure label={text.lastPlayed}>
              {mine.last_played_at !== null ? (
                <RelativeTime time={mine.last_played_at} />
              ) : mine.playtime_minutes > 0 ? (
                text.lastUnknown
              ) : (
                text.neverPlayed
              )}
            </Figure>
          </dl>
        ) : (
          <div className="grid gap-3">
            <p className="text-lg font-semibold text-soft">{text.notMine}</p>
            <ElsewhereChoice appid={appid} elsewhere={game.elsewhere} />
          </div>
        )}
        {game.players && (
          <p className="-mt-2 text-sm text-soft">
            <ListPlayers players={game.players} />
          </p>
        )}
        {/* A price may come a little later, and moves nothing then. */}
        {game.is_free !== true && game.known && (
          <p className="-mt-2 min-h-10 text-sm text-soft sm:min-h-5">
            {game.price && (
              <>
                <span className="font-semibold text-ink">{priceText(game.price, 1, now)}</span>{' '}
                <PriceSource prices={[game.price]} />
              </>
            )}
          </p>
        )}
        {/* Equal widths, and no text that changes them: what was pressed stays where it is. */}
        <div className="grid grid-cols-2 gap-3">
          {mine && (
            <>
              <ButtonLink to={launchOf(appid)} variant="primary" icon={<Play aria-hidden />}>
                {text.launch} <span className="sr-only">{text.inSteam}</span>
              </ButtonLink>
              <ButtonLink to={installOf(appid)} icon={<Download aria-hidden />}>
                {text.install} <span className="sr-only">{text.inSteam}</span>
              </ButtonLink>
            </>
          )}
          {game.link ? (
            <ButtonLink
              {...outsideOf(game.link)}
              variant="primary"
              icon={<Play aria-hidden />}
              className="col-span-2"
            >
              <bdi className="truncate">{text.play({ host: hostOf(game.link) })}</bdi>
              <span className="sr-only">{text.inOtherTab}</span>
            </ButtonLink>
          ) : (
            <>
              <ButtonLink {...storeOf(appid)} icon={<Store aria-hidden />}>
                {text.store} <span className="sr-only">{text.inNewTab}</span>
              </ButtonLink>
              <ButtonLink
                to={`/games/${appid}/friends`}
                state={{ gameName: game.name, ...(mine && { myPlaytime: mine.playtime_minutes }) }}
                icon={<UsersRound aria-hidden />}
                className="px-3!"
              >
                {text.friendsWhoPlay}
              </ButtonLink>
            </>
          )}
        </div>
        {mine && (
          <div className="grid gap-1.5">
            <HideGameButton game={game} isHidden={isHidden} onChange={hiding.change} isWide />
            <p className="grid text-xs *:col-start-1 *:row-start-1">
              <span className={isHidden ? 'invisible' : 'text-soft'}>{hiddenGames.about}</span>
              <span className={isHidden ? 'text-violet' : 'invisible'}>{hiddenGames.isHidden}</span>
            </p>
          </div>
        )}
      </div>
      <HideGameNotice last={hiding.last} onChange={hiding.change} />
    </section>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="text-2xl font-bold tracking-tight tabular-nums">{children}</dd>
    </div>
  )
}

function GameGroups({ game }: { game: GamePage }) {
  const { groups, more_groups } = game
  const heading = useId()
  const joined =
    useQuery(groupsQueries.list(useSignedIn().steamId)).data?.filter(({ joined }) => joined) ?? []
  const mine = joined.filter(
    ({ group_id }) => !game.link || groups.some((group) => group.group_id === group_id),
  )
  return (
    <section aria-labelledby={heading} className="grid min-w-0 gap-4">
      <h2 id={heading} className="text-xl font-semibold tracking-tight">
        {game.link ? text.itsGroup : text.groups}
      </h2>
      {groups.length === 0 ? (
        <p className="text-sm text-soft">{text.noGroups}</p>
      ) : (
        <ul aria-labelledby={heading} className="grid gap-2.5">
          {groups.map((group) => (
            <li key={group.group_id} className="min-w-0">
              <Link
                to={`/groups/${group.group_id}`}
                className="flex min-h-16 min-w-0 items-center gap-3.5 rounded-control border border-line/70 bg-surface/85 p-3 transition hover:border-edge/70 hover:bg-raised/70"
              >
                <GroupPicture group={group} className="size-11 rounded-control text-sm" />
                <span className="grid min-w-0">
                  <Name className="line-clamp-1 font-semibold">{group.name}</Name>{' '}
                  <span className="text-sm text-soft tabular-nums">
                    {groupsTexts.members({ count: group.member_count })}
                    {group.counted < group.member_count &&
                      ` · ${text.counted({ counted: group.counted, members: group.member_count })}`}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {mine.length > 0 && (
        <Fold isSmall title={gameMarks.wantFold}>
          <div className="flex flex-wrap gap-2">
            {mine.map(({ group_id, name }) => (
              <Wish
                key={group_id}
                page={game}
                groupId={group_id}
                label={gameMarks.wantWith({ group: isolated(name) })}
              />
            ))}
          </div>
        </Fold>
      )}
      {more_groups && <p className="text-sm text-soft">{text.moreGroups}</p>}
    </section>
  )
}
