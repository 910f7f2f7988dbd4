/** Lengths of what is typed, as the server counts them: characters, without the blanks around them (LIM-4). */

/** How many characters there are; browsers count the halves of some, such as emoji. */
export function charactersIn(text: string): number {
  return [...text.trim()].length
}

/** Whether the server would refuse a text for its length. */
export function isTooLong(text: string, max: number): boolean {
  return charactersIn(text) > max
}
