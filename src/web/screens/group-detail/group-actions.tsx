/** What can be done with a group's games: read them all from the platform, and compare them (GPAGE-12 to GPAGE-14). */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Gamepad2 } from 'lucide-react'
import { useState } from 'react'
import type { GroupMember } from '#shared/entities.ts'
import { groupsQueries, useSyncGroupGames } from '../../data/groups.ts'
import { failureText, isNetworkError } from '../../data/http.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { SyncButton } from '../../ui/sync-button.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'

const texts = messages.group

export type GroupGames = ReturnType<typeof useComparedGames>

/**
 * The common games, asked for when somebody presses the button, and at once where they were seen before.
 * `start` asks for them, or asks again.
 */
export function useComparedGames(groupId: number, isMember: boolean) {
  const { queryKey } = groupsQueries.sharedGames(groupId)
  const client = useQueryClient()
  const [started, setStarted] = useState(() => client.getQueryData(queryKey) !== undefined)
  const query = useQuery({ ...groupsQueries.sharedGames(groupId), enabled: started && isMember })
  return {
    query,
    started,
    start: () => {
      if (started) void query.refetch()
      setStarted(true)
    },
  }
}

export function CompareButton({ games }: { games: GroupGames }) {
  return (
    <Button
      variant="primary"
      icon={<Gamepad2 aria-hidden />}
      busy={games.query.isFetching}
      onClick={games.start}
    >
      {texts.compare}
    </Button>
  )
}

type PersonResult = { steam_id: string; success: boolean; message: string }
export type GroupSyncing = ReturnType<typeof useGroupSync>

/** Reads the libraries of all members from the platform; `members` is undefined until they are known. */
export function useGroupSync(groupId: number, members: readonly GroupMember[] | undefined) {
  const { steamId } = useSignedIn()
  const sync = useSyncGroupGames(steamId, groupId)
  const task = useAsyncAction()
  const [results, setResults] = useState<readonly PersonResult[]>([])

  async function run(ids: string[]): Promise<Outcome> {
    setResults([])
    try {
      setResults((await sync.mutateAsync(ids)).synced)
      return { tone: 'success', text: texts.syncComplete }
    } catch (error) {
      return isNetworkError(error)
        ? { tone: 'error', text: texts.syncFailed, reason: messages.networkError }
        : { tone: 'error', text: failureText(error, texts.syncFailed) }
    }
  }
  return {
    ...task,
    // Also one that was started before one left the page and came back.
    busy: task.busy || sync.isPending,
    members,
    results,
    start: () => {
      if (members) void task.start(() => run(members.map((member) => member.steam_id)))
    },
  }
}

/** The button, with what is left of the day's syncs. */
export function GroupSync({ sync }: { sync: GroupSyncing }) {
  const allowance = useQuery(syncQueries.status(useSignedIn().steamId))
  return (
    <SyncButton
      label={texts.sync}
      variant="secondary"
      allowance={allowance.data}
      disabled={sync.members === undefined}
      sync={{ isPending: sync.busy, mutate: sync.start }}
    />
  )
}

/** What came of it, for each person in words; who could not be read comes first. */
GroupSync.Result = function GroupSyncResult({ sync }: { sync: GroupSyncing }) {
  const { outcome, results, members = [] } = sync
  const failed = results.filter(({ success }) => !success)
  const read = results.filter(({ success }) => success)
  const nameById = new Map(members.map((member) => [member.steam_id, nameOf(member)]))
  return (
    <div className="grid gap-3 empty:hidden">
      <OutcomeNotice outcome={outcome} />
      {results.length > 0 && (
        <details className="rounded-control bg-deep/50 px-4 text-sm text-soft" open={failed.length > 0}>
          <summary className="flex min-h-11 items-center font-medium text-ink tabular-nums">
            {texts.syncRead(read.length, results.length)}
          </summary>
          <ul className="grid max-h-60 gap-1.5 overflow-y-auto pb-3">
            {failed.map(({ steam_id, message }) => (
              // The server's sentence names the person.
              <li key={steam_id}>
                <Name>{message}</Name>
              </li>
            ))}
            {read.map(({ steam_id, message }) => (
              <li key={steam_id}>
                <Name>{nameById.get(steam_id) ?? steam_id}</Name>: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
