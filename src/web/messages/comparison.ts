/** Texts of Game Comparison that are loaded with it rather than with the first screen (COMP-8 to COMP-11). */
import { withSeparators } from '#shared/playtime.ts'

export const comparisonOverlap = {
  people: 'Who is compared',
  with: 'and',
  legend: 'Games shown',
  parts: { mine: 'Only you', both: 'Both', theirs: 'Only them' },
  /** After a number. */
  games: (count: number) => (count === 1 ? 'game' : 'games'),
  playedByNeither: (count: number, both: number) =>
    both === 0
      ? 'You have no games in common.'
      : count === 0
        ? 'Each of the games you both own was played by at least one of you.'
        : `${withSeparators(count)} of the games you both own ${count === 1 ? 'was' : 'were'} never played by either of you.`,
  alikeLabel: 'Alike',
  alike: (percent: number) => `${percent}%`,
  /** After the percentage. */
  alikeMeaning:
    'of your playing time goes to the same games: of each game, the smaller of your two shares counts.',
  alikeUnknown: 'Not known, because one of you has not played anything yet.',
  failed: 'How much you have in common could not be loaded.',
  unknown: 'How much you have in common is not known.',
  theirsUnknown: 'Your friend’s library is not known here.',
  lists: { mine: 'Games Only You Own', theirs: 'Games Only Your Friend Owns' },
  none: { mine: 'Your friend owns all of your games.', theirs: 'You own all of their games.' },
  searchLabel: { mine: 'Search games only you own', theirs: 'Search games only your friend owns' },
} as const
