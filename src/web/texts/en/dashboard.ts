/**
 * Texts of the dashboard and its group creation wizard.
 * Requirements: DASH-26.
 */

/** DASH-1. */
export const dashboard = {
  title: 'Dashboard',
  loading: 'Loading your dashboard...',
  topGames: 'My Top Games',
  viewAllGames: 'View All Games',
  friends: 'Friends',
  groups: 'Groups',
  recentActivity: 'Recent Activity',
  compareGames: 'Compare Games',
  topGamesChart: 'Top 5 Games by Playtime',
  friendsTopGames: "Friends' Top Games",
  totalPlaytime: 'Total Playtime',
  topCommonGames: 'Top Common Games',
  gameNight: 'Game night',
  viewGroupDetails: 'View Group Details',
  viewAll: 'View All',
  noActivity: 'No recent activity.',
  compare: 'Compare',
  comparing: 'Comparing...',
  previousGroup: 'Previous group',
  nextGroup: 'Next group',
  createGroup: 'Create group',
  lead: 'What can we all play tonight?',
  viewAllFriends: 'View All Friends',
  viewAllGroups: 'View All Groups',
  played: '{hours, number}h played',
  gamesNeverSynced: 'No games yet. Press Sync Games to add your Steam library.',
  gamesNone: 'Your Steam library is empty.',
  friendsNeverSynced: 'Press Sync Friends on the Friends page to add your Steam friends.',
  friendsTopEmpty: 'Nothing to show yet: none of your friends’ libraries have been synced.',
  loadFailed: 'Couldn’t load this right now.',
  groupsEmpty: 'No groups yet. Create one to see which games you all own.',
  groupSort: 'Sort groups',
  groupSynced: '{group} synced recently',
  friendPlayed: '{friend} played a new game: {game}',
  commonEmpty: 'Create a group and invite people to see which games you all own.',
  startGroup: 'Start your first group',
  groupPosition: '{position} of {count}',
  missingLead: 'Not counted:',
  compareHint: 'Choose a friend to see which games you both own.',
  compareNoFriends: 'Sync your friends first, then choose one to compare with.',
  /** At the end of the gauge, when there are more hours than it has. */
  gaugeOver: '+{hours, number}h',
  /** In the gauge, and below its end. */
  gaugeHours: '{hours, number}h',
  hoursPlayed: '{hours, plural, one {1 hour played} other {# hours played}}',
  /** Of all friends. */
  friendsHours: '{hours, number}h',
  bars: 'Hours per game',
  /** LOGIN-10. */
  wayBack: { go: 'Back to the page you came for', dismiss: 'Dismiss' },
  gamesSyncing: 'Your games are syncing from Steam and will appear here automatically.',
  friendsSyncing: 'Your friends are syncing from Steam and will appear here automatically.',
  /** The name suggested for a group that plays tonight: 'Friday night'. */
  groupName: '{day} night',
  groupNameOf: '{name}’s {day} night',
  /** Of the group's members, and asking them to a night. */
  crewOnline: '{count, plural, one {1 is online} other {# are online}}',
  askThem: 'Ask them',
  syncs: 'Syncing',
} as const

/** WIZ-1. */
export const wizard = {
  created: 'Group "{name}" created!',
  addMembers: 'Add Members',
  setPicture: 'Set Picture',
  pictureUpdated: 'Picture updated!',
  skip: 'Skip',
  cancel: 'Cancel',
  steps: ['Name', 'Members', 'Picture'],
  step: 'Step {step} of 3: {title}',
  name: 'Group name',
  namePlaceholder: 'Friday night',
  create: 'Create',
  creating: 'Creating...',
  choose: 'Choose friends',
  adding: 'Adding...',
  noFriends:
    'No friends to add yet. Sync your friends first, or invite by link: the group is there with you alone.',
  search: 'Search friends',
  pictureUrl: 'Picture URL',
  pictureHint: 'Link to an image. You can also upload one on the group’s page.',
  setting: 'Setting...',
  openGroup: 'Open {group}',
} as const
