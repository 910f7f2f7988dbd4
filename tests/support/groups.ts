/** Groups: one with three people, and many directly in the database, because that would take long through the API. */
import { groupsContract } from '#shared/contract/groups.ts'
import type { Product, TestPlayer } from './product.ts'
import { writeRows } from './rows.ts'

/** So many rows that their values are not too many for one statement. */
const AT_ONCE = 500

/** Creates groups of an owner, whose other member, if any, has not joined; returns their ids. */
export async function ownGroups(
  app: Product,
  owner: TestPlayer,
  count: number,
  member?: TestPlayer,
): Promise<number[]> {
  return writeRows(app.database, async (tx) => {
    const ids: number[] = []
    while (ids.length < count) {
      const made = await tx
        .insertInto('groups')
        .values(
          Array.from({ length: Math.min(AT_ONCE, count - ids.length) }, (_, n) => ({
            name: `${ids.length + n}`,
            owner_steam_id: owner.steam_id,
            picture_url: null,
            picture_key: null,
            created_at: 0,
            synced_at: null,
          })),
        )
        .returning('group_id')
        .execute()
      const added = made.map(({ group_id }) => group_id)
      const owning = { steam_id: owner.steam_id, added_at: 0, joined_at: 0, added_by: null }
      const invited = { added_at: 1, joined_at: null, added_by: owner.steam_id }
      await tx
        .insertInto('group_members')
        .values(
          added.flatMap((group_id) => [
            { ...owning, group_id },
            ...(member ? [{ ...invited, steam_id: member.steam_id, group_id }] : []),
          ]),
        )
        .execute()
      ids.push(...added)
    }
    return ids
  })
}

/** Ada with her friends Bob and Cal, and her group, which Bob has joined and Cal was added to. */
export async function fridayIn(app: Product) {
  const bob = await app.player({ name: 'Bob', games: { Portal: 30 } })
  const cal = await app.player({ name: 'Cal', games: { Portal: 0, Rust: 9 } })
  const ada = await app.player({ name: 'Ada', games: { Portal: 60 }, friends: [bob, cal] })
  const { group_id: id } = await app.group({ owner: ada, members: [bob], asked: [cal] })
  return { app, ada, bob, cal, id }
}

/** Adds a player to other players' groups until they are in `count` groups. */
export async function putIntoGroups(app: Product, member: TestPlayer, count: number): Promise<void> {
  const { groups } = await member.call(groupsContract.list, member.user)
  const missing = count - groups.length
  for (let from = 0; from < missing; from += 100) {
    const owner = await app.player()
    const made = await ownGroups(app, owner, Math.min(100, missing - from))
    await writeRows(app.database, (tx) =>
      tx
        .insertInto('group_members')
        .values(
          made.map((group_id) => ({
            group_id,
            steam_id: member.steam_id,
            added_at: 1,
            joined_at: null,
            added_by: owner.steam_id,
          })),
        )
        .execute(),
    )
  }
}
