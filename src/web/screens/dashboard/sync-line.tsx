/** One quiet line in the header: when games and friends were last synced, and how many syncs are left (LOOK-32). */
import { useQuery } from '@tanstack/react-query'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { useSyncFriends } from '../../data/friends.ts'
import { useSyncGames } from '../../data/library.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SyncButton, SyncState } from '../../ui/sync-button.tsx'

const texts = messages.dashboard.upToDate

/** The line; as tall in all its states, so that the cards below do not move. */
export function SyncLine() {
  const { steamId } = useSignedIn()
  const { data: status } = useQuery(syncQueries.status(steamId))
  const games = useSyncGames(steamId, steamId)
  const friends = useSyncFriends(steamId)
  // Refetches the cards after the last library was synced; the sidebar does so too, but is closed on small screens.
  useLibraryProgress(steamId)
  const failed = [games.failure, friends.failure]
    .filter((one) => one !== undefined)
    .sort((a, b) => a.at.localeCompare(b.at))
    .at(-1)
  const shared = { allowance: status, hideStatus: true }

  return (
    <section
      aria-label={texts.label}
      // From the left edge on, so that nothing moves when its texts come.
      className="flex w-full flex-wrap items-end gap-x-5 gap-y-2 text-sm text-soft sm:justify-between xl:w-auto xl:flex-1 xl:justify-end"
    >
      <div className="max-sm:w-full xl:text-right max-xl:[&>p]:text-left!">
        {failed ? (
          // In place of the times, so that the header stays as tall.
          <p aria-live="polite" className="min-h-10 max-w-80">
            {messages.sync.lastTry} <RelativeTime time={failed.at} />: {failed.why}
          </p>
        ) : (
          <dl className="grid min-h-10 content-start">
            <Freshness what={texts.games} read={status?.games} />
            <Freshness what={texts.friends} read={status?.friends} />
          </dl>
        )}
        <SyncState allowance={status} failures={[]} />
      </div>
      <div className="flex flex-wrap gap-3">
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
      </div>
    </section>
  )
}

/** When something was synced; undefined where pressing would not help now: it is being synced, or private. */
function worthSyncing(read: SyncStatus['games'] | undefined): string | null | undefined {
  return read === undefined || read.reading || read.status === 'private' ? undefined : read.synced_at
}

function Freshness({ what, read }: { what: string; read: SyncStatus['games'] | undefined }) {
  if (read === undefined) return null
  const notSynced = read.status === 'private' ? texts.private : texts.never
  return (
    <div>
      <dt className="inline">{what}</dt>{' '}
      <dd className="inline">
        {read.reading ? (
          texts.reading
        ) : read.synced_at === null ? (
          notSynced
        ) : (
          <>
            {texts.synced} <RelativeTime time={read.synced_at} />
          </>
        )}
      </dd>
    </div>
  )
}
