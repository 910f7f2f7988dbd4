/** Of a symmetric matrix the two different rows with the largest common number, the first such pair; none if all are 0. */
export function closestPair(
  common: readonly (readonly number[])[],
): { one: number; other: number; games: number } | undefined {
  let closest: { one: number; other: number; games: number } | undefined
  for (const [one, row] of common.entries())
    for (let other = one + 1; other < row.length; other++)
      if (row[other]! > (closest?.games ?? 0)) closest = { one, other, games: row[other]! }
  return closest
}
