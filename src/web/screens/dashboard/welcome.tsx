/** The banner above the cards: the next step for a new user, otherwise when everything was last synced. */
import { useQuery } from '@tanstack/react-query'
import { Check, Lock, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SyncStatus } from '#shared/contract/sync.ts'
import { friendsQueries, useSyncFriends } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeletons.tsx'
import { SyncButton } from '../../ui/sync-button.tsx'
import { firstStep, type FirstStep } from './first-run.ts'
import { rowsOrEmpty } from './card-empty-state.tsx'

const texts = messages.dashboard.firstRun

/** One height for all forms of the banner, so that the cards below do not move. */
const bannerHeight = 'min-h-41 sm:min-h-28'

/** The banner. `onCreate` opens the wizard. */
export function Welcome({ onCreate }: { onCreate: () => void }) {
  const { steamId } = useSignedIn()
  const games = useQuery(libraryQueries.games(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  const status = useQuery(syncQueries.status(steamId))
  const syncGames = useSyncGames(steamId, steamId)
  const syncFriends = useSyncFriends(steamId)
  // Refetches the cards after the last library was synced; the sidebar does so too, but is closed on small screens.
  useLibraryProgress(steamId)

  const next = firstStep({
    status: status.data,
    games: rowsOrEmpty(games, ({ games }) => games)?.length,
    friends: rowsOrEmpty(friends, ({ friends }) => friends)?.length,
    groups: rowsOrEmpty(groups, (list) => list)?.length,
  })
  const gamesButton = (variant: 'primary' | 'secondary') => (
    <SyncButton label={messages.myGames.sync} sync={syncGames} variant={variant} />
  )
  const friendsButton = (variant: 'primary' | 'secondary') => (
    <SyncButton label={messages.friends.sync} sync={syncFriends} variant={variant} />
  )

  if (status.isPending) return <Skeleton className={`${bannerHeight} rounded-card`} />
  if (next)
    return (
      <Steps
        next={next}
        syncGames={gamesButton('secondary')}
        button={
          next.step === 'games' && next.isPrivate ? (
            // Friends can be synced before the user makes the games public.
            <div className="flex flex-wrap gap-3">
              {gamesButton('primary')}
              {friendsButton('secondary')}
            </div>
          ) : next.step === 'games' ? (
            gamesButton(next.isSyncing ? 'secondary' : 'primary')
          ) : next.step === 'friends' ? (
            friendsButton(next.isSyncing ? 'secondary' : 'primary')
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
      className={`frosted flex flex-wrap content-around items-center justify-between gap-x-6 gap-y-3 rounded-card px-5 py-4 ${bannerHeight}`}
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-1 text-sm text-soft max-sm:w-full max-sm:justify-between max-sm:gap-x-4">
        <Freshness what={messages.dashboard.upToDate.games} read={status.data?.games} />
        <Freshness what={messages.dashboard.upToDate.friends} read={status.data?.friends} />
        {status.data && (
          <div className="tabular-nums">
            <dt className="font-medium text-ink">{messages.dashboard.upToDate.syncs}</dt>
            <dd>{messages.dashboard.upToDate.left(status.data.left, status.data.limit)}</dd>
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

function Freshness({ what, read }: { what: string; read: SyncStatus['games'] | undefined }) {
  if (read === undefined) return null
  const { never, private: isPrivate } = messages.dashboard.upToDate
  const notSynced = read.status === 'private' ? isPrivate : never
  return (
    <div>
      <dt className="font-medium text-ink">{what}</dt>
      <dd>{read.synced_at === null ? notSynced : <RelativeTime time={read.synced_at} />}</dd>
    </div>
  )
}

const order = ['games', 'friends', 'group'] as const

/**
 * The three steps of a new user, of which only the current one has a button, and private games that were skipped. Small
 * screens show only the current step.
 */
function Steps({
  next,
  button,
  syncGames,
}: {
  next: FirstStep
  button: ReactNode
  /** For private games, to sync them after the setting was changed. */
  syncGames: ReactNode
}) {
  const current = next.step === 'libraries' ? 'group' : next.step
  const at = order.indexOf(current)
  const areGamesPrivate = 'areGamesPrivate' in next && next.areGamesPrivate
  const states = order.map((step, index): StepState => {
    if (index >= at) return index === at ? 'current' : 'later'
    return step === 'games' && areGamesPrivate ? 'private' : 'done'
  })
  return (
    <section
      aria-label={texts.title}
      className={`frosted grid content-center gap-4 rounded-card border-mint/35 px-5 py-4 ${bannerHeight}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
        <ol className="flex min-w-0 flex-1 basis-full gap-x-6 sm:basis-0">
          {order.map((step, index) => (
            <li
              key={step}
              aria-current={index === at ? 'step' : undefined}
              className={`flex min-w-0 gap-3 ${index === at ? 'flex-1' : 'max-lg:sr-only lg:max-w-36'}`}
            >
              <Mark state={states[index]!} number={index + 1} />
              <div className="min-w-0 flex-1">
                <h2 className={`py-1 leading-6 ${index === at ? 'font-semibold' : 'text-sm text-soft'}`}>
                  {texts[step]}
                  {states[index] === 'done' && <span className="sr-only"> ({texts.done})</span>}
                  {states[index] === 'private' && <span className="sr-only"> ({texts.private})</span>}
                </h2>
                {index === at && <Why next={next} />}
              </div>
            </li>
          ))}
        </ol>
        <div className="flex items-center gap-4 max-sm:ml-11 max-sm:flex-1 max-sm:justify-between">
          {button}
          <p aria-hidden className="text-sm text-soft tabular-nums lg:hidden">
            {texts.position(at + 1, order.length)}
          </p>
        </div>
      </div>
      {areGamesPrivate && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line/60 pt-4">
          <p className="flex min-w-0 flex-1 basis-72 gap-2 text-sm text-soft">
            <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-amber" />
            <span>{messages.myGames.privateExplained}</span>
          </p>
          {syncGames}
        </div>
      )}
    </section>
  )
}

type StepState = 'done' | 'private' | 'current' | 'later'

const markColors = {
  done: 'bg-mint/20 text-mint',
  private: 'bg-raised text-amber',
  current: 'bg-mint text-ground',
  later: 'bg-raised text-soft',
} as const satisfies Record<StepState, string>

/** The number of a step, or an icon for its result. */
function Mark({ state, number }: { state: StepState; number: number }) {
  return (
    <span
      aria-hidden
      className={`grid size-8 shrink-0 place-items-center rounded-round text-sm font-bold tabular-nums ${markColors[state]}`}
    >
      {state === 'done' ? (
        <Check className="size-4" />
      ) : state === 'private' ? (
        <Lock className="size-4" />
      ) : (
        number
      )}
    </span>
  )
}

/** Why to do the next step, what blocks it, or its progress. */
function Why({ next }: { next: FirstStep }) {
  switch (next.step) {
    case 'games':
    case 'friends':
      if (next.isSyncing)
        return (
          <p role="status" className="text-sm text-soft">
            {next.step === 'games' ? texts.gamesSyncing : texts.friendsSyncing}
          </p>
        )
      return next.isPrivate ? (
        <p className="flex gap-2 text-sm text-soft">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-amber" />
          {(next.step === 'games' ? messages.myGames : messages.friends).privateExplained}
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
