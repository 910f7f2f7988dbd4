/** Pictures that this server serves: uploads, and pictures fetched from the web. */
import type { Insertable, Selectable } from 'kysely'
import type { PicturesTable, Queries, Tx } from '../database/schema.ts'
import { findGroupRow } from './group-row.ts'

export type PictureRow = Selectable<PicturesTable>

/** Stores a new picture. */
export async function insertPicture(db: Queries | Tx, picture: Insertable<PicturesTable>): Promise<void> {
  await db.insertInto('pictures').values(picture).execute()
}

/** Stores the result of fetching a picture from the web, unless the picture has been deleted. */
export async function updatePicture(
  db: Queries,
  key: string,
  fetched: Pick<PictureRow, 'bytes' | 'content_type' | 'fetched_at'>,
): Promise<void> {
  await db.updateTable('pictures').set(fetched).where('picture_key', '=', key).execute()
}

/** The picture with this key. */
export function findPicture(db: Queries | Tx, key: string): Promise<PictureRow | undefined> {
  return db.selectFrom('pictures').selectAll().where('picture_key', '=', key).executeTakeFirst()
}

/** The key of a picture from the web that is already registered. */
export async function findPictureOf(db: Queries | Tx, sourceUrl: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('pictures')
    .select('picture_key')
    .where('source_url', '=', sourceUrl)
    .limit(1)
    .executeTakeFirst()
  return row?.picture_key
}

/** Lets a picture from the web that could not be fetched be tried again at once. */
export async function retryPicture(tx: Tx, key: string): Promise<void> {
  await tx
    .updateTable('pictures')
    .set({ fetched_at: null })
    .where('picture_key', '=', key)
    .where('bytes', 'is', null)
    .execute()
}

/** The key of the picture that a group shows. */
export async function shownPicture(tx: Tx, groupId: number): Promise<string | undefined> {
  return (await findGroupRow(tx, groupId))?.picture_key ?? undefined
}

/** Deletes a picture unless a group shows it. */
export async function deletePictureUnlessShown(tx: Tx, key: string): Promise<void> {
  await tx
    .deleteFrom('pictures')
    .where('picture_key', '=', key)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('groups').select('group_id').where('picture_key', '=', key))),
    )
    .execute()
}

/** Deletes pictures created before a time that no group shows; returns their number. */
export async function deleteUnusedPictures(db: Queries | Tx, madeBefore: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('pictures')
    .where('created_at', '<', madeBefore)
    .where('picture_key', 'not in', (eb) =>
      eb
        .selectFrom('groups')
        .select('picture_key')
        .where('picture_key', 'is not', null)
        .$castTo<{ picture_key: string }>(),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
