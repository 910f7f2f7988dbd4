/** Creates many groups directly in the database, because that would take long through the API. */
import { groupsContract } from '#shared/contract/groups.ts'
import type { Product, TestPlayer } from './product.ts'
import { writeRows } from './rows.ts'

/** Creates groups whose only member is their owner; returns their ids. */
export async function ownGroups(app: Product, owner: TestPlayer, count: number): Promise<number[]> {
  return writeRows(app.database, async (tx) => {
    const made = await tx
      .insertInto('groups')
      .values(
        Array.from({ length: count }, (_, n) => ({
          name: `${n}`,
          owner_steam_id: owner.steam_id,
          picture_url: null,
          picture_key: null,
          created_at: 0,
          synced_at: null,
        })),
      )
      .returning('group_id')
      .execute()
    await tx
      .insertInto('group_members')
      .values(
        made.map(({ group_id }) => ({
          group_id,
          steam_id: owner.steam_id,
          added_at: 0,
          joined_at: 0,
          added_by: null,
        })),
      )
      .execute()
    return made.map(({ group_id }) => group_id)
  })
}

/** Adds a person to other people's groups until they are in `count` groups. */
export async function putIntoGroups(app: Product, member: TestPlayer, count: number): Promise<void> {
  const { groups } = await member.call(groupsContract.list, { steamId: member.steam_id })
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
