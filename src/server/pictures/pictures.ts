/**
 * Pictures of groups: uploads, and pictures of the web that this server fetches and serves itself, so that no
 * member's address reaches a host that another member named (PIC-1).
 */
import { randomBytes } from 'node:crypto'
import PQueue from 'p-queue'
import type { SteamId } from '#shared/entities.ts'
import { PICTURE_URL_MAX } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import type { Database } from '../database/database.ts'
import { setPicture } from '../storage/groups.ts'
import {
  deleteOldPictureChanges,
  deletePictureUnlessShown,
  deleteUnusedPictures,
  findPicture,
  findPictureOf,
  insertPicture,
  nextPictureChangeAt,
  addPictureChange,
  type PictureRow,
  retryPicture,
  shownPicture,
  updatePicture,
} from '../storage/pictures.ts'
import type { Queries, Tx } from '../database/schema.ts'
import { encodePicture, type Picture } from './encode.ts'
import { createUploadPlaces, type IncomingUpload } from './upload-places.ts'
import { fetchPublic as fetchFromWeb } from './web-fetch.ts'

export type Pictures = ReturnType<typeof createPictures>

/** A picture that a group shows: the address that was named for it, and where pages find it here. */
type ShownPicture = { key: string; address: string; url: string }

/** What somebody chose for a group: an upload, a picture of the web at the address as typed, or one of ours by its key. */
type ChosenPicture = { kind: 'upload'; picture: Picture } | NamedPicture

type Options = {
  database: Database
  log: { warn(details: object, text: string): void }
  /** Milliseconds since 1970. */
  clock: () => number
  /** How pictures of the web are fetched; tests give their own. */
  fetchPublic?: ((url: string) => Promise<Picture>) | undefined
}

/**
 * A picture of the web that could not be fetched is tried again after as long as it has been failing, within these
 * bounds: each try may cost a download and the decoder's time, and readers need no token.
 */
const RETRY_AFTER_MS = 10 * 60 * 1000
const RETRY_AFTER_MAX_MS = 24 * 60 * 60 * 1000
/** A picture of the web is asked for again when it is older, at its next reader. */
const REFETCH_AFTER_MS = 7 * 24 * 60 * 60 * 1000
/** Pictures of deleted groups are kept this long. */
const KEEP_UNUSED_MS = 24 * 60 * 60 * 1000
/** Whoever sets a picture waits so long for it to be fetched. */
const LOADING_PATIENCE_MS = 3000
/** Slow hosts may hold this many connections and no more. */
const FETCHES_AT_ONCE = 8
/** Readers of further pictures are told to come back rather than kept waiting. */
const FETCHES_WAITING = 100

/** What a key looks like: 128 random bits, in hex, with the ending of what is served. */
const KEY = /^[0-9a-f]{32}\.webp$/
const MEDIA = '/media/'
/** Held by whoever changes which pictures are shown. */
const LOCK = 'pictures'

/** Pictures of one database. */
export function createPictures({ database, log, clock, fetchPublic = fetchFromWeb }: Options) {
  const { queries } = database
  const fetches = new PQueue({ concurrency: FETCHES_AT_ONCE })
  const inFlight = new Map<string, Promise<Picture | undefined>>()

  const inUploadPlace = createUploadPlaces(clock)

  return {
    /**
     * Refuses somebody who has changed pictures too often, before any work is done for them; {@link show} is exact.
     * @throws AppError picture_limit_reached
     */
    requireChangeLeft: (steamId: SteamId): Promise<void> => requireChangeLeft(queries, steamId),

    /**
     * Reads and encodes an upload, and stores nothing yet. Nothing is read without a place for its bytes.
     * @throws AppError as `createUploadPlaces` and `encodePicture` do
     */
    upload: (by: SteamId, upload: IncomingUpload): Promise<ChosenPicture> =>
      inUploadPlace(by, upload, async (bytes) => ({ kind: 'upload', picture: await encodePicture(bytes) })),

    /**
     * Has a group show a picture, counts it as a change, and deletes the picture that it replaces unless another
     * group shows that one. A picture of the web is registered without fetching it, so that no transaction waits for a
     * host; the same address gets the same key.
     * @throws AppError picture_limit_reached, invalid_picture_url when a picture of ours is gone by now
     */
    show: async (
      tx: Tx,
      { groupId, by, chosen }: { groupId: number; by: SteamId; chosen: ChosenPicture },
    ): Promise<ShownPicture> => {
      // One at a time: of two groups that share a picture one may start to show it while the other one drops it.
      await database.lock(tx, LOCK)
      await requireChangeLeft(tx, by)
      const before = await shownPicture(tx, groupId)
      const key = await keyOf(tx, chosen)
      const url = `${MEDIA}${key}`
      const address = chosen.kind === 'web' ? chosen.url : url
      await setPicture(tx, groupId, { url: address, key })
      await addPictureChange(tx, by, clock())
      if (before !== undefined) await deletePictureUnlessShown(tx, before)
      return { key, address, url }
    },

    /** Whether a key is of a picture that was uploaded or registered here. */
    exists: async (key: string): Promise<boolean> =>
      KEY.test(key) && (await findPicture(queries, key)) !== undefined,

    read,

    /**
     * Whether there is a picture to show for a key. One of the web is fetched now; that of a host that takes longer
     * than 3 seconds is still on its way then. Never fails, as the picture is set already.
     */
    load: async (key: string): Promise<boolean> => {
      const { promise: timeIsUp, resolve } = Promise.withResolvers<boolean>()
      const timer = setTimeout(resolve, LOADING_PATIENCE_MS, false)
      const loaded = read(key).then(
        (picture) => picture !== undefined,
        (error: unknown) => {
          log.warn({ err: error, key }, 'a picture was not loaded')
          return false
        },
      )
      return Promise.race([loaded, timeIsUp]).finally(() => clearTimeout(timer))
    },

    /** Clears away pictures that no group shows any more, and changes that count no more; how many pictures. */
    removeUnused: (): Promise<number> =>
      database.transaction(async (tx) => {
        await database.lock(tx, LOCK)
        await deleteOldPictureChanges(tx, clock())
        return deleteUnusedPictures(tx, clock() - KEEP_UNUSED_MS)
      }),
  }

  /**
   * The picture of a key; undefined for an unknown key, and for a picture of the web that cannot be had now. One
   * that is stored is given at once, and fetched again in the background when it is a week old.
   * @throws AppError busy when too many pictures are being fetched or encoded
   */
  async function read(key: string): Promise<Picture | undefined> {
    if (!KEY.test(key)) return undefined
    const row = await findPicture(queries, key)
    if (!row || !isDue(row)) return stored(row)
    const fetched = fetchOnce(key)
    const kept = stored(row)
    if (!kept) return fetched
    fetched.catch((error: unknown) => log.warn({ err: error, key }, 'a picture was not refreshed'))
    return kept
  }

  async function requireChangeLeft(db: Queries | Tx, steamId: SteamId): Promise<void> {
    const nextAt = await nextPictureChangeAt(db, steamId, clock())
    if (nextAt === undefined) return
    const retryAfterSeconds = Math.max(1, Math.ceil((nextAt - clock()) / 1000))
    throw new AppError('picture_limit_reached', { retryAfterSeconds })
  }

  /** The key of what was chosen; stored now where it is new. */
  async function keyOf(tx: Tx, chosen: ChosenPicture): Promise<string> {
    if (chosen.kind === 'ours') {
      if (!(await findPicture(tx, chosen.key))) throw gone()
      return chosen.key
    }
    if (chosen.kind === 'web') {
      const known = await findPictureOf(tx, chosen.url)
      if (known === undefined) return register(tx, { source_url: chosen.url })
      await retryPicture(tx, known, clock())
      return known
    }
    const { bytes, contentType } = chosen.picture
    return register(tx, { bytes, content_type: contentType, fetched_at: clock() })
  }

  async function register(tx: Tx, picture: Partial<PictureRow>): Promise<string> {
    const key = `${randomBytes(16).toString('hex')}.webp`
    const empty = { content_type: null, bytes: null, source_url: null, fetched_at: null }
    await insertPicture(tx, { ...empty, ...picture, picture_key: key, created_at: clock() })
    return key
  }

  /** Whether the web should be asked; `fetched_at` is when it was last asked, whatever came of it. */
  function isDue({ source_url, bytes, fetched_at, created_at }: PictureRow): boolean {
    if (source_url === null) return false
    if (fetched_at === null) return true
    const failingFor = Math.min(Math.max(fetched_at - created_at, RETRY_AFTER_MS), RETRY_AFTER_MAX_MS)
    return clock() - fetched_at >= (bytes ? REFETCH_AFTER_MS : failingFor)
  }

  /** One fetch for all who ask for a key at the same time. */
  async function fetchOnce(key: string): Promise<Picture | undefined> {
    const running = inFlight.get(key)
    if (running) return running
    if (fetches.size >= FETCHES_WAITING) throw new AppError('busy', { retryAfterSeconds: 5 })
    const fetched = fetches.add(() => fetchIfDue(key)).finally(() => inFlight.delete(key))
    inFlight.set(key, fetched)
    return fetched
  }

  async function fetchIfDue(key: string): Promise<Picture | undefined> {
    // Read again: another fetch may have ended between the reader's look and this one.
    const row = await findPicture(queries, key)
    if (!row || row.source_url === null || !isDue(row)) return stored(row)
    const picture = await fetchPicture(key, row.source_url)
    const { bytes = row.bytes, contentType = row.content_type } = picture ?? {}
    await updatePicture(queries, key, { bytes, content_type: contentType, fetched_at: clock() })
    return picture ?? stored(row)
  }

  /** A picture of the web, encoded; undefined when there is none to be had there. */
  async function fetchPicture(key: string, url: string): Promise<Picture | undefined> {
    try {
      const { bytes } = await fetchPublic(url)
      return await encodePicture(bytes)
    } catch (error) {
      // A busy moment of ours is not the picture's fault and must not keep it away for ten minutes.
      if (!(error instanceof AppError) || error.code === 'busy') throw error
      const { host } = new URL(url)
      log.warn({ key, host, code: error.code, reason: error.message }, 'a picture of the web was not fetched')
      return undefined
    }
  }
}

function stored(row: PictureRow | undefined): Picture | undefined {
  if (!row?.bytes || row.content_type === null) return undefined
  return { bytes: row.bytes, contentType: row.content_type }
}

/** Blanks, backslashes (browsers read them as slashes) and characters nobody sees. */
const MISLEADING = /[\s\\\p{Cc}\p{Cf}]/u
const DOT_SEGMENT = /\/(\.|%2e){1,2}(\/|$)/i
const VECTOR_GRAPHICS = /\.svgz?\/*$/i

/** A picture of the web, at the address as it was typed, or one that this server keeps, by its key. */
type NamedPicture = { kind: 'web'; url: string } | { kind: 'ours'; key: string }

/**
 * Reads the address of a picture: http(s) with at most 2,048 characters, or `/media/<key>` of a picture there is,
 * alone or after this server's own origin (LIM-5, PIC-2 to PIC-4). Whether the
 * address may be asked at all is decided when it is fetched.
 * @param publicUrl origin that browsers see, without a trailing slash
 * @throws AppError invalid_picture_url with the field picture_url
 */
export async function validatePictureUrl(
  text: string,
  publicUrl: string,
  pictures: Pick<Pictures, 'exists'>,
): Promise<NamedPicture> {
  const address = text.trim()
  if (address === '') throw invalid('The picture address is missing.')
  if (address.length > PICTURE_URL_MAX)
    throw invalid(`The picture address must have at most ${PICTURE_URL_MAX} characters.`)
  if (MISLEADING.test(address))
    throw invalid('The picture address must not contain blanks, backslashes or control characters.')
  if (address.startsWith(MEDIA)) return ours(address, pictures)

  const [, authority, path = '', rest = ''] = /^https?:\/\/([^/?#]+)([^?#]*)(.*)$/i.exec(address) ?? []
  const url = URL.parse(address)
  if (!url || authority === undefined) throw invalid()
  // As typed: the parsed address no longer shows an empty user name.
  if (authority.includes('@')) throw invalid('The picture address must not contain a user name or password.')
  if (url.origin === publicUrl) return ours(path + rest, pictures)
  if (DOT_SEGMENT.test(path)) throw invalid('The picture address must not contain /../ or /./ steps.')
  if (VECTOR_GRAPHICS.test(decoded(path)))
    throw invalid('The picture must be a png, jpeg, webp or gif; svg is not accepted.')
  return { kind: 'web', url: address }
}

async function ours(path: string, pictures: Pick<Pictures, 'exists'>): Promise<NamedPicture> {
  const key = path.slice(MEDIA.length)
  if (!path.startsWith(MEDIA) || !(await pictures.exists(key))) throw gone()
  return { kind: 'ours', key }
}

function gone(): AppError {
  return invalid('There is no picture at this address.')
}

function invalid(text?: string): AppError {
  return new AppError('invalid_picture_url', { field: 'picture_url', text })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
