/**
 * Dashboard (DASH-1): nine cards, each with its own calls, all of them sent at once when it opens. A card that
 * fails is empty (DASH-33) or says that it crashed; the others stand.
 */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Screen } from '../../ui/screen.tsx'
import { CommonGamesCard } from './common-games-card.tsx'
import { CompareCard } from './compare-card.tsx'
import { useGroupWizard } from './create-group.tsx'
import './dashboard.css'
import { FriendsCard, FriendsTopGamesCard, RecentActivityCard } from './friends-cards.tsx'
import { DashboardInvitations, GroupsCard } from './groups-card.tsx'
import { MyTopGamesCard, TopGamesChartCard, TotalPlaytimeCard } from './my-games-cards.tsx'
import { Welcome } from './welcome.tsx'

const texts = messages.dashboard

export function DashboardScreen() {
  const wizard = useGroupWizard()
  const loading = useFirstLoad()
  const steps = useSteps(loading)

  return (
    <Screen title={texts.title} lead={<p role="status">{loading ? texts.loading : texts.lead}</p>}>
      <ErrorBoundary>
        <DashboardInvitations />
      </ErrorBoundary>
      <ErrorBoundary>
        <Welcome onCreate={wizard.open} />
      </ErrorBoundary>
      <div aria-busy={loading} className="grid gap-5 md:grid-cols-2 lg:grid-cols-12">
        <Place title={texts.topCommonGames} className="md:col-span-2 lg:col-span-8">
          {(className) => <CommonGamesCard onCreate={wizard.open} className={className} />}
        </Place>
        {steps >= 2 && (
          <Place title={texts.topGames} className="md:col-span-2 lg:col-span-4">
            {(className) => <MyTopGamesCard className={className} />}
          </Place>
        )}
        {steps >= 3 && (
          <>
            <Place title={texts.groups} className="lg:col-span-4">
              {(className) => <GroupsCard wizard={wizard} className={className} />}
            </Place>
            <Place title={texts.friends} className="lg:col-span-4">
              {(className) => <FriendsCard className={className} />}
            </Place>
            <Place title={texts.recentActivity} className="md:col-span-2 lg:col-span-4">
              {(className) => <RecentActivityCard className={className} />}
            </Place>
          </>
        )}
        {steps >= 4 && (
          <>
            <Place title={texts.topGamesChart} className="md:col-span-2 lg:col-span-8">
              {(className) => <TopGamesChartCard className={className} />}
            </Place>
            <Place title={texts.totalPlaytime} className="md:col-span-2 lg:col-span-4">
              {(className) => <TotalPlaytimeCard className={className} />}
            </Place>
          </>
        )}
        {steps >= 5 && (
          <>
            <Place title={texts.compareGames} className="md:col-span-2 lg:col-span-6">
              {(className) => <CompareCard className={className} />}
            </Place>
            <Place title={texts.friendsTopGames} className="md:col-span-2 lg:col-span-6">
              {(className) => <FriendsTopGamesCard className={className} />}
            </Place>
          </>
        )}
      </div>
    </Screen>
  )
}

/**
 * A card's place in the grid. A card reads its lists before it draws its frame: where that crashes, a frame of the same
 * title says so.
 */
function Place({
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

const STEPS = 5

/**
 * How far the cards have come: at the first load they are drawn in steps, from the top, so that a slow telephone
 * answers to a finger between them; no step waits for an answer. All at once when one comes back.
 */
function useSteps(loading: boolean): number {
  const [steps, setSteps] = useState(loading ? 1 : STEPS)
  useEffect(() => {
    if (steps < STEPS) startTransition(() => setSteps(steps + 1))
  }, [steps])
  return steps
}

/** Whether games, friends or groups have never been here yet. */
function useFirstLoad(): boolean {
  const { steamId } = useSignedIn()
  const games = useQuery(libraryQueries.games(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  return games.isPending || friends.isPending || groups.isPending
}
