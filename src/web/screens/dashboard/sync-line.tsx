/** One quiet line in the header: when games and friends were last synced, and how many syncs are left (LOOK-32). */
import { useQuery } from '@tanstack/react-query'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { useSyncFriends } from '../../data/friends.ts'
import { useSyncGames } from '../../data/library.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
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
  const shared = { allowance: status, hideStatus: true }

  return (
    <section
      aria-label={texts.label}
      // From the left edge on, so that nothing moves when its texts come.
      // On a phone small lines beside the buttons, which are without icons there; above them where words are longer.
      className="flex w-full flex-wrap items-center gap-x-2 gap-y-2 text-sm text-soft max-sm:text-xs max-sm:tracking-tight sm:items-end sm:justify-between sm:gap-x-5 xl:w-auto xl:flex-1 xl:justify-end"
    >
      <div className="max-[24rem]:min-h-12 max-[24rem]:basis-full max-sm:min-h-16 max-sm:min-w-0 max-sm:grow max-sm:basis-28 sm:[&>p:last-child]:w-60 xl:text-right xl:[&>p]:ml-auto max-xl:[&>p]:text-left!">
        <dl className="grid min-h-8 content-start sm:min-h-10">
          <Freshness what={texts.games} read={status?.games} />
          <Freshness what={texts.friends} read={status?.friends} />
        </dl>
        <SyncState allowance={status} />
      </div>
      <div className="flex flex-wrap gap-3 max-sm:gap-1.5 max-sm:[&_button]:px-2 max-sm:[&_button]:text-[0.8125rem] max-sm:[&_svg]:hidden">
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
    // One line each, also in a wide font; a second one would move the cards.
    <div className="max-sm:truncate">
      <dt className="inline">{what}</dt>{' '}
      <dd className="inline">
        {read.reading ? (
          texts.reading
        ) : read.synced_at === null ? (
          notSynced
        ) : (
          // On a phone only the time has a size; screen readers read the sentence.
          <span className="max-sm:text-[0px] max-sm:tracking-normal">
            <Sentence
              text={messages.sync.synced}
              values={{
                time: (
                  <span className="max-sm:text-xs max-sm:tracking-tight">
                    <RelativeTime time={read.synced_at} />
                  </span>
                ),
              }}
            />
          </span>
        )}
      </dd>
    </div>
  )
}
