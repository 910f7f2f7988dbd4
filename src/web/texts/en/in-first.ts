/** What the dashboard shows of the texts of other screens. */

/** Of a group's page. */
export const groupInFirst = {
  notJoined: 'has not joined yet',
  moreMembers: '+{count}',
  counted: '{counted} of {all} counted',
  /** Why others may see another number. */
  without: 'without {names}',
  onlyMine: 'for others without {names}',
  shown: {
    legend: 'Games shown',
    together: 'Play together ({games, number})',
    all: 'All own ({games, number})',
    hidden: '{games, plural, one {1 single-player game hidden} other {# single-player games hidden}}',
    none: 'Your common games are all for one player.',
  },
  /** Of a member who lacks a game that costs nothing. */
  free: 'Free',
  empty: 'No common games found for this group.',
  commonGames: 'Common Games',
  memberAddFailed: 'Failed to add member.',
  pictureFailed: 'Failed to update picture.',
} as const

/** Of Game Comparison. */
export const comparisonInFirst = {
  hours: 'You: {you}h | Friend: {friend}h',
  empty: 'No games in common.',
} as const

/** Of libraries that are not known. */
export const libraryInFirst = {
  toPrivacy: 'Open Steam privacy settings',
  /** After it, for screen readers. */
  inNewTab: '(opens Steam in a new tab)',
  /** GPAGE-19. */
  theirs: {
    private: "{name}'s game details are private",
    never: "{name}'s library is not synced yet",
    hidden: "{name}'s library is hidden",
    unjoined: '{name} has not joined yet',
    unseen: "{name}'s library is hidden until you join",
  },
  /** Why a comparison with a friend is empty. */
  friend: {
    private: 'This friend’s game details are private on Steam.',
    never: 'This friend’s library hasn’t been synced yet.',
    hidden: 'This friend’s library is hidden.',
  },
} as const

export const friendsInFirst = {
  playing: 'Playing {game}',
  presence: { online: 'Online', away: 'Away', offline: 'Offline' },
  privateExplained:
    'Your friends list is private on Steam. In Steam, go to Profile > Edit Profile > Privacy Settings and set "Friends List" to Public. Then press Sync Friends.',
  none: 'Your Steam friends list is empty.',
  empty: 'No friends found.',
  sync: 'Sync Friends',
  count: '{friends, plural, one {1 friend} other {# friends}}',
  failed: 'Failed to fetch friends',
} as const

export const myGamesInFirst = {
  sync: 'Sync Games',
  privateExplained:
    'Your game details are private on Steam. In Steam, go to Profile > Edit Profile > Privacy Settings and set "Game details" to Public. Then press Sync Games.',
  failed: 'Failed to fetch games',
  played: '{playtime} played',
} as const
