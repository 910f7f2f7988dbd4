/**
 * The list in a response, which may be the list itself or an object that contains it (API-2); the contract's types have
 * only the object.
 */
export function listOf<Response extends object, Row>(
  response: Response,
  select: (response: Response) => readonly Row[] | undefined,
): Row[] {
  return Array.isArray(response) ? (response as Row[]) : [...(select(response) ?? [])]
}
