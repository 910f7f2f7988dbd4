/**
 * Top Common Games: the games that all members of a group own (DASH-25).
 * Requirements: DASH-26.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Gamepad2, Users } from 'lucide-react'
import { useState } from 'react'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries, groupsToAnswer, neighbour } from '../../data/groups.ts'
import { nightListQueries } from '../../data/night-lists.ts'
import { libraryQueries } from '../../data/library.ts'
import { syncQueries } from '../../data/sync.ts'
import { partsOf } from '../../layout/nights/night-lists.ts'
import { dashboard as texts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Button, IconButton } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { useFirstGroup } from './first-group.ts'
import { firstStep } from './first-run.ts'
import { rowsOrEmpty, CardEmptyState } from './card-empty-state.tsx'
import { GamesPreview, GamesSkeleton, GroupGames } from './group-games.tsx'

/**
 * The steps of a new user, whose code nobody else needs. A query, so that it is refetched like data after an outage
 * (PAGE-19).
 */
const firstNight = queryOptions({
  queryKey: ['code', 'first-night'],
  queryFn: async () => (await import('./first-night.tsx')).FirstNight,
  staleTime: Infinity,
})

/**
 * The card. Users without a group are led to one here, and then see its games in the same place.
 * @param onCreate opens the wizard
 * @param made the group that the wizard made last; it is the one shown
 */
export function CommonGamesCard({
  onCreate,
  made,
  className,
}: {
  onCreate: () => void
  made: number | undefined
  className: string
}) {
  const { steamId } = useSignedIn()
  const query = useQuery(groupsQueries.list(steamId))
  const nights = useQuery(nightListQueries.mine(steamId))
  const now = useNow()
  // Not before the nights are known: the answer must not change by itself.
  const groups = nights.isPending
    ? undefined
    : rowsOrEmpty(query, (list) => groupsToAnswer(list, partsOf(nights.data?.nights ?? [], now).current))
  const [chosen, setChosen] = useState<number>()
  const [answered, setAnswered] = useState<number>()
  const firstGroup = useFirstGroup(setAnswered)
  const next = useFirstStep()
  const [shownMade, setShownMade] = useState<number>()
  // Not while it has nobody but me.
  const isMadeKnown = groups?.some(({ group_id, member_count }) => group_id === made && member_count !== 1)
  if (made !== shownMade && (made === undefined || isMadeKnown)) {
    setShownMade(made)
    if (made !== undefined) setChosen(made)
  }
  // The group exists a moment before its members do: until then the step stays.
  const [held, setHeld] = useState(next)
  const step = firstGroup.busy ? held : next
  const isNew = step !== undefined && step !== 'loading'
  const FirstNight = useQuery({ ...firstNight, enabled: isNew }).data
  const count = groups?.length ?? 0
  // Kept by its id, whatever the order becomes; the first if it is gone (DASH-26).
  const index = Math.max(0, groups?.findIndex(({ group_id }) => group_id === chosen) ?? 0)
  const group = groups?.[index]
  if (group && group.group_id !== chosen) setChosen(group.group_id)
  const show = (by: 1 | -1) => setChosen(groups?.[neighbour(index, by, count)]?.group_id)

  return (
    <Card
      title={texts.topCommonGames}
      // To the end of the first screen where the other cards follow below, so that they do not jump into it; at most as
      // tall as it becomes on a tablet.
      className={`max-lg:min-h-[min(100svh-16rem,48rem)] max-lg:scroll-mt-20 ${className}`}
      action={
        <div className="flex items-center gap-1">
          {count > 1 && (
            <span className="px-1 text-sm whitespace-nowrap text-soft tabular-nums max-sm:sr-only">
              {texts.groupPosition({ position: index + 1, count })}
            </span>
          )}
          <IconButton label={texts.previousGroup} disabled={count < 2} onClick={() => show(-1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label={texts.nextGroup} disabled={count < 2} onClick={() => show(1)}>
            <ChevronRight aria-hidden />
          </IconButton>
        </div>
      }
    >
      {(step === 'loading' && groups?.length === 0) || (isNew && !FirstNight) ? (
        <GamesSkeleton />
      ) : isNew && FirstNight ? (
        <FirstNight
          next={step}
          making={{
            ...firstGroup,
            make: (steamIds) => {
              setHeld(step)
              firstGroup.make(steamIds)
            },
          }}
        />
      ) : group ? (
        <>
          <OutcomeNotice outcome={firstGroup.outcome} />
          {/* The key resets the selection for each group. */}
          <GroupGames key={group.group_id} group={group} isAnswer={group.group_id === answered} />
        </>
      ) : groups ? (
        // Without a group the card shows a preview of its layout, in the size of the loading state.
        <div className="relative grid flex-1">
          <div aria-hidden className="grid mask-b-from-40% opacity-70 max-md:max-h-96 max-md:overflow-hidden">
            <GamesPreview />
          </div>
          <div className="absolute inset-0 grid place-items-center">
            <div className="grid rounded-control bg-surface shadow-card">
              <CardEmptyState
                query={query}
                icon={<Gamepad2 />}
                action={
                  <Button icon={<Users aria-hidden />} onClick={onCreate}>
                    {texts.startGroup}
                  </Button>
                }
              >
                {texts.commonEmpty}
              </CardEmptyState>
            </div>
          </div>
        </div>
      ) : (
        <>
          <div aria-hidden className="flex min-h-16 items-center gap-3">
            <Skeleton className="size-14 rounded-control" />
            <Skeleton className="h-5 w-2/5" />
          </div>
          <GamesSkeleton />
          <Skeleton className="h-11 rounded-control" />
        </>
      )}
    </Card>
  )
}

/** The next step of a new user; 'loading' while that is not known. */
function useFirstStep() {
  const { steamId } = useSignedIn()
  const games = useQuery(libraryQueries.games(steamId))
  const friends = useQuery(friendsQueries.stored(steamId))
  const groups = useQuery(groupsQueries.list(steamId))
  const status = useQuery(syncQueries.status(steamId))
  if (status.isPending || games.isPending || friends.isPending || groups.isPending) return 'loading' as const
  return firstStep({
    status: status.data,
    games: rowsOrEmpty(games, ({ games }) => games)?.length,
    friends: rowsOrEmpty(friends, ({ friends }) => friends)?.length,
    // Without the list it is not known that there is none.
    groups: groups.data?.length,
  })
}
