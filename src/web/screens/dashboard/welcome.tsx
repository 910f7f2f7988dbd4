/** The band above the cards: for a new person the next step, for everybody else how fresh everything is. */
import { useQuery } from '@tanstack/react-query'
import { Check, Lock, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { friendsQueries, useSyncFriends } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeletons.tsx'
import { SyncButton } from '../../ui/sync-button.tsx'
import { firstStep, type FirstStep } from './first-run.ts'
import { listOr } from './nothing.tsx'

const texts = messages.dashboard.firstRun

/** The band. It keeps its place while it loads, so that the cards below do not move. `onCreate` starts the wizard. */
export function Welcome({ onCreate }: { onCreate: () => void }) {
  const { steamId } = useSignedIn()
  const games = useQuery(libraryQueries.games(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  const status = useQuery(syncQueries.status(steamId))
  const syncGames = useSyncGames(steamId, steamId)
  const syncFriends = useSyncFriends(steamId)

  const next = firstStep({
    status: status.data,
    games: listOr(games, (answer) => answer.games)?.length,
    friends: listOr(friends, (answer) => answer.friends)?.length,
    groups: listOr(groups, (list) => list)?.length,
  })
  const gamesButton = (variant: 'primary' | 'secondary') => (
    <SyncButton label={messages.myGames.sync} sync={syncGames} variant={variant} />
  )
  const friendsButton = (variant: 'primary' | 'secondary') => (
    <SyncButton label={messages.friends.sync} sync={syncFriends} variant={variant} />
  )

  if (status.isPending) return <Skeleton className="h-20 rounded-card" />
  if (next)
    return (
      <Steps
        next={next}
        button={
          next.step === 'games' ? (
            gamesButton('primary')
          ) : next.step === 'friends' ? (
            friendsButton('primary')
          ) : (
            <Button variant="primary" icon={<Users aria-hidden />} onClick={onCreate}>
              {messages.dashboard.startGroup}
            </Button>
          )
        }
      />
    )
  return (
    <section
      aria-label={messages.dashboard.upToDate.label}
      className="frosted flex min-h-20 flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card px-5 py-4"
    >
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-soft">
        <Freshness what={messages.dashboard.upToDate.games} at={status.data?.games.synced_at} />
        <Freshness what={messages.dashboard.upToDate.friends} at={status.data?.friends.synced_at} />
        {status.data && (
          <div className="tabular-nums">
            <dt className="sr-only">{messages.dashboard.upToDate.syncs}</dt>
            <dd>{messages.sync.left(status.data.left, status.data.limit)}</dd>
          </div>
        )}
      </dl>
      <div className="flex flex-wrap gap-3">
        {gamesButton('secondary')}
        {friendsButton('secondary')}
      </div>
    </section>
  )
}

function Freshness({ what, at }: { what: string; at: string | null | undefined }) {
  if (at === undefined) return null
  return (
    <div className="flex gap-1.5">
      <dt className="font-medium text-ink">{what}</dt>
      <dd>
        {at === null ? (
          messages.sync.neverSynced
        ) : (
          <>
            {messages.sync.synced} <RelativeTime time={at} />
          </>
        )}
      </dd>
    </div>
  )
}

const order = ['games', 'friends', 'group'] as const

/** The three things a new person does; the one that is next has a button, and nothing else has. */
function Steps({ next, button }: { next: FirstStep; button: ReactNode }) {
  const current = next.step === 'libraries' ? 'group' : next.step
  const at = order.indexOf(current)
  return (
    <section
      aria-label={texts.title}
      className="frosted grid gap-5 rounded-card border-mint/35 p-5 lg:grid-cols-[1fr_auto] lg:items-center"
    >
      <ol className="grid gap-4 sm:grid-cols-3">
        {order.map((step, index) => (
          <li
            key={step}
            aria-current={index === at ? 'step' : undefined}
            className={`flex min-w-0 gap-3 ${index > at ? 'opacity-75' : ''}`}
          >
            <span
              aria-hidden
              className={`grid size-8 shrink-0 place-items-center rounded-round text-sm font-bold tabular-nums ${
                index < at
                  ? 'bg-mint/20 text-mint'
                  : index === at
                    ? 'bg-mint text-ground'
                    : 'bg-raised text-soft'
              }`}
            >
              {index < at ? <Check className="size-4" /> : index + 1}
            </span>
            <div className="min-w-0">
              <h2 className="leading-8 font-semibold">
                {texts[step]}
                {index < at && <span className="sr-only"> ({texts.done})</span>}
              </h2>
              {index === at && <Why next={next} />}
            </div>
          </li>
        ))}
      </ol>
      <div className="grid justify-items-start lg:justify-items-end">{button}</div>
    </section>
  )
}

/** What the next step is for, what is in its way, or how far it has come. */
function Why({ next }: { next: FirstStep }) {
  switch (next.step) {
    case 'games':
    case 'friends':
      return next.isPrivate ? (
        <p className="flex gap-2 text-sm text-soft">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-amber" />
          {next.step === 'games' ? messages.myGames.privateHint : messages.dashboard.friendsPrivate}
        </p>
      ) : (
        <p className="text-sm text-soft">{next.step === 'games' ? texts.gamesWhy : texts.friendsWhy}</p>
      )
    case 'libraries':
      return (
        <div className="grid gap-1.5 text-sm text-soft">
          <p role="status" className="tabular-nums">
            {messages.sync.progressTitle}: {messages.sync.progress(next.read, next.total)}
          </p>
          <progress
            aria-label={messages.sync.progressTitle}
            value={next.read}
            max={next.total}
            className="reading h-1.5 w-full"
          />
        </div>
      )
    case 'group':
      return <p className="text-sm text-soft">{texts.groupWhy}</p>
  }
}
