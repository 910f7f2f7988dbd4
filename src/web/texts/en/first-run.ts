/** The first run on the dashboard (DASH-33). */
export const firstRun = {
  title: 'Three steps to your first game night',
  games: 'Sync your games',
  gamesWhy: 'Add your Steam library to Shelfmates. It takes a few seconds.',
  friends: 'Sync your friends',
  friendsWhy: 'Their libraries are then synced in the background.',
  then: 'Next: your friends, and then who is playing tonight.',
  group: 'Who is playing tonight?',
  groupWhy: 'Choose friends to see which games you can all play.',
  chosen: '{friends} chosen. This makes the group “{group}”, which you can rename later.',
  find: 'Find a friend',
  see: 'See what we can play',
  looking: 'Looking...',
  done: 'done',
  private: 'private on Steam',
} as const
