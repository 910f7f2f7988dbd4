/**
 * Query keys. A shorter key is a prefix of all keys below it: `keys.library(id)` matches everything that depends on one
 * person's library alone, so that a change invalidates exactly what it affects.
 */
export const keys = {
  libraries: () => ['library'] as const,
  library: (steamId: string) => [...keys.libraries(), steamId] as const,
  games: (steamId: string) => [...keys.library(steamId), 'games'] as const,
  totalPlaytime: (steamId: string) => [...keys.library(steamId), 'total'] as const,
  gamePlaytime: (steamId: string, appid: number) => [...keys.library(steamId), 'game', appid] as const,

  summaries: () => ['summary'] as const,
  summary: (steamId: string) => [...keys.summaries(), steamId] as const,

  friends: (steamId: string) => ['friends', steamId] as const,
  friendList: (steamId: string) => [...keys.friends(steamId), 'list'] as const,
  friendListStored: (steamId: string) => [...keys.friends(steamId), 'stored'] as const,
  /** Queries computed from friends' libraries. */
  friendsLibraries: (steamId: string) => [...keys.friends(steamId), 'libraries'] as const,
  friendsTopGames: (steamId: string) => [...keys.friendsLibraries(steamId), 'top'] as const,
  gameFriends: (steamId: string, appid: number) =>
    [...keys.friendsLibraries(steamId), 'game', appid] as const,
  /** Below the comparisons, because they are computed from my library too. */
  friendOverlaps: (me: string) => [...keys.comparisons(), me, 'friends'] as const,
  gamePage: (me: string, appid: number) => [...keys.comparisons(), me, 'game', appid] as const,

  comparisons: () => ['comparison'] as const,
  comparison: (me: string, friend: string) => [...keys.comparisons(), me, friend] as const,

  groupList: (steamId: string) => ['group-list', steamId] as const,
  /** Groups with their members, whose rows include their library status. */
  allGroups: () => ['group'] as const,
  group: (groupId: number) => [...keys.allGroups(), groupId] as const,
  groupMembers: (groupId: number) => [...keys.group(groupId), 'members'] as const,
  departed: (groupId: number) => ['departed', groupId] as const,
  /** Not below the group: a refetch would be refused after the owner handed the group over. */
  formerMembers: (groupId: number) => ['former-members', groupId] as const,
  /** Common games of all groups: a change of any library may affect them. */
  allSharedGames: () => ['shared-games'] as const,
  sharedGames: (groupId: number) => [...keys.allSharedGames(), groupId] as const,
  gamePlayers: (groupId: number, appid: number) => [...keys.sharedGames(groupId), 'players', appid] as const,
  wanted: (groupId: number) => [...keys.sharedGames(groupId), 'wanted'] as const,
  addedGames: (groupId: number) => [...keys.sharedGames(groupId), 'added'] as const,
  nearMisses: (groupId: number) => [...keys.sharedGames(groupId), 'near-misses'] as const,

  /** Lists of game nights: mine, and a group's. */
  nightLists: () => ['nights'] as const,
  nights: (steamId: string) => [...keys.nightLists(), 'mine', steamId] as const,
  groupNights: (groupId: number) => [...keys.nightLists(), 'group', groupId] as const,
  allNights: () => ['night'] as const,
  night: (nightId: number) => [...keys.allNights(), nightId] as const,
  leavingNight: (nightId: number) => ['leaving-night', nightId] as const,
  /** Public links to picks and years. */
  shares: () => ['share'] as const,
  share: (...of: readonly (string | number)[]) => [...keys.shares(), ...of] as const,
  /** What a group has chosen for its nights. */
  nightSettings: (groupId: number) => ['night-settings', groupId] as const,
  webhooks: () => ['webhook'] as const,
  webhook: (groupId: number) => [...keys.webhooks(), groupId] as const,
  /** The link by which people join a group or a night. */
  invite: (kind: 'group' | 'night', id: number) => ['invite', kind, id] as const,

  sync: (steamId: string) => ['sync', steamId] as const,
  syncStatus: (steamId: string) => [...keys.sync(steamId), 'status'] as const,
  /** Apart from syncs: each step of one would read it again. */
  lately: (steamId: string) => ['lately', steamId] as const,
  /** What came of reading my Steam wishlist. */
  wishlist: (steamId: string) => [...keys.sync(steamId), 'wishlist'] as const,
  activity: (steamId: string) => [...keys.sync(steamId), 'activity'] as const,

  /** The address of my calendar of game nights. */
  calendar: (steamId: string) => ['calendar', steamId] as const,
  /** Everything on the operator's page. */
  operator: (...what: readonly (string | number)[]) => ['operator', ...what] as const,
  settings: (steamId: string) => ['settings', steamId] as const,
  sessions: (steamId: string) => ['sessions', steamId] as const,
}
