/** Syncing from the dashboard's header; how old the data is says the tooltip of each button (LOOK-11). */
import { useQuery } from '@tanstack/react-query'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { useSyncFriends } from '../../data/friends.ts'
import { useSyncGames } from '../../data/library.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { SyncButton, SyncState } from '../../ui/sync-button.tsx'

export function SyncLine() {
  const { steamId } = useSignedIn()
  const { data: status } = useQuery(syncQueries.status(steamId))
  const games = useSyncGames(steamId, steamId)
  const friends = useSyncFriends(steamId)
  // Refetches the cards after the last library was synced; the sidebar does so too, but is closed on small screens.
  useLibraryProgress(steamId)
  const shared = { allowance: status, hideStatus: true }
  return (
    <section
      aria-label={messages.dashboard.syncs}
      // Below the heading where that may become too long to stand beside it.
      className="relative flex w-full flex-wrap items-center gap-3 max-sm:gap-2 xl:w-auto max-sm:[&_button]:px-3"
    >
      <SyncState allowance={status} />
      <SyncButton
        label={messages.myGames.sync}
        sync={games}
        syncedAt={worthSyncing(status?.games)}
        {...shared}
      />
      <SyncButton
        label={messages.friends.sync}
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
