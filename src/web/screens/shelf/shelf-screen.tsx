/** My Shelf (SHELF-1): what the user has played, in pictures. */
import { useQuery } from '@tanstack/react-query'
import { Library } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { LibraryStatus } from '#shared/entities.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages } from '../../messages.ts'
import { shelf as texts, myGames as myGamesTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PrivateNotice } from '../../ui/private-notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { ListSummary } from '../../ui/synced-ago.tsx'
import '../../ui/chart.css'
import { figuresOf } from './figures.ts'
import { MonthsCard } from './months-card.tsx'
import { RecentCard } from './recent-card.tsx'
import { SpreadCard } from './spread-card.tsx'
import { TotalsCard } from './totals-card.tsx'

export function ShelfScreen() {
  const { steamId } = useSignedIn()
  const library = useQuery(libraryQueries.games(steamId))
  const games = library.data?.games
  const figures = useMemo(() => games && figuresOf(games), [games])

  return (
    <Screen
      title={messages.navigation.shelf}
      lead={
        <div className="flex flex-wrap items-center gap-x-4">
          {/* First, where it does not move when the summary comes. */}
          <Link
            to="/my_games"
            className="-my-3 inline-flex min-h-11 items-center gap-1.5 font-semibold text-ink underline-offset-4 hover:underline"
          >
            <Library aria-hidden className="size-4 shrink-0 text-violet" />
            {texts.toGames}
          </Link>
          <ListSummary
            list={library.data}
            counts={({ games }) => [messages.gameView.count({ games: games.length })]}
          />
        </div>
      }
    >
      {library.data?.status === 'private' && (
        <PrivateNotice title={myGamesTexts.privateTitle}>{myGamesTexts.privateHint}</PrivateNotice>
      )}
      {figures && figures.games > 0 && figures.minutes === 0 && library.data?.status === 'ok' && (
        <PrivateNotice title={myGamesTexts.noPlaytimeTitle}>{myGamesTexts.noPlaytimeHint}</PrivateNotice>
      )}
      <Loaded
        query={library}
        failed={myGamesTexts.failed}
        skeleton={<ShelfSkeleton />}
        isEmpty={({ games }) => games.length === 0}
        empty={
          <EmptyState
            icon={<Library />}
            action={
              <ButtonLink variant="primary" to="/my_games">
                {texts.toSync}
              </ButtonLink>
            }
          >
            {texts.empty[emptyBecause(library.data?.status)]}
          </EmptyState>
        }
      >
        {() =>
          figures && (
            <div className="grid items-stretch gap-6 lg:grid-cols-2 vast:grid-cols-4">
              <TotalsCard figures={figures} />
              <SpreadCard figures={figures} />
              <RecentCard figures={figures} />
              <MonthsCard />
            </div>
          )
        }
      </Loaded>
    </Screen>
  )
}

function ShelfSkeleton() {
  return (
    <Loading>
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-80 rounded-card" />
        <Skeleton className="h-80 rounded-card" />
        <Skeleton className="h-72 rounded-card lg:col-span-2" />
      </div>
    </Loading>
  )
}

/** Why a library has no games; my own is never hidden from me. */
function emptyBecause(status: LibraryStatus | undefined): keyof typeof texts.empty {
  return status === 'ok' || status === 'private' ? status : 'never'
}
