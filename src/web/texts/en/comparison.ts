/** Texts of Game Comparison that are loaded with it rather than with the first screen (COMP-8 to COMP-11). */
export const comparisonOverlap = {
  people: 'Who is compared',
  /** Between the two names, which shorten to one line each. */
  with: 'and',
  legend: 'Games shown',
  parts: { mine: 'Only you', both: 'Both', theirs: 'Only them' },
  games: '{count, plural, one {1 game} other {# games}}',
  noneInCommon: 'You have no games in common.',
  playedByNeither:
    '{count, plural, =0 {Each of the games you both own was played by at least one of you.} one {1 of the games you both own was never played by either of you.} other {# of the games you both own were never played by either of you.}}',
  alikeLabel: 'Playtime alike:',
  alike: '{percent}%',
  alikeMeaning:
    '{share} of your playing time goes to the same games: of each game, the smaller of your two shares counts.',
  alikeUnknown: 'Not known, because one of you has not played anything yet.',
  failed: 'How much you have in common could not be loaded.',
  /** Where a library is not known (COMP-11). */
  notKnown: {
    mine: {
      private: {
        reason: 'Your game details are private on Steam.',
        remedy: 'Set "Game details" to Public in Steam’s Privacy Settings, then sync your games.',
      },
      never: { reason: 'Your games haven’t been synced yet.', remedy: 'Sync them on My Games.' },
      hidden: { reason: 'Your library is hidden.', remedy: 'You can share it on your Account page.' },
    },
    theirs: {
      // Both libraries were known a moment later.
      ok: { reason: 'How much you have in common is not known.', remedy: 'Reload the page to try again.' },
      private: {
        reason: 'This friend’s game details are private on Steam.',
        remedy: 'They can set "Game details" to Public in Steam’s Privacy Settings; then sync their games.',
      },
      never: {
        reason: 'This friend’s library hasn’t been synced yet.',
        remedy: 'Sync their games on their page.',
      },
      hidden: {
        reason: 'This friend’s library is hidden.',
        remedy: 'They can share it on their Account page.',
      },
    },
    lists: {
      both: 'Which games you both own is not known.',
      mine: 'Which games only you own is not known.',
      theirs: 'Which games only your friend owns is not known.',
    },
  },
  lists: { mine: 'Games Only You Own', theirs: 'Games Only Your Friend Owns' },
  none: { mine: 'Your friend owns all of your games.', theirs: 'You own all of their games.' },
  searchLabel: { mine: 'Search games only you own', theirs: 'Search games only your friend owns' },
} as const
