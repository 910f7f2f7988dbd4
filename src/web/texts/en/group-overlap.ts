/** Texts of a group's matrix (GPAGE-32). Not part of `messages`: they come with the screen, after the first load. */
export const groupOverlap = {
  title: 'Who shares how many',
  hint: 'How many games every two members both own. On the diagonal: how many each one owns.',
  failed: 'Failed to fetch who shares how many games.',
  tooFew: 'At least two members’ libraries must be available.',
  most: '{games, plural, one {{first} and {second} share the most: 1 game.} other {{first} and {second} share the most: # games.}}',
  noneShared: 'No two members own the same game.',
  missing:
    '{members, plural, one {1 member’s library isn’t available.} other {# members’ libraries aren’t available.}}',
  member: 'Member',
  showAll: 'Show all {members} members',
} as const
