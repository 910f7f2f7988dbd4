/** Choices that a browser remembers; not part of the session, so they survive a sign-out. */
export type Remembered<Choice extends string> = {
  read: () => Choice | undefined
  write: (choice: Choice) => void
}

/**
 * A choice stored in this browser.
 * @param choices of which the first is the default and not stored; a stored value that is none of them counts as none
 */
export function remembered<Choice extends string>(
  key: string,
  choices: readonly [Choice, ...Choice[]],
): Remembered<Choice> {
  return {
    read: () => choices.find((choice) => choice === localStorage.getItem(key)),
    write: (choice) =>
      choice === choices[0] ? localStorage.removeItem(key) : localStorage.setItem(key, choice),
  }
}

const isPhone = typeof matchMedia === 'function' && matchMedia('(width < 40rem)').matches

/** Rows or tiles for lists of games: a phone has room for one tile or nine rows. The first is the default (LIST-5). */
export const GAME_LAYOUTS: readonly ['tiles' | 'list', 'tiles' | 'list'] = isPhone
  ? ['list', 'tiles']
  : ['tiles', 'list']
export const gameLayout: Remembered<'tiles' | 'list'> = {
  ...remembered('game_layout', GAME_LAYOUTS),
  // Also the default, because lists of tiles with two beside each other on a phone have another one.
  write: (layout) => localStorage.setItem('game_layout', layout),
}
