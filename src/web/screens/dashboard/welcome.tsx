/** The band above the cards: for a new person the next step, for everybody else how fresh everything is. */
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
import { listOr } from './nothing.tsx'

const texts = messages.dashboard.firstRun

/** Of every form of the band, so that the cards below stay where they are whichever form it turns out to have. */
const bandHeight = 'min-h-41 sm:min-h-28'

/** The band. It keeps its place while it loads, so that the cards below do not move. `onCreate` starts the wizard. */
export function Welcome({ onCreate }: { onCreate: () => void }) {
  const { steamId } = useSignedIn()
  const games = useQuery(libraryQueries.games(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  const status = useQuery(syncQueries.status(steamId))
  const syncGames = useSyncGames(steamId, steamId)
  const syncFriends = useSyncFriends(steamId)
  // When the last library is read the cards load again; the sidebar, which asks too, is closed on small screens.
  useLibraryProgress(steamId)

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

  if (status.isPending) return <Skeleton className={`${bandHeight} rounded-card`} />
  if (next)
    return (
      <Steps
        next={next}
        syncGames={gamesButton('secondary')}
        button={
          next.step === 'games' && next.isPrivate ? (
            // Friends need not wait for somebody to change that at Steam.
            <div className="flex flex-wrap gap-3">
              {gamesButton('primary')}
              {friendsButton('secondary')}
            </div>
          ) : next.step === 'games' ? (
            gamesButton(next.isReading ? 'secondary' : 'primary')
          ) : next.step === 'friends' ? (
            friendsButton(next.isReading ? 'secondary' : 'primary')
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
      className={`frosted flex flex-wrap content-around items-center justify-between gap-x-6 gap-y-3 rounded-card px-5 py-4 ${bandHeight}`}
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
  const unread = read.status === 'private' ? isPrivate : never
  return (
    <div>
      <dt className="font-medium text-ink">{what}</dt>
      <dd>{read.synced_at === null ? unread : <RelativeTime time={read.synced_at} />}</dd>
    </div>
  )
}

const order = ['games', 'friends', 'group'] as const

/**
 * The three things a new person does; the one that is next has a button, and nothing else has but what was passed
 * over. Where there is no room for all of them that one alone is seen.
 */
function Steps({
  next,
  button,
  syncGames,
}: {
  next: FirstStep
  button: ReactNode
  /** For games that are private: once that is changed, they can be read. */
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
      className={`frosted grid content-center gap-4 rounded-card border-mint/35 px-5 py-4 ${bandHeight}`}
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
            <span>
              {messages.myGames.privateTitle}. {messages.myGames.privateHint}
            </span>
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

/** A step's number, or how it went. */
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

/** What the next step is for, what is in its way, or how far it has come. */
function Why({ next }: { next: FirstStep }) {
  switch (next.step) {
    case 'games':
    case 'friends':
      if (next.isReading)
        return (
          <p role="status" className="text-sm text-soft">
            {next.step === 'games' ? texts.gamesReading : texts.friendsReading}
          </p>
        )
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
