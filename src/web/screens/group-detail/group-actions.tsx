/** Syncing and comparing the games of a group (GPAGE-12 to GPAGE-14). */
import { useQuery } from '@tanstack/react-query'
import { Gamepad2 } from 'lucide-react'
import { useState } from 'react'
import type { LibrarySyncCode } from '#shared/contract/groups.ts'
import type { GroupMember } from '#shared/entities.ts'
import { useSharedGames, useSyncGroupGames } from '../../data/groups.ts'
import { failureText, isNetworkError } from '../../data/http.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages, group as groupTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { SyncButton, SyncState } from '../../ui/forms/sync-button.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'

const texts = groupTexts

export type GroupGames = ReturnType<typeof useCommonGames>

/**
 * The common games, loaded when the page opens (GPAGE-14). `compare` loads them again; `compared` says whether it has been
 * used, so that its result is announced.
 */
export function useCommonGames(groupId: number, isMember: boolean) {
  const query = useSharedGames(groupId, isMember)
  const [compared, setCompared] = useState(false)
  const [isComparing, setComparing] = useState(false)
  return {
    query,
    compared,
    // Not when the page refetches them by itself.
    isLoading: isComparing || (query.isFetching && query.data === undefined),
    compare: () => {
      setCompared(true)
      setComparing(true)
      void query.refetch().finally(() => {
        setComparing(false)
        // The button stands below the games.
        const heading = document.getElementById('common-games')
        heading?.focus({ preventScroll: true })
        heading?.scrollIntoView({ block: 'start' })
      })
    },
  }
}

/** Both buttons, how many syncs are left, and what came of them. */
export function SyncAndCompare({ games, sync }: { games: GroupGames; sync: GroupSyncing }) {
  const { compared, compare, isLoading, query } = games
  const allowance = useQuery(syncQueries.status(useSignedIn().steamId)).data
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SyncButton
          label={texts.sync}
          mayBeRefused
          hideStatus
          allowance={allowance}
          sync={{ isPending: sync.busy, mutate: () => sync.start('foot') }}
        />
        <Button icon={<Gamepad2 aria-hidden />} busy={isLoading} onClick={compare}>
          {texts.compare}
        </Button>
        <SyncState allowance={allowance} />
      </div>
      <p role="status" className="text-sm text-soft tabular-nums empty:hidden">
        {query.data !== undefined &&
          (isLoading
            ? texts.loadingGames
            : compared && query.error === null && texts.compared({ games: query.data.length }))}
      </p>
      {sync.from === 'foot' && <GroupSyncResult sync={sync} />}
    </div>
  )
}

type LibraryResult = {
  steam_id: string
  success: boolean
  message: string
  code?: LibrarySyncCode
  count?: number | undefined
}
type SyncPlace = 'foot' | 'missing'
export type GroupSyncing = ReturnType<typeof useGroupSync>

/** Syncs the libraries of all members; `members`, undefined until loaded, are for the names in the result. */
export function useGroupSync(groupId: number, members: readonly GroupMember[] | undefined) {
  const { steamId } = useSignedIn()
  const sync = useSyncGroupGames(steamId, groupId)
  const task = useAsyncAction()
  const [results, setResults] = useState<readonly LibraryResult[]>([])
  const [from, setFrom] = useState<SyncPlace>('foot')

  async function run(): Promise<Outcome> {
    setResults([])
    try {
      setResults((await sync.mutateAsync(members?.map(({ steam_id }) => steam_id))).synced)
      return { tone: 'success', text: texts.syncComplete }
    } catch (error) {
      return isNetworkError(error)
        ? { tone: 'error', text: texts.syncFailed, reason: messages.networkError }
        : { tone: 'error', text: failureText(error, texts.syncFailed) }
    }
  }
  return {
    ...task,
    // Includes a sync that was started before the page was left and opened again.
    busy: task.busy || sync.isPending,
    members,
    results,
    /** Where it was started, and its result is shown. */
    from,
    start: (place: SyncPlace) => {
      setFrom(place)
      void task.start(run)
    },
  }
}

/** The result of a group sync for each person, failures first. */
export function GroupSyncResult({ sync }: { sync: GroupSyncing }) {
  const { outcome, results, members = [] } = sync
  const failed = results.filter(({ success }) => !success)
  const synced = results.filter(({ success }) => success)
  const nameById = new Map(members.map((member) => [member.steam_id, nameOf(member)]))
  return (
    <div className="grid gap-3 empty:hidden">
      <OutcomeNotice outcome={outcome} />
      {results.length > 0 && (
        <details className="rounded-control bg-deep/50 px-4 text-sm text-soft" open={failed.length > 0}>
          <summary className="flex min-h-11 items-center font-medium text-ink tabular-nums">
            {texts.syncResult({ synced: synced.length, total: results.length })}
          </summary>
          <ul className="grid max-h-60 gap-1.5 overflow-y-auto pb-3">
            {[...failed, ...synced].map((result) => (
              <li key={result.steam_id}>
                <LibraryResult result={result} name={nameById.get(result.steam_id) ?? result.steam_id} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function LibraryResult({
  result: { code, count = 0, message },
  name,
}: {
  result: LibraryResult
  name: string
}) {
  if (code === undefined) return <Name>{message}</Name>
  const values = { name: <Name>{name}</Name> }
  if (code === 'synced') return <Sentence text={texts.library.synced} values={{ ...values, count }} />
  return <Sentence text={texts.library[code]} values={values} />
}
