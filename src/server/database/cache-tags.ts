/**
 * What writes change, in cache tags such as `person:7656…` (docs/develop/caching.md). A transaction stores the tags it
 * changed in the table `changes`, and every server drops what it has cached under them.
 * Requirements: OPS-37.
 */
import { inChunks } from './chunks.ts'
import type { Tx } from './schema.ts'

/** The kinds whose ids are those of players. */
export const KINDS_OF_PLAYERS = [
  'person',
  'friends',
  'groups',
  'sessions',
  'nights',
  'profile',
  'library',
  'refresh',
  'sync',
] as const

/**
 * `person`: profile, settings and library. `friends`: a player's friend list. `group`: a group and its members. `groups`:
 * the groups that a player is in or has left. `sessions`: a player's sessions. `app`: a game's row. `night`: a game
 * night, its players and draws. `nights`: which nights a player has (`nights:7656…`), or a group (`nights:g7`).
 *
 * The last five invalidate nothing; open pages are told of them (`live/topics.ts`). `profile`: what others see of a
 * player, but for the games. `library`: those. `wishes`: what members want with a group. `refresh`: a player's row in the
 * refresh list. `sync`: what the server does for a user, such as syncs and sending to the webhooks that they have set.
 */
export type Kind = (typeof KINDS_OF_PLAYERS)[number] | 'group' | 'app' | 'night' | 'wishes'

/** Stored instead of cache tags: everything may have changed. */
export const EVERYTHING = '*'
/** A transaction that changes more cache tags than this stores {@link EVERYTHING}. */
const TAGS_MAX = 2000

const changedBy = new WeakMap<Tx, Set<string>>()

/** Records that a transaction changes these cache tags. Call it in the function that writes; tests fail without it. */
export function changed(tx: Tx, kinds: Kind | readonly Kind[], ids: Iterable<string | number>): void {
  const tags = changedBy.get(tx)!
  for (const id of ids) for (const kind of [kinds].flat()) tags.add(`${kind}:${id}`)
}

/** Records that a transaction may have changed everything, for rare writes. */
export function changedEverything(tx: Tx): void {
  changedBy.get(tx)!.add(EVERYTHING)
}

/** Runs `work` in a transaction and stores what it changed. */
export async function storingChanges<Result>(
  tx: Tx,
  work: (tx: Tx) => Promise<Result>,
): Promise<{ result: Result; changes: readonly string[] }> {
  const tags = new Set<string>()
  changedBy.set(tx, tags)
  const result = await work(tx)
  const changes = tags.has(EVERYTHING) || tags.size > TAGS_MAX ? [EVERYTHING] : [...tags]
  await storeChanges(tx, changes)
  return { result, changes }
}

export async function storeChanges(tx: Tx, changes: readonly string[]): Promise<void> {
  await inChunks(changes, (chunk) =>
    tx
      .insertInto('changes')
      .values(chunk.map((tag) => ({ subject: tag })))
      .execute(),
  )
}
