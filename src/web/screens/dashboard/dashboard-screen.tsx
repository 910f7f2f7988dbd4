/**
 * Dashboard (DASH-1): nine cards with their own requests, all sent at once when it opens, below what is planned
 * (NIGHT-103). A card whose load fails is empty (DASH-33), and a card that crashes does not affect the others (LOOK-14).
 * Its heading says how old synced data is (LOOK-11).
 * Requirements: DASH-2, LOOK-22.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { friendsQueries, useSyncFriends } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { nightListQueries } from '../../data/night-lists.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { dashboard as texts, myGames, friends as friendsTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Card } from '../../ui/frames/card.tsx'
import { ErrorBoundary } from '../../ui/frames/error-boundary.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { CommonGamesCard } from './common-games-card.tsx'
import { CompareCard } from './compare-card.tsx'
import { useGroupWizard } from './create-group.tsx'
import { YearLine } from './dismissible-link.tsx'
import '../../ui/frames/chart.css'
import './dashboard.css'
import { FriendsCard, FriendsTopGamesCard, RecentActivityCard } from './friends-cards.tsx'
import { GameNightCard } from './game-night-card.tsx'
import { DashboardInvitations, GroupsCard } from './groups-card.tsx'
import { MyTopGamesCard, TopGamesChartCard, TotalPlaytimeCard } from './my-games-cards.tsx'
import type { NewGroup } from '../../layout/new-group-form.tsx'
import type { Wizard } from './wizard.ts'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { SyncButton, SyncState } from '../../ui/forms/sync-button.tsx'

export function DashboardScreen() {
  const wizard = useGroupWizard()
  const loading = useFirstLoad()
  const stage = useStagedRender(loading)
  const made = useMadeGroup(wizard.state)
  const nights = useQuery(nightListQueries.mine(useSignedIn().steamId))
  const isAboveKnown = !nights.isPending || nights.failureCount > 0

  return (
    <Screen
      title={texts.title}
      lead={<p role="status">{loading ? texts.loading : texts.lead}</p>}
      action={
        <ErrorBoundary>
          <SyncLine />
        </ErrorBoundary>
      }
    >
      <YearLine />
      <ErrorBoundary>
        <GameNightCard />
      </ErrorBoundary>
      <ErrorBoundary>
        <DashboardInvitations />
      </ErrorBoundary>
      {/* Not seen before it is known how many nights ask above it: nothing moves. */}
      <div
        aria-busy={loading}
        className={`grid gap-5 ${isAboveKnown ? '' : 'invisible'} md:grid-cols-2 lg:grid-cols-12`}
      >
        <DashboardCell
          title={texts.topCommonGames}
          className="md:col-span-2 lg:col-span-8 vast:col-span-6 vast:row-span-2"
        >
          {(className) => (
            <CommonGamesCard onCreate={wizard.open} made={made?.groupId} className={className} />
          )}
        </DashboardCell>
        {stage >= 2 && (
          <DashboardCell
            title={texts.topGames}
            className="md:col-span-2 lg:col-span-4 vast:col-span-3 vast:row-span-2 huge:col-span-2"
          >
            {(className) => <MyTopGamesCard className={className} />}
          </DashboardCell>
        )}
        {stage >= 3 && (
          <>
            <DashboardCell title={texts.groups} className={halfCell}>
              {(className) => <GroupsCard wizard={wizard} made={made} className={className} />}
            </DashboardCell>
            <DashboardCell title={texts.friends} className={halfCell}>
              {(className) => <FriendsCard className={className} />}
            </DashboardCell>
          </>
        )}
        {stage >= 4 && (
          <>
            <DashboardCell
              title={texts.topGamesChart}
              className="lg:col-span-8 vast:col-span-6 huge:col-span-5"
            >
              {(className) => <TopGamesChartCard className={className} />}
            </DashboardCell>
            <DashboardCell
              title={texts.totalPlaytime}
              className={`lg:col-span-4 vast:col-span-3 huge:col-start-11 huge:row-start-2 ${hugeCell}`}
            >
              {(className) => <TotalPlaytimeCard className={className} />}
            </DashboardCell>
          </>
        )}
        {stage >= 5 && (
          <>
            <DashboardCell
              title={texts.recentActivity}
              className={`lg:col-span-4 vast:col-span-3 huge:col-start-9 huge:row-start-2 ${hugeCell}`}
            >
              {(className) => <RecentActivityCard className={className} />}
            </DashboardCell>
            <DashboardCell
              title={texts.friendsTopGames}
              className="lg:col-span-8 vast:col-span-5 huge:col-span-3"
            >
              {(className) => <FriendsTopGamesCard className={className} />}
            </DashboardCell>
            <DashboardCell
              title={texts.compareGames}
              className="md:col-span-2 lg:col-span-12 vast:col-span-7 huge:col-span-4"
            >
              {(className) => <CompareCard className={className} />}
            </DashboardCell>
            <ErrorBoundary>
              <LatelyCell />
            </ErrorBoundary>
          </>
        )}
      </div>
    </Screen>
  )
}

/** The last card, whose code comes after the others'. */
const latelyCard = queryOptions({
  queryKey: ['code', 'lately-card'],
  queryFn: async () => (await import('../../layout/lately.tsx')).LatelyCard,
  staleTime: Infinity,
})

function LatelyCell() {
  const { data: LatelyCard } = useQuery(latelyCard)
  return LatelyCard && <LatelyCard className="md:col-span-2 lg:col-span-12" />
}

/** On the widest screens two rows of small cards stand beside the games. */
const hugeCell = 'huge:col-span-2'
const halfCell = `lg:col-span-6 vast:col-span-3 ${hugeCell}`

/**
 * A cell of the grid with one card. If the card crashes before it renders its frame, a frame with the same title shows
 * the error.
 */
function DashboardCell({
  title,
  className,
  children,
}: {
  title: string
  className: string
  children: (className: string) => ReactNode
}) {
  return (
    <ErrorBoundary
      frame={(notice) => (
        <Card title={title} className={className}>
          {notice}
        </Card>
      )}
    >
      {children(className)}
    </ErrorBoundary>
  )
}

/** The group that the wizard made last; undefined until then, and again when the wizard is opened. */
function useMadeGroup(wizard: Wizard): NewGroup | undefined {
  const [made, setMade] = useState<NewGroup>()
  const group = wizard.step === 'name' ? undefined : wizard.step === 'closed' ? made : wizard.group
  if (group !== made) setMade(group)
  return group
}

const STAGES = 5

/**
 * Renders the cards in stages from the top at the first load, so that a slow phone reacts to touch between them; no stage
 * waits for a response. All at once on return.
 */
function useStagedRender(loading: boolean): number {
  const [stage, setStage] = useState(loading ? 1 : STAGES)
  useEffect(() => {
    if (stage < STAGES) startTransition(() => setStage(stage + 1))
  }, [stage])
  return stage
}

/** Whether games, friends or groups have not been loaded yet. */
function useFirstLoad(): boolean {
  const { steamId } = useSignedIn()
  const games = useQuery(libraryQueries.games(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  return games.isPending || friends.isPending || groups.isPending
}

function SyncLine() {
  const { steamId } = useSignedIn()
  const { data: status } = useQuery(syncQueries.status(steamId))
  const games = useSyncGames(steamId, steamId)
  const friends = useSyncFriends(steamId)
  // Refetches the cards after the last library was synced; the sidebar does so too, but is closed on small screens.
  useLibraryProgress(steamId)
  const shared = { allowance: status, hideStatus: true }
  return (
    <section
      aria-label={texts.syncs}
      // Below the heading where that may become too long to stand beside it; on phones halves, in any language.
      className="relative flex w-full flex-wrap items-center gap-3 max-sm:gap-2 xl:w-auto max-sm:[&_button]:grow max-sm:[&_button]:px-2 max-sm:[&_button]:leading-4 max-sm:[&>div]:flex-1"
    >
      <SyncState allowance={status} />
      <SyncButton label={myGames.sync} sync={games} syncedAt={worthSyncing(status?.games)} {...shared} />
      <SyncButton
        label={friendsTexts.sync}
        sync={friends}
        syncedAt={worthSyncing(status?.friends)}
        {...shared}
      />
    </section>
  )
}

/** When something was synced; undefined where pressing would not help now: it is being synced, or private. */
function worthSyncing(read: SyncStatus['games'] | undefined): string | null | undefined {
  return read === undefined || read.reading || read.status === 'private' ? undefined : read.synced_at
}
