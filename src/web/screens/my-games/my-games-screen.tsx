/** My Games (SPEC.md 2): everything I own, and who else plays it. */
import { useQuery } from '@tanstack/react-query'
import { Library, Search, UsersRound } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { hoursAndMinutes } from '#shared/playtime.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { GameGrid } from '../../ui/game-grid.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PrivateNotice } from '../../ui/private-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Screen } from '../../ui/screen.tsx'
import { GameGridSkeleton } from '../../ui/skeletons.tsx'
import { SyncButton } from '../../ui/sync-button.tsx'
import { useGameView, viewGames } from '../../ui/game-view.ts'

const text = messages.myGames

export function MyGamesScreen() {
  const { steamId } = useSignedIn()
  const library = useQuery(libraryQueries.games(steamId))
  const allowance = useQuery(syncQueries.status(steamId))
  const sync = useSyncGames(steamId, steamId)
  const [view, setView] = useGameView()
  const shownView = useDeferredValue(view)
  const all = library.data?.games
  const games = useMemo(() => (all ? viewGames(all, shownView) : []), [all, shownView])

  return (
    <Screen
      title={text.title}
      lead={library.data && <About count={library.data.games.length} syncedAt={library.data.synced_at} />}
      action={<SyncButton label={text.sync} sync={sync} allowance={allowance.data} />}
    >
      {library.data?.status === 'private' && (
        <PrivateNotice title={text.privateTitle}>
          {text.privateHint} {library.data.games.length > 0 && text.privateKept}
        </PrivateNotice>
      )}
      <Loaded
        query={library}
        skeleton={<GameGridSkeleton />}
        failed={text.failed}
        isEmpty={(answer) => answer.games.length === 0}
        empty={<EmptyState icon={<Library />}>{text.empty}</EmptyState>}
      >
        {() => (
          <>
            <div
              role="search"
              className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-3 md:grid-cols-[1fr_auto_auto]"
            >
              <TextField
                label={text.searchLabel}
                className="col-span-2 md:col-span-1"
                hideLabel
                type="search"
                placeholder={text.searchPlaceholder}
                icon={<Search />}
                value={view.search}
                onChange={(event) => setView({ search: event.target.value })}
              />
              <Select
                label={messages.gameView.modeLabel}
                hideLabel
                options={messages.gameView.modes}
                value={view.mode}
                onChange={(mode) => setView({ mode })}
              />
              <Select
                label={messages.gameView.sortLabel}
                hideLabel
                options={messages.gameView.sorts}
                value={view.sort}
                onChange={(sort) => setView({ sort })}
              />
            </div>
            <p role="status" className="sr-only">
              {messages.gameView.count(games.length)}
            </p>
            {games.length === 0 ? (
              <EmptyState
                icon={<Search />}
                action={
                  <Button onClick={() => setView({ search: '', mode: 'any' })}>
                    {messages.gameView.showAll}
                  </Button>
                }
              >
                {messages.gameView.noMatch}
              </EmptyState>
            ) : (
              <GameGrid
                games={games}
                label={text.title}
                detail={(game) => text.played(hoursAndMinutes(game.playtime_minutes))}
                action={(game) => (
                  <ButtonLink
                    to={`/games/${game.id}/friends`}
                    state={{ myPlaytime: game.playtime_minutes, gameName: game.name }}
                    icon={<UsersRound aria-hidden />}
                  >
                    {text.compare}
                  </ButtonLink>
                )}
              />
            )}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

/** How many, and how old. */
function About({ count, syncedAt }: { count: number; syncedAt: string | null }) {
  return (
    <span className="tabular-nums">
      {messages.gameView.count(count)} ·{' '}
      {syncedAt === null ? (
        messages.sync.neverSynced
      ) : (
        <>
          {messages.sync.synced} <RelativeTime time={syncedAt} />
        </>
      )}
    </span>
  )
}
