/** How names of games and players are ordered, by the server and on pages. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** Compares names regardless of case and accents, and numbers by their value: 'half-life 2' before 'Half-Life 10'. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b)
