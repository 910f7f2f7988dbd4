/** Friends (FRI-1): the friend list with presence, linking to each friend's games. */
import { useQuery } from '@tanstack/react-query'
import { Search, Users } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { friendsQueries, useSyncFriends } from '../../data/friends.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { replaceQueryString } from '../../ui/query-string.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { LibraryProgress } from '../../ui/library-progress.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PrivateNotice } from '../../ui/private-notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'
import { SyncButton } from '../../ui/sync-button.tsx'
import { ListSummary } from '../../ui/synced-ago.tsx'
import { VirtualGrid } from '../../ui/virtual-grid.tsx'
import { CARD_HEIGHT_PX, FriendCard } from './friend-card.tsx'
import { countPresent, friendsShown } from './friends-shown.ts'

const text = messages.friends
const CARD_MIN_PX = 288
const GAP_PX = 16

export function FriendsScreen() {
  const { steamId } = useSignedIn()
  const fresh = useQuery(friendsQueries.list(steamId))
  const stored = useQuery(friendsQueries.stored(steamId))
  // The platform may take a while to respond with presence; until then the stored list is shown.
  const list = { ...fresh, data: fresh.data ?? stored.data }
  const allowance = useQuery(syncQueries.status(steamId))
  const progress = useLibraryProgress(steamId)
  const sync = useSyncFriends(steamId)

  return (
    <Screen
      wide
      title={text.title}
      lead={
        list.data ? (
          <ListSummary
            counts={[text.count(list.data.friends.length), text.online(countPresent(list.data.friends))]}
            syncedAt={list.data.synced_at}
          />
        ) : (
          // As much room as it will need.
          <span>&nbsp;</span>
        )
      }
      action={
        <SyncButton
          label={text.sync}
          sync={sync}
          allowance={allowance.data}
          syncedAt={list.data?.synced_at}
        />
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
        skeleton={<ListSkeleton rows={8} />}
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

function FriendList({ friends }: { friends: Parameters<typeof friendsShown>[0] }) {
  const [search, setSearchOnly] = useState(() => new URLSearchParams(location.search).get('search') ?? '')
  const setSearch = (typed: string) => {
    setSearchOnly(typed)
    replaceQueryString(typed === '' ? [] : [['search', typed]])
  }
  const shownSearch = useDeferredValue(search)
  const shown = useMemo(() => friendsShown(friends, shownSearch), [friends, shownSearch])
  return (
    <>
      <div role="search">
        <TextField
          label={text.searchLabel}
          hideLabel
          type="search"
          placeholder={text.searchPlaceholder}
          icon={<Search />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <p role="status" className="sr-only">
        {text.count(shown.length)}
      </p>
      {shown.length === 0 ? (
        <EmptyState icon={<Search />} action={<Button onClick={() => setSearch('')}>{text.showAll}</Button>}>
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
          {(friend) => <FriendCard friend={friend} />}
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
