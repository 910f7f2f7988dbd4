/**
 * Texts of the dashboard and its group creation wizard.
 * Requirements: DASH-30.
 */
import { withSeparators } from '#shared/playtime.ts'

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
  played: (hours: number) => `${withSeparators(hours)}h played`,
  gamesNeverSynced: 'No games yet. Press Sync Games to add your Steam library.',
  gamesNone: 'Your Steam library is empty.',
  friendsNeverSynced: 'Press Sync Friends on the Friends page to add your Steam friends.',
  friendsTopEmpty: 'Nothing to show yet: none of your friends’ libraries have been synced.',
  loadFailed: 'Couldn’t load this right now.',
  groupsEmpty: 'No groups yet. Create one to see which games you all own.',
  groupSort: 'Sort groups',
  groupSynced: 'synced recently',
  friendPlayed: 'played a new game',
  commonEmpty: 'Create a group and invite people to see which games you all own.',
  startGroup: 'Start your first group',
  groupPosition: (position: number, count: number) => `${position} of ${count}`,
  missingLead: 'Not counted:',
  compareHint: 'Choose a friend to see which games you both own.',
  compareNoFriends: 'Sync your friends first, then choose one to compare with.',
  /** At the end of the gauge, when there are more hours than it has. */
  gaugeOver: (hours: number) => `+${withSeparators(hours)}h`,
  /** In the gauge, and below its end. */
  gaugeHours: (hours: number) => `${withSeparators(hours)}h`,
  hoursPlayed: (hours: number) => (hours === 1 ? '1 hour played' : `${withSeparators(hours)} hours played`),
  /** Of all friends. */
  friendsHours: (hours: number) => `${withSeparators(hours)}h`,
  bars: 'Hours per game',
  /** LOGIN-10. */
  wayBack: { go: 'Back to the page you came for', dismiss: 'Dismiss' },
  firstRun: {
    title: 'Three steps to your first game night',
    games: 'Sync your games',
    gamesSyncing: 'Your games are syncing from Steam and will appear here automatically.',
    friendsSyncing: 'Your friends are syncing from Steam and will appear here automatically.',
    gamesWhy: 'Add your Steam library to Shelfmates. It takes a few seconds.',
    friends: 'Sync your friends',
    friendsWhy: 'Their libraries are then synced in the background.',
    then: 'Next: your friends, and then who is playing tonight.',
    group: 'Who is playing tonight?',
    groupWhy: 'Choose friends to see which games you can all play.',
    chosen: (friends: number, group: string) =>
      `${friends} chosen. This makes the group “${group}”, which you can rename later.`,
    find: 'Find a friend',
    see: 'See what we can play',
    looking: 'Looking...',
    done: 'done',
    private: 'private on Steam',
  },
  upToDate: {
    label: 'Last synced',
    games: 'Games:',
    friends: 'Friends:',
    /** Before a time. */
    synced: 'synced',
    never: 'not synced yet',
    reading: 'syncing now',
    private: 'private on Steam',
  },
} as const

/** WIZ-1 and WIZ-3. */
export const wizard = {
  created: (name: string) => `Group "${name}" created!`,
  addMembers: 'Add Members',
  setPicture: 'Set Picture',
  pictureUpdated: 'Picture updated!',
  skip: 'Skip',
  cancel: 'Cancel',
  steps: ['Name', 'Members', 'Picture'],
  step: (step: number, title: string) => `Step ${step} of 3: ${title}`,
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
  openGroup: 'Open',
} as const
