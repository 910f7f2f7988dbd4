/** Texts of the Friends screen's filters, which are loaded with it rather than with the first screen (FRI-7). */
export const friendList = {
  searchHint:
    'Searches {friends, plural, one {1 friend} other {all # friends}}. Your browser’s own search (Ctrl+F) finds only those on the screen.',
  filter: 'Which friends',
  filters: {
    all: 'All',
    playing: 'In game',
    online: 'Online',
    private: 'Private',
    joined: 'On Shelfmates',
  },
  sort: 'Sort',
  sorts: {
    presence: 'Presence',
    name: 'Name',
    common: 'Games in common',
  },
  common: '{games, plural, one {1 game in common} other {# games in common}}',
  /** Somebody whose own list was read later and does not have me (PERM-20). */
  former: 'No longer friends on Steam',
  formerRemedy: 'Sync Friends to refresh',
} as const

/** Friends Who Play (PLAY-6). */
export const ownerList = {
  searchLabel: 'Search these friends',
  toGame: 'The page of {game}',
  plays: 'Play it',
  owns: 'Own it, never played',
  notMine: 'Not in your library',
  sorts: {
    hours: 'Most played',
    presence: 'Presence',
    name: 'Name',
  },
} as const
