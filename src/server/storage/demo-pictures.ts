/** Demo mode: avatars of an earlier run, at the address that the simulator had then (DEMO-8). */
import { column } from '../database/chunks.ts'
import { changed } from '../database/cache-tags.ts'
import type { Database } from '../database/database.ts'

const AVATARS = '/pictures/avatars/'

/**
 * Moves the stored avatars of the simulator below another URL.
 * @param pagesUrl URL of the simulator's pages in this run
 */
export async function moveDemoPictures(database: Database, pagesUrl: string): Promise<void> {
  await database.transaction(async (tx) => {
    const players = await tx
      .selectFrom('people')
      .select(['steam_id', 'avatar_url'])
      .where('avatar_url', 'like', `%${AVATARS}%`)
      .where('avatar_url', 'not like', `${pagesUrl}${AVATARS}%`)
      .execute()
    for (const { steam_id, avatar_url } of players)
      await tx
        .updateTable('people')
        .set({ avatar_url: `${pagesUrl}${avatar_url!.slice(avatar_url!.indexOf(AVATARS))}` })
        .where('steam_id', '=', steam_id)
        .execute()
    changed(tx, 'person', column(players, 'steam_id'))
  })
}
