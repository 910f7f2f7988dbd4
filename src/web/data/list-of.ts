/**
 * The list in an answer. Some answers come in two forms, a list or an object that holds it (API-2); the
 * contract's types know the second only.
 */
export function listOf<Holder extends object, Row>(
  answer: Holder,
  held: (holder: Holder) => readonly Row[] | undefined,
): Row[] {
  return Array.isArray(answer) ? (answer as Row[]) : [...(held(answer) ?? [])]
}
