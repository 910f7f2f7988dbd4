/** What the dashboard shows of the texts of other screens. */

/** Of a group's page. */
export const groupInFirst = {
  notJoined: 'has not joined yet',
  moreMembers: '+{count}',
  shown: {
    legend: 'Games shown',
    together: 'Play together ({games, number})',
    all: 'All games ({games, number})',
    hidden: '{games, plural, one {1 single-player game hidden} other {# single-player games hidden}}',
    none: 'Your common games are all for one player.',
  },
  empty: 'No common games found for this group.',
  commonGames: 'Common Games',
  memberAddFailed: 'Failed to add member.',
  pictureFailed: 'Failed to update picture.',
} as const

/** Of Game Comparison. */
export const comparisonInFirst = {
  hours: 'You: {you}h | Friend: {friend}h',
  empty: 'No games in common.',
} as const
