/** Pictures that this server serves: uploads, and pictures from the web it fetched. */
import type { Insertable, Selectable } from 'kysely'
import type { PicturesTable, Queries, Tx } from './schema.ts'

export type PictureRow = Selectable<PicturesTable>

/** Stores a picture, or replaces what is stored under its key. */
export async function savePicture(db: Queries | Tx, picture: Insertable<PicturesTable>): Promise<void> {
  const { picture_key: _key, created_at: _created, ...changed } = picture
  await db
    .insertInto('pictures')
    .values(picture)
    .onConflict((conflict) => conflict.column('picture_key').doUpdateSet(changed))
    .execute()
}

/** The picture of a key. */
export function findPicture(db: Queries | Tx, key: string): Promise<PictureRow | undefined> {
  return db.selectFrom('pictures').selectAll().where('picture_key', '=', key).executeTakeFirst()
}

/**
 * The key under which a picture from the web was registered before. Its row counts as made at `at`, so that it is
 * not cleared away before a group shows it.
 */
export async function renewPictureOf(
  db: Queries | Tx,
  sourceUrl: string,
  at: number,
): Promise<string | undefined> {
  const rows = await db
    .updateTable('pictures')
    .set({ created_at: at })
    .where('source_url', '=', sourceUrl)
    .returning('picture_key')
    .execute()
  return rows[0]?.picture_key
}

/** Removes pictures no group shows any more, made before a time; how many there were. */
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
