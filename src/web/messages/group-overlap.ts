/** Texts of a group's matrix (GPAGE-32). Not part of `messages`: they come with the screen, after the first load. */
import { withSeparators } from '#shared/playtime.ts'

export const groupOverlap = {
  title: 'Who shares how many',
  hint: 'How many games every two members both own. On the diagonal: how many each one owns.',
  failed: 'Failed to fetch who shares how many games.',
  tooFew: 'At least two members’ libraries must be available.',
  /** Around two names. */
  and: 'and',
  most: (games: number) =>
    games === 1 ? 'share the most: 1 game.' : `share the most: ${withSeparators(games)} games.`,
  noneShared: 'No two members own the same game.',
  missing: (members: number) =>
    members === 1
      ? '1 member’s library isn’t available.'
      : `${withSeparators(members)} members’ libraries aren’t available.`,
  member: 'Member',
  showAll: (members: number) => `Show all ${members} members`,
} as const
