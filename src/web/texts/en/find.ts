/**
 * Texts of Find and of the list of keys. Not part of `messages`: the first load of a page does without them, because
 * they come with the code that shows them.
 */

/** NAV-9, NAV-10. */
export const find = {
  title: 'Find',
  placeholder: 'Friend, game, group or page',
  list: 'Results',
  sections: { friends: 'Friends', games: 'My games', groups: 'Groups', screens: 'Pages' },
  /** Where better matches of the same kind stand above. */
  more: { friends: 'More friends', games: 'More of my games', groups: 'More groups', screens: 'More pages' },
  /** Beside the heading of a section that shows only its first matches. */
  ofAll: '{shown} of {total, number}',
  found: '{results, plural, one {1 result. Enter opens {name}.} other {# results. Enter opens {name}.}}',
  none: 'Nothing found.',
  failed: {
    friends: 'Your friends couldn’t be loaded.',
    games: 'Your games couldn’t be loaded.',
    groups: 'Your groups couldn’t be loaded.',
  },
  allKeys: 'All keys',
  open: 'open',
  move: 'move',
} as const

/** NAV-12. */
export const keyList = {
  title: 'Keys',
  keys: { ctrlK: 'Ctrl+K', enter: 'Enter', space: 'Space' },
  find: 'Find a friend, game, group or page',
  list: 'Show this list',
  move: 'Move through the results of a search',
  choose: 'Open or choose the highlighted result',
  chooseSeveral: 'Choose or remove one of several people',
  close: 'Close what is open',
  tab: 'Go to the next control',
  or: 'or',
  /** The setting that turns keys without Ctrl off (WCAG 2.1.4). */
  single: 'Use the keys {keys}',
  singleHint: 'Turn this off if you use speech input or press keys by accident. Ctrl+K stays.',
} as const
