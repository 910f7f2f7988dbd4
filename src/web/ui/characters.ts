/** Lengths of typed text as the server counts them: code points, without surrounding spaces (LIM-4). */

/** The number of code points; `String.length` counts some characters twice, such as emoji. */
export function charactersIn(text: string): number {
  return [...text.trim()].length
}

/** Whether the server would refuse a text as too long. */
export function isTooLong(text: string, max: number): boolean {
  return charactersIn(text) > max
}
