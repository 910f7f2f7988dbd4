/** Texts of the Friends screen, and of the friend search that several screens have. */
import { friendsInFirst } from './in-first.ts'

/** FRI-1. */
export const friends = {
  ...friendsInFirst,
  title: 'Friends',
  trySyncing: 'Try Syncing Friends',
  online: '{friends, number} online',
  searchLabel: 'Search my friends',
  searchPlaceholder: 'Search friends...',
  noMatch: 'No friends match.',
  showAll: 'Show all friends',
  neverSynced: 'Press Sync Friends above to add your Steam friends.',
  privateTitle: 'Your friends list is private on Steam',
  privateHint:
    'In Steam, go to Profile > Edit Profile > Privacy Settings and set "Friends List" to Public. Then press Sync Friends.',
  privateStored: 'Friends synced earlier are still here.',
} as const

/** FGAM-2. */
export const friendSearch = {
  label: 'Friend',
  placeholder: 'Search for a friend...',
  empty: 'No friends found',
  loading: 'Loading friends...',
  clear: 'Clear search',
  picks: 'Friends with synced libraries',
  toFriends: 'Go to Friends',
  /** What Enter does while none is highlighted, after the number of friends. */
  enterChooses: 'Enter chooses {name}',
  library: { private: 'private library', hidden: 'hidden library', never: 'not synced yet' },
} as const

/** Choosing several people (PAGE-23). */
export const peoplePicker = {
  chosen: '{people, number} chosen',
  none: 'Nobody chosen yet',
  chosenList: 'Chosen friends',
  remove: 'Remove {name}',
} as const
