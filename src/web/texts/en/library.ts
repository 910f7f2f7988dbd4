/** Texts keyed by library status, in one place so that a status reads alike on every screen (API-7). */

import { libraryInFirst } from './in-first.ts'

export const library = {
  ...libraryInFirst,
  /** On a friend's card. */
  label: {
    ok: 'Library synced',
    private: 'Game details private',
    never: 'Library not synced yet',
    hidden: 'Library hidden',
  },
  /** In a member's row, below the name. */
  member: {
    private: 'game details are private',
    never: 'not synced yet',
    hidden: 'library hidden',
    unseen: 'library hidden until you join',
  },
  mine: {
    private: 'Your game details are private',
    never: 'Your library is not synced yet',
    hidden: 'Your library is hidden, so your games only count for you',
  },
  /** Why a friend's shelf is empty, and what to do about it. */
  emptyShelf: {
    ok: 'Their Steam library is empty.',
    private:
      'Their game details are private on Steam. They can set "Game details" to Public in Steam, under Profile > Edit Profile > Privacy Settings. Then press Sync Games.',
    never: 'Their library hasn’t been synced yet. Press Sync Games above to sync it now.',
    hidden: 'Their library is hidden. They can share it on their Account page.',
  },
  /** How many friends' libraries are not available, and why (PLAY-6). */
  unavailable: {
    private: '{friends, number} private on Steam',
    never: '{friends, number} not synced yet',
    hidden: '{friends, number} hidden',
  },
  /** What can be done about members who are not counted (GPAGE-19). */
  remedy: {
    private:
      'To share them, go to Profile > Edit Profile > Privacy Settings in Steam and set "Game details" to Public. Then press Sync Group Games.',
    never: 'Press Sync Group Games to sync them.',
    hidden: 'A hidden library can be shared again on its owner’s Account page.',
    unjoined: 'Their games count once they join, if they share their library.',
    unseen: 'Join the group to count the games of members who share their library.',
  },
} as const
