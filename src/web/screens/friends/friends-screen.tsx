/**
 * Friends (FRI-1): the friend list with presence, linking to each friend's games.
 * Requirements: FRI-4.
 */
import { useQuery } from '@tanstack/react-query'
import { Search, Users } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import type { Friend } from '#shared/entities.ts'
import { friendsQueries, useSyncFriends } from '../../data/friends.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { friendList as listText, friends as friendsTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Select, TextField } from '../../ui/forms/field.tsx'
import { LibraryProgress, SyncButton } from '../../ui/forms/sync-button.tsx'
import { PrivateNotice } from '../../ui/people/steam-privacy.tsx'
import { useQueryView } from '../../ui/query-string.ts'
import { Screen } from '../../ui/frames/screen.tsx'
import { PeopleGridSkeleton } from '../../ui/frames/skeletons.tsx'
import { ListSummary } from '../../ui/words/relative-time.tsx'
import { VirtualGrid } from '../../ui/games/virtual-grid.tsx'
import { CARD_HEIGHT_PX, FriendCard, FilterChips } from './friend-card.tsx'
import { countFriends, friendParams, friendsShown, type Overlaps } from './friends-shown.ts'

const text = friendsTexts
const CARD_MIN_PX = 288
const GAP_PX = 16
const NONE: Overlaps = new Map()

export function FriendsScreen() {
  const { steamId } = useSignedIn()
  const fresh = useQuery(friendsQueries.list(steamId))
  const stored = useQuery(friendsQueries.stored(steamId))
  // Steam may take a while to respond with presence; until then the stored list is shown.
  const list = { ...fresh, data: fresh.data ?? stored.data }
  const allowance = useQuery(syncQueries.status(steamId))
  const progress = useLibraryProgress(steamId)
  const sync = useSyncFriends(steamId)

  return (
    <Screen
      title={text.title}
      lead={
        // As large as it gets, so that the actions do not move when it comes: on the smallest phones it takes two lines.
        <div className="max-[22rem]:min-h-10 sm:max-lg:min-w-88">
          <ListSummary
            list={list.data}
            counts={({ friends }) => [
              text.count({ friends: friends.length }),
              text.online({ friends: countFriends(friends).online }),
            ]}
          />
        </div>
      }
      action={
        <div className="flex grow flex-wrap items-end gap-2 max-sm:gap-y-5 max-sm:[&>button]:grow">
          <SyncButton
            label={text.sync}
            sync={sync}
            allowance={allowance.data}
            syncedAt={list.data?.synced_at}
          />
          <StartNight startWith="friends" />
        </div>
      }
    >
      {list.data?.status === 'private' && (
        <PrivateNotice title={text.privateTitle}>
          {text.privateHint} {list.data.friends.length > 0 && text.privateStored}
        </PrivateNotice>
      )}
      {progress && <LibraryProgress {...progress} />}
      <Loaded
        query={list}
        skeleton={<PeopleGridSkeleton />}
        failed={text.failed}
        failedAction={<SyncButton label={text.trySyncing} sync={sync} hideStatus />}
        isEmpty={({ friends }) => friends.length === 0}
        empty={<NoFriends status={list.data?.status} />}
      >
        {({ friends }) => <FriendList friends={friends} />}
      </Loaded>
    </Screen>
  )
}

function FriendList({ friends }: { friends: readonly Friend[] }) {
  const { steamId } = useSignedIn()
  const overlaps = useQuery(friendsQueries.overlaps(steamId))
  // Without it the cards say what they said before.
  const common = overlaps.data ?? (overlaps.isError ? NONE : undefined)
  const [view, change] = useQueryView(friendParams)
  const shownView = useDeferredValue(view)
  const shown = useMemo(() => friendsShown(friends, shownView, common), [friends, shownView, common])
  const counts = useMemo(() => countFriends(friends), [friends])
  return (
    <>
      <div role="search" className="grid gap-3">
        <div className="grid gap-3 sm:grid-cols-[1fr_auto]">
          <TextField
            label={text.searchLabel}
            hideLabel
            type="search"
            placeholder={text.searchPlaceholder}
            title={listText.searchHint({ friends: friends.length })}
            icon={<Search />}
            value={view.search}
            onChange={(event) => change({ search: event.target.value })}
          />
          <Select
            label={listText.sort}
            hideLabel
            options={listText.sorts}
            value={view.sort}
            onChange={(sort) => change({ sort })}
          />
        </div>
        <FilterChips
          legend={listText.filter}
          options={listText.filters}
          counts={counts}
          value={view.show}
          onChange={(show) => change({ show })}
        />
      </div>
      <p role="status" className="sr-only">
        {text.count({ friends: shown.length })}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          icon={<Search />}
          action={<Button onClick={() => change({ search: '', show: 'all' })}>{text.showAll}</Button>}
        >
          {text.noMatch}
        </EmptyState>
      ) : (
        <VirtualGrid
          items={shown}
          keyOf={(friend) => friend.steam_id}
          minWidth={CARD_MIN_PX}
          gap={GAP_PX}
          heightOf={() => CARD_HEIGHT_PX}
          label={text.title}
        >
          {(friend) => <FriendCard friend={friend} overlaps={common} />}
        </VirtualGrid>
      )}
    </>
  )
}

/** Why the list is empty. A private list is explained above. */
function NoFriends({ status }: { status: 'ok' | 'private' | 'never' | undefined }) {
  return (
    <EmptyState icon={<Users />}>
      <span className="block font-medium text-ink">{text.empty}</span>
      {status === 'never' && <span className="mt-1 block">{text.neverSynced}</span>}
      {status === 'ok' && <span className="mt-1 block">{text.none}</span>}
    </EmptyState>
  )
}
