/**
 * Every fixed sentence of SPEC.md, to the letter, by the screen that shows it; screens take their texts from here.
 * Sentences that SPEC.md only describes are ours and stand under the same screen.
 */
import { withSeparators } from '#shared/playtime.ts'

export const messages = {
  product: 'Shelfmates',
  tagline: 'Your shelf of games beside your friends’.',
  /** SPEC.md 2 'Loading...' and 8. */
  loading: 'Loading...',
  networkError: 'Network error.',
  tryAgain: 'Try again',
  /** An answer that has neither a text of the server nor one of SPEC.md. */
  somethingWrong: 'Something went wrong.',

  /** SPEC.md 2 'Sidebar'; the hamburger's name is CONTRACT.md 'Pages'. */
  navigation: {
    dashboard: 'Dashboard',
    myGames: 'My Games',
    friends: 'Friends',
    groups: 'Groups',
    friendsGames: "Friend's Games",
    gameComparison: 'Game Comparison',
    account: 'Account',
    privacy: 'Privacy',
    open: 'Open navigation',
    close: 'Close navigation',
    skip: 'Skip to content',
    logOut: 'Log Out',
    defaultName: 'Player',
    poweredBySteam: 'Powered by Steam',
    demo: 'Demo',
    demoHint: 'Players and games are invented.',
  },

  /** SPEC.md 2 'Login'. */
  login: {
    title: 'Log in',
    lead: 'See what you can all play tonight.',
    about:
      'Shelfmates puts your library beside your friends’ and your groups’, and lights up what all of you own.',
    signedInAs: 'You are signed in as',
    button: 'Sign in with Steam',
    opening: 'Opening Steam...',
    note: 'Secure login, handled by Steam. Shelfmates never sees your password and stores none.',
    failed: 'Signing in with Steam did not work. Nothing was stored; please try again.',
    signingIn: 'Signing you in...',
  },

  /** SPEC.md 2 'Dashboard', 4 and 8. */
  dashboard: {
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
    played: (hours: number) => `${hours}h played`,
    hours: (hours: number) => `${hours}h`,
    gamesUnread: 'Your games are not here yet. Press Sync Games at the top of this page.',
    gamesNone: 'Your library on Steam has no games yet.',
    friendsUnread: 'Your friends are not here yet. Press Sync Friends at the top of this page.',
    friendsNone: 'Nobody is on your friend list on Steam yet.',
    friendsPrivate:
      'Steam keeps your friend list private. In Steam open Profile, Edit Profile, Privacy Settings, set "Friends List" to Public, then press Sync Friends.',
    friendsTopEmpty: 'Nothing yet: no library of a friend could be read so far.',
    loadFailed: 'This could not be loaded just now.',
    groupsEmpty: 'No groups yet. A group shows which games all of its members own.',
    groupSort: 'Sort groups',
    groupSynced: 'synced recently',
    friendPlayed: 'played a new game',
    commonEmpty: 'Create a group with your friends to see here which games all of you own.',
    commonNone: 'No common games found for this group.',
    startGroup: 'Start your first group',
    groupPosition: (position: number, count: number) => `${position} of ${count}`,
    together: 'Playable together',
    togetherNone: 'None of the common games is known to be playable together.',
    hoursTogether: (hours: number) => `${hours}h together`,
    moreMembers: (count: number) => `and ${count} more`,
    missing: {
      private: 'game details are private on Steam',
      never: 'library is not synced yet',
      hidden: 'hides their library here',
    },
    missingLead: 'Not counted:',
    friendLibrary: {
      private: 'This friend’s game details are private on Steam.',
      never: 'This friend’s library is not read yet.',
      hidden: 'This friend hides their library here.',
    },
    compareHint: 'Choose a friend to see which games you both own.',
    compareNobody: 'Sync your friends first, then compare your games with one of them.',
    gaugeEnd: (hours: number) => `of ${hours}h on this gauge`,
    hoursPlayed: 'hours played',
    bars: 'Hours per game',
    firstRun: {
      title: 'Three steps to your first game night',
      games: 'Read your games',
      gamesWhy: 'Shelfmates reads your library from Steam. It takes a few seconds.',
      friends: 'Read your friend list',
      friendsWhy: 'Then it reads the libraries your friends show, quietly in the background.',
      group: 'Create your first group',
      groupWhy: 'A group answers what all of you can play tonight.',
      done: 'done',
    },
    upToDate: { label: 'How fresh this is', games: 'Games', friends: 'Friends', syncs: 'Syncs' },
  },

  /** SPEC.md 4 'Dashboard group creation wizard' and CONTRACT.md 'Pages'. */
  wizard: {
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
    choose: 'Who is in?',
    chosen: (count: number) => `${count} chosen`,
    adding: 'Adding...',
    nobody: 'There is nobody to add yet: sync your friends first, then add them on the group’s page.',
    search: 'Search friends',
    pictureUrl: 'Picture address',
    pictureHint: 'The address of an image on the web. A picture can also be uploaded on the Groups page.',
    setting: 'Setting...',
  },

  /** SPEC.md 2 'My Games' and 8. */
  myGames: {
    title: 'My Games',
    sync: 'Sync Games',
    compare: 'Compare with Friends',
    empty: 'No games found. Click Sync Games above to fetch your library from the platform.',
    failed: 'Failed to fetch games',
    played: (playtime: string) => `${playtime} played`,
    searchLabel: 'Search my games',
    searchPlaceholder: 'Search games...',
    privateTitle: 'Steam keeps your game details private',
    privateHint:
      'To let Shelfmates read them: in Steam open Profile, Edit Profile, Privacy Settings, set "Game details" to Public, then press Sync Games.',
    privateKept: 'What was read before is still here.',
  },

  /** Searching, sorting and filtering games. */
  gameView: {
    sortLabel: 'Sort',
    sorts: {
      playtime: 'Playtime descending',
      alphabetical: 'Alphabetical',
      recent: 'Recently played',
      least: 'Least played',
    },
    modeLabel: 'Way to play',
    modes: {
      any: 'All games',
      single: 'Single-player',
      multi: 'Multiplayer',
      coop: 'Co-op',
      online: 'Online',
      local: 'Same screen',
      mmo: 'MMO',
    },
    count: (games: number) => (games === 1 ? '1 game' : `${withSeparators(games)} games`),
    noMatch: 'No games match.',
    showAll: 'Show all games',
  },

  /** What every sync button says (SPEC.md 2, 9). */
  sync: {
    busy: 'Syncing...',
    left: (left: number, limit: number) => `${left} of ${limit} syncs left`,
    noneLeft: (limit: number) => `All ${limit} syncs of the last 24 hours are used.`,
    nextFree: 'The next one is free',
    progress: (read: number, total: number) => `${read} of ${total} libraries`,
    progressTitle: 'Reading your friends’ libraries',
    synced: 'synced',
    neverSynced: 'not synced yet',
  },

  /** SPEC.md 2 'Friends' and 8. */
  friends: {
    title: 'Friends',
    sync: 'Sync Friends',
    trySyncing: 'Try Syncing Friends',
    empty: 'No friends found.',
    failed: 'Failed to fetch friends',
  },

  /** The friend search of three screens (SPEC.md 2 'Friend's Games'). */
  friendSearch: {
    label: 'Friend',
    placeholder: 'Search for a friend...',
    empty: 'No friends found',
    clear: 'Clear the search',
    show: 'Show friends',
  },

  /** SPEC.md 2 'Friend's Games' and 8. */
  friendGames: {
    title: "Friend's Games",
    heading: (name: string) => `${name}'s Games`,
    sync: 'Sync Games',
    sortLabel: 'Sort',
    sort: { playtime: 'Playtime descending', alphabetical: 'Alphabetical' },
    empty: 'Oops! It looks like we don’t have this friend’s games in our system yet.',
    failed: "Failed to fetch friend's games",
  },

  /** SPEC.md 2 'Game Comparison'. */
  comparison: {
    title: 'Game Comparison',
    list: 'Games You Both Own',
    hours: (you: number, friend: number) => `You: ${you}h | Friend: ${friend}h`,
    empty: 'No games in common.',
    chooseFriend: 'Select a friend to compare your games!',
    failed: 'Failed to fetch common games.',
  },

  /** SPEC.md 2 'Friends who play a game'. */
  gameFriends: {
    title: (game: string) => `Friends Who Play ${game}`,
    unknownGame: 'This Game',
    empty: 'None of your friends play this game.',
    failed: 'Failed to fetch friends',
  },

  /** SPEC.md 2 'Groups', 4, 5, 8 and CONTRACT.md 'Pages'. */
  groups: {
    title: 'Groups',
    members: (count: number) => `${count} members`,
    view: 'View Group',
    create: 'Create Group',
    nameRequired: 'Group name required.',
    createFailed: 'Failed to create group.',
    notAnImage: 'Please choose an image file.',
    sort: { size: 'By Size', newest: 'Newest First', oldest: 'Oldest First', alpha: 'A-Z' },
  },

  /** SPEC.md 2 'Group detail' and 8. */
  group: {
    setPicture: 'Set Picture',
    pictureFailed: 'Failed to update picture.',
    pictureUpdated: 'Group picture updated!',
    addMember: 'Add Member',
    memberAdded: 'Member added!',
    memberAddFailed: 'Failed to add member.',
    owner: '(Owner)',
    remove: 'Remove',
    memberRemoved: 'Member removed!',
    memberRemoveFailed: 'Failed to remove member.',
    compare: 'Compare Group Games',
    commonGames: 'Common Games',
    commonGamesFailed: 'Failed to fetch common games.',
    empty: 'No common games found for this group.',
    loadingGames: 'Loading group games...',
    noData: "No data yet. Sync your friends' games!",
    sync: 'Sync Group Games',
    syncComplete: 'Group sync complete!',
    syncFailed: 'Sync failed',
  },

  /** SPEC.md 2 '404 page'. */
  notFound: {
    code: '404',
    title: 'Page Not Found',
    hint: 'The link may be broken, or the address may have been mistyped.',
    back: 'Go to Dashboard',
  },

  /** Pages beyond SPEC.md. */
  account: { title: 'Account & privacy' },
  privacy: { title: 'Privacy' },
  crash: {
    title: 'This part of the page stopped working.',
    hint: 'The rest still works.',
    retry: 'Show it again',
  },
} as const
