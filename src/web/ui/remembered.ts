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

/** Whether lists of games are shown as tiles or as rows (LIST-5). */
export const gameLayout = remembered('game_layout', ['tiles', 'list'])
