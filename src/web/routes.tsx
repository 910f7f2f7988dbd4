/**
 * The routes (ROUTE-1 to ROUTE-10).
 * Requirements: ROUTE-2.
 */
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import { AppLayout } from './layout/app-layout.tsx'
import { loadFind } from './layout/find/find.tsx'
import { PublicLayout } from './layout/public-layout.tsx'
import { RequireSession } from './require-session.tsx'
import { whenTryingIsWorthwhile } from './data/query-client.ts'
import { Button } from './ui/forms/button.tsx'
import { ErrorBoundary } from './ui/frames/error-boundary.tsx'
import { messages, dashboard, login } from 'virtual:texts'
import { ListSkeleton, Loading, Skeleton } from './ui/frames/skeletons.tsx'

const loaders: (() => Promise<unknown>)[] = []

type ScreenComponent = ComponentType<{ fallback: ReactNode }>

/**
 * A screen whose code is loaded when it is first shown, or earlier by {@link preloadScreens}; until then it shows
 * `fallback`. Without React's `lazy`: after a fallback that shows the screen no sooner than 300 ms later, and only then
 * would it request its data.
 * @param isRare most people never open it, so its code is not loaded earlier
 */
function screen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  { isRare = false } = {},
): ScreenComponent {
  let loaded: ComponentType | undefined
  const loadCode = async () => (loaded ??= (await load())[name])
  if (!isRare) loaders.push(loadCode)

  return function Screen({ fallback }) {
    const [Code, setCode] = useState(() => loaded)
    const [hasFailed, setFailed] = useState(false)
    useEffect(() => {
      if (Code) return
      const tryAgain = () =>
        loadCode().then(
          (code) => setCode(() => code),
          () => setFailed(true),
        )
      void tryAgain()
      return whenTryingIsWorthwhile(tryAgain)
    }, [Code])
    return Code ? <Code /> : hasFailed ? <CodeMissing /> : fallback
  }
}

/** In place of a screen whose code could not be loaded (PAGE-33). It is tried again meanwhile. */
function CodeMissing() {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-control bg-rose-deep/15 p-4">
      <h1 className="font-semibold text-rose">{messages.networkError}</h1>
      <p className="text-sm text-soft">{messages.codeMissing}</p>
      {/* Reloaded, because a new version of the pages may have replaced the code. */}
      <Button onClick={() => location.reload()}>{messages.tryAgain}</Button>
    </div>
  )
}

const Dashboard = screen(() => import('./screens/dashboard/dashboard-screen.tsx'), 'DashboardScreen')
const Login = screen(() => import('./screens/login/login-screen.tsx'), 'LoginScreen')
const SignInLanding = screen(
  () => import('./screens/sign-in-landing/sign-in-landing-screen.tsx'),
  'SignInLandingScreen',
)
const MyGames = screen(() => import('./screens/my-games/my-games-screen.tsx'), 'MyGamesScreen')
const Shelf = screen(() => import('./screens/shelf/shelf-screen.tsx'), 'ShelfScreen')
const Friends = screen(() => import('./screens/friends/friends-screen.tsx'), 'FriendsScreen')
const FriendGames = screen(
  () => import('./screens/friend-games/friend-games-screen.tsx'),
  'FriendGamesScreen',
)
const GameComparison = screen(
  () => import('./screens/game-comparison/game-comparison-screen.tsx'),
  'GameComparisonScreen',
)
const Game = screen(() => import('./screens/game/game-screen.tsx'), 'GameScreen')
const GameFriends = screen(
  () => import('./screens/game-friends/game-friends-screen.tsx'),
  'GameFriendsScreen',
)
const Groups = screen(() => import('./screens/groups/groups-screen.tsx'), 'GroupsScreen')
const GroupDetail = screen(
  () => import('./screens/group-detail/group-detail-screen.tsx'),
  'GroupDetailScreen',
)
const Nights = screen(() => import('./screens/nights/nights-screen.tsx'), 'NightsScreen')
const Night = screen(() => import('./screens/night/night-screen.tsx'), 'NightScreen')
const Lately = screen(() => import('./screens/lately/lately-screen.tsx'), 'LatelyScreen')
const YearScreen = screen(() => import('./screens/year/year-screen.tsx'), 'YearScreen', { isRare: true })
const DrawCheck = screen(() => import('./screens/night/draw-check-screen.tsx'), 'DrawCheckScreen')
const Join = screen(() => import('./screens/join/join-screen.tsx'), 'JoinScreen')
const NotFound = screen(() => import('./screens/not-found/not-found-screen.tsx'), 'NotFoundScreen')
const Account = screen(() => import('./screens/account/account-screen.tsx'), 'AccountScreen')
const Operator = screen(() => import('./screens/operator/operator-screen.tsx'), 'OperatorScreen', {
  isRare: true,
})
const Privacy = screen(() => import('./screens/privacy/privacy-screen.tsx'), 'PrivacyScreen')

type Row = {
  path: string
  screen: ScreenComponent
  /** Routes of one name share one screen: navigating between them does not remount it. */
  name?: string
}

const protectedRows: Row[] = [
  { path: '/', screen: Dashboard, name: 'dashboard' },
  { path: '/dashboard', screen: Dashboard, name: 'dashboard' },
  { path: '/my_games', screen: MyGames },
  { path: '/my_games/shelf', screen: Shelf },
  { path: '/my_games/year', screen: YearScreen },
  { path: '/friends', screen: Friends },
  { path: '/friends/games', screen: FriendGames, name: 'friend-games' },
  { path: '/friends/:friendSteamId/games', screen: FriendGames, name: 'friend-games' },
  { path: '/games/:gameId/comparison', screen: GameComparison },
  { path: '/games/:gameId', screen: Game },
  { path: '/games/:gameId/friends', screen: GameFriends },
  { path: '/groups', screen: Groups },
  { path: '/groups/:groupId', screen: GroupDetail },
  { path: '/groups/:groupId/year', screen: YearScreen },
  { path: '/nights', screen: Nights },
  { path: '/nights/:nightId', screen: Night },
  { path: '/nights/:nightId/draw', screen: DrawCheck },
  { path: '/lately', screen: Lately },
  { path: '/account', screen: Account },
  { path: '/operator', screen: Operator },
]
const publicRows: Row[] = [
  { path: '/login', screen: Login },
  { path: '/steam-auth-success', screen: SignInLanding, name: 'landing' },
  { path: '/privacy', screen: Privacy, name: 'privacy' },
  { path: '/join/:token', screen: Join, name: 'join' },
  { path: '*', screen: NotFound },
]

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<RequireSession />}>
        <Route element={<AppLayout />}>{protectedRows.map(routeOf)}</Route>
      </Route>
      <Route element={<PublicLayout />}>{publicRows.map(routeOf)}</Route>
    </Routes>
  )
}

/** Dialogs that several screens open; loaded in idle time too, so that the first press is answered at once. */
const dialogLoaders = [
  loadFind,
  () => import('./layout/night-start/start-night-dialog.tsx'),
  () => import('./layout/invite/invite-dialog.tsx'),
]

/** Loads the code of all screens, and of the dialogs, in idle time, one by one, so that navigation does not wait for it. */
export async function preloadScreens(): Promise<void> {
  for (const load of [...loaders, ...dialogLoaders]) {
    await idle()
    // A screen that failed to load is loaded again when it is shown.
    await load().catch(() => undefined)
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve, 200)
  })
}

function routeOf({ path, screen, name }: Row) {
  return <Route key={path} path={path} element={<Framed screen={screen} name={name} />} />
}

/** What stands there while the code of a screen is loaded, in the shape of the screen; a list for most. */
const fallbacks: Record<string, ReactNode> = {
  dashboard: (
    <Loading text={dashboard.loading}>
      <Skeleton className="h-96 rounded-card" />
    </Loading>
  ),
  join: <Loading />,
  landing: <Loading text={login.signingIn} />,
  // Longer than the window, like the screen: the footer would jump.
  privacy: (
    <div className="min-h-svh">
      <ListSkeleton />
    </div>
  ),
}

/** A screen with its own error boundary and loading state. */
function Framed({ screen: Screen, name }: Pick<Row, 'screen' | 'name'>) {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary key={name ?? pathname} reload>
      <Screen fallback={fallbacks[name ?? 'list'] ?? <ListSkeleton />} />
    </ErrorBoundary>
  )
}
