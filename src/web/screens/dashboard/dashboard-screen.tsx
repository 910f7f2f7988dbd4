/**
 * Dashboard (SPEC.md 2): nine cards, each with its own calls, all of them sent at once when it opens. A card that
 * fails is empty (SPEC.md 8) or says that it crashed; the others stand.
 */
import { useQuery } from '@tanstack/react-query'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { libraryQueries } from '../../data/library.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Screen } from '../../ui/screen.tsx'
import { CommonGamesCard } from './common-games-card.tsx'
import { CompareCard } from './compare-card.tsx'
import { useGroupWizard } from './create-group.tsx'
import './dashboard.css'
import { FriendsCard, FriendsTopGamesCard, RecentActivityCard } from './friends-cards.tsx'
import { GroupsCard } from './groups-card.tsx'
import { MyTopGamesCard, TopGamesChartCard, TotalPlaytimeCard } from './my-games-cards.tsx'
import { Welcome } from './welcome.tsx'

const texts = messages.dashboard

export function DashboardScreen() {
  const wizard = useGroupWizard()
  const loading = useFirstLoad()

  return (
    <Screen title={texts.title} lead={<p role="status">{loading ? texts.loading : texts.lead}</p>}>
      <Welcome onCreate={wizard.open} />
      <div aria-busy={loading} className="grid gap-5 md:grid-cols-2 lg:grid-cols-12">
        <CommonGamesCard onCreate={wizard.open} className="md:col-span-2 lg:col-span-8" />
        <MyTopGamesCard className="md:col-span-2 lg:col-span-4" />
        <GroupsCard wizard={wizard} className="lg:col-span-4" />
        <FriendsCard className="lg:col-span-4" />
        <RecentActivityCard className="md:col-span-2 lg:col-span-4" />
        <TopGamesChartCard className="md:col-span-2 lg:col-span-8" />
        <TotalPlaytimeCard className="md:col-span-2 lg:col-span-4" />
        <CompareCard className="md:col-span-2 lg:col-span-6" />
        <FriendsTopGamesCard className="md:col-span-2 lg:col-span-6" />
      </div>
    </Screen>
  )
}

/** Whether games, friends or groups have never been here yet. */
function useFirstLoad(): boolean {
  const { steamId } = useSignedIn()
  const games = useQuery(libraryQueries.games(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  return games.isPending || friends.isPending || groups.isPending
}
