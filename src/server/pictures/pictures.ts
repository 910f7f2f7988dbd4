/**
 * Pictures of groups: uploads, and pictures from the web. This server fetches and serves the latter itself, so that a
 * host chosen by one member never sees the IP addresses of the others (PIC-1).
 * Requirements: PIC-7, PIC-6.
 */
import { randomBytes } from 'node:crypto'
import { unescape } from 'node:querystring'
import type { DeleteQueryBuilder, DeleteResult, Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import type { SteamId } from '#shared/entities.ts'
import type { ReasonGiven } from '#shared/errors.ts'
import { PICTURE_UPLOADS_PER_HOUR, PICTURE_URL_MAX } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import { slotLimits, Slots, takeAll } from '../slots.ts'
import type { Database } from '../database/database.ts'
import { findGroupRow } from '../storage/groups/group-row.ts'
import { changeGroup } from '../storage/groups/groups.ts'
import { countUse, secondsToNextUse } from '../storage/accounts/used-once.ts'
import type { Queries, Schema, Tx } from '../database/schema.ts'
import { encodePicture, PICTURE_TYPE } from './encode.ts'
import { fetchPublic as fetchFromWeb } from './web-fetch.ts'

export type Pictures = ReturnType<typeof createPictures>
type PictureRow = Selectable<Schema['pictures']>

export type IncomingUpload = {
  /** Network of the client: its IPv4 address, or the /64 of its IPv6 address. */
  network: string
  /** Reads the whole picture; rejects when the client disconnects. */
  read: () => Promise<Uint8Array>
}

/** The picture chosen for a group: an upload, or one given by its URL. */
type ChosenPicture = { kind: 'upload'; bytes: Uint8Array } | PictureByUrl

type Options = {
  database: Database
  log: { warn(details: object, text: string): void }
  /** Milliseconds since 1970. */
  clock: () => number
  /** Fetches a picture from the web; replaced in tests. */
  fetchPublic?: ((url: string) => Promise<Uint8Array>) | undefined
}

const HOUR_MS = 60 * 60 * 1000
/**
 * A picture from the web that could not be fetched is retried after this time: each attempt may cost a download and decoding,
 * and anyone can cause one, because media need no token.
 */
const RETRY_AFTER_MS = HOUR_MS
/** Users whose uploads are counted; the most recent ones stay. */
const USERS_COUNTED = 20_000
/** Pictures that no group shows are deleted after this time. */
const KEEP_UNUSED_MS = 24 * HOUR_MS
/** Fetches that run at a time; bounds the connections that slow hosts can hold. */
const FETCHES_AT_ONCE = 8
/** Fetches that may wait; further requests are refused as busy. */
const FETCHES_WAITING = 100

/** Format of a key: 128 random bits in hex, with the file extension. */
const KEY = /^[0-9a-f]{32}\.webp$/
const MEDIA = '/media/'
/** Name of the lock for changing which pictures are shown. */
const LOCK = 'pictures'

export function newPictureKey(): string {
  return `${randomBytes(16).toString('hex')}.webp`
}

/** URL of a group's picture on this server; null for none. */
export function pictureImageUrl(key: string | null): string | null {
  return key === null ? null : `${MEDIA}${key}`
}

export function createPictures({ database, log, clock, fetchPublic = fetchFromWeb }: Options) {
  const { queries } = database
  const fetches = new PQueue({ concurrency: FETCHES_AT_ONCE })
  const inFlight = new Map<string, Promise<Uint8Array | undefined>>()

  const usersUploading = new Slots(slotLimits.uploadsOfUser)
  const networksUploading = new Slots(slotLimits.uploadsOfNetwork)
  const uploading = new Slots(slotLimits.uploads)
  const uploadTimes = new LRUCache<SteamId, number[]>({ max: USERS_COUNTED })

  return {
    /**
     * Refuses a user who has used all picture changes, before any work is done; `show` checks again, exactly.
     * @throws AppError picture_limit_reached
     */
    requireChangeLeft: (steamId: SteamId): Promise<void> => requireChangeLeft(queries, steamId),

    /**
     * Reads and encodes an upload in a slot that it takes before its body is read (LIM-27); stores nothing yet. Refused
     * pictures count towards the hourly limit too, because they cost as much as accepted ones.
     * @throws AppError picture_limit_reached, too_many_requests when the user's or network's slots are in use, busy when
     *   all slots are, and as `encodePicture` does
     */
    upload: async (by: SteamId, { network, read }: IncomingUpload): Promise<ChosenPicture> => {
      const recent = (uploadTimes.get(by) ?? []).filter((at) => at > clock() - HOUR_MS)
      const oldest = recent[recent.length - PICTURE_UPLOADS_PER_HOUR]
      if (oldest !== undefined)
        throw new AppError('picture_limit_reached', {
          reason: 'pictures_per_hour',
          values: { count: PICTURE_UPLOADS_PER_HOUR },
          retryAfterSeconds: Math.ceil((oldest + HOUR_MS - clock()) / 1000),
        })
      const giveBack = takeAll([usersUploading, by], [networksUploading, network], [uploading, ''])
      uploadTimes.set(by, [...recent, clock()])
      try {
        return { kind: 'upload', bytes: await encodePicture(await read()) }
      } finally {
        giveBack()
      }
    },

    /**
     * Sets a group's picture, counts the change, and deletes the replaced picture unless another group shows it. A
     * picture from the web is only registered here and fetched later, so that no transaction waits for a host; the same
     * URL gets the same key. Returns that URL, and the path under which this server serves the picture.
     * @throws AppError picture_limit_reached, invalid_picture_url for a picture of this server that does not exist
     */
    show: async (
      tx: Tx,
      { groupId, by, chosen }: { groupId: number; by: SteamId; chosen: ChosenPicture },
    ) => {
      // Locked, because one group may start to show a picture while another group that shows it drops it.
      await database.lock(tx, LOCK)
      if (!(await countUse(database, tx, 'picture', by, clock()))) await requireChangeLeft(tx, by)
      const key = await keyOf(tx, chosen)
      const picture_image_url = `${MEDIA}${key}`
      const picture_url = chosen.kind === 'web' ? chosen.url : picture_image_url
      await replace(tx, groupId, { picture_url, picture_key: key })
      return { picture_url, picture_image_url }
    },

    /** Removes a group's picture, and deletes it unless another group shows it. */
    remove: async (tx: Tx, groupId: number): Promise<void> => {
      await database.lock(tx, LOCK)
      await replace(tx, groupId, { picture_url: null, picture_key: null })
    },

    /**
     * The picture with a key; undefined for an unknown key, null for a picture from the web that cannot be fetched now.
     * @throws AppError busy when too many pictures are being fetched or encoded
     */
    read: async (key: string): Promise<Uint8Array | null | undefined> => {
      const row = KEY.test(key) ? await findPicture(queries, key) : undefined
      if (!row) return undefined
      return (isDue(row) ? await fetchOnce(key) : row.bytes) ?? null
    },

    /** Deletes pictures that no group shows; returns their number. */
    removeUnused: (): Promise<number> =>
      database.transaction(async (tx) => {
        await database.lock(tx, LOCK)
        const unused = tx.deleteFrom('pictures').where('created_at', '<', clock() - KEEP_UNUSED_MS)
        return deleteNotShown(unused)
      }),
  }

  /** Changes what a group shows, and deletes what it showed before unless another group shows it. */
  async function replace(
    tx: Tx,
    groupId: number,
    shown: { picture_url: string | null; picture_key: string | null },
  ): Promise<void> {
    const before = (await findGroupRow(tx, groupId))?.picture_key ?? null
    await changeGroup(tx, groupId, shown)
    if (before !== null) await deleteNotShown(tx.deleteFrom('pictures').where('picture_key', '=', before))
  }

  async function requireChangeLeft(db: Queries | Tx, steamId: SteamId): Promise<void> {
    const retryAfterSeconds = await secondsToNextUse(db, 'picture', steamId, clock())
    if (retryAfterSeconds !== undefined) throw new AppError('picture_limit_reached', { retryAfterSeconds })
  }

  /** The key of the chosen picture, which is stored now if it is new. */
  async function keyOf(tx: Tx, chosen: ChosenPicture): Promise<string> {
    if (chosen.kind === 'ours') {
      if (!(await findPicture(tx, chosen.key))) throw invalid({ reason: 'no_such_picture' })
      return chosen.key
    }
    if (chosen.kind === 'web') {
      const existing = await tx
        .selectFrom('pictures')
        .select('picture_key')
        .where('source_url', '=', chosen.url)
        .limit(1)
        .executeTakeFirst()
      if (!existing) return register(tx, { source_url: chosen.url })
      // One that could not be fetched is tried again at once.
      await tx
        .updateTable('pictures')
        .set({ fetched_at: null })
        .where('picture_key', '=', existing.picture_key)
        .where('bytes', 'is', null)
        .execute()
      return existing.picture_key
    }
    return register(tx, { bytes: chosen.bytes, content_type: PICTURE_TYPE, fetched_at: clock() })
  }

  async function register(tx: Tx, picture: Partial<PictureRow>): Promise<string> {
    const key = newPictureKey()
    await tx
      .insertInto('pictures')
      .values({ ...picture, picture_key: key, created_at: clock() })
      .execute()
    return key
  }

  /** Whether a picture should be fetched from the web; `fetched_at` is the time of the last attempt. */
  function isDue(row: PictureRow): row is PictureRow & { source_url: string } {
    const { source_url, bytes, fetched_at } = row
    if (source_url === null || bytes) return false
    return fetched_at === null || clock() - fetched_at >= RETRY_AFTER_MS
  }

  /** Fetches a picture once for all concurrent requests of its key. */
  async function fetchOnce(key: string): Promise<Uint8Array | undefined> {
    const running = inFlight.get(key)
    if (running) return running
    if (fetches.size >= FETCHES_WAITING) throw new AppError('busy', { retryAfterSeconds: 5 })
    const fetched = fetches.add(() => fetchAndStore(key)).finally(() => inFlight.delete(key))
    inFlight.set(key, fetched)
    return fetched
  }

  /** The picture, re-encoded; undefined when there is none at its URL. */
  async function fetchAndStore(key: string): Promise<Uint8Array | undefined> {
    // Again, because another fetch may have ended since the request looked.
    const row = await findPicture(queries, key)
    if (!row || !isDue(row)) return row?.bytes ?? undefined
    const { source_url: url } = row
    let bytes: Uint8Array | undefined
    try {
      bytes = await encodePicture(await fetchPublic(url))
    } catch (error) {
      // A busy server says nothing about the picture, so it must not start the retry delay.
      if (!(error instanceof AppError) || error.code === 'busy') throw error
      const { host } = new URL(url)
      log.warn(
        { key, host, code: error.code, reason: error.message },
        'a picture from the web was not fetched',
      )
    }
    // Unless it has been deleted, or another server was faster.
    await queries
      .updateTable('pictures')
      .set({ bytes, content_type: bytes && PICTURE_TYPE, fetched_at: clock() })
      .where('picture_key', '=', key)
      .where('bytes', 'is', null)
      .execute()
    return bytes
  }
}

function findPicture(db: Queries | Tx, key: string): Promise<PictureRow | undefined> {
  return db.selectFrom('pictures').selectAll().where('picture_key', '=', key).executeTakeFirst()
}

/** Deletes those of these pictures that no group shows; returns their number. */
async function deleteNotShown(some: DeleteQueryBuilder<Schema, 'pictures', DeleteResult>): Promise<number> {
  const { numDeletedRows } = await some
    // Not by a correlated query, which Citus refuses.
    .where('picture_key', 'not in', (eb) =>
      eb
        .selectFrom('groups')
        .select('picture_key')
        .where('picture_key', 'is not', null)
        .$castTo<{ picture_key: string }>(),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Whitespace, backslashes (browsers read them as slashes) and invisible characters. */
const MISLEADING = /[\s\\\p{Cc}\p{Cf}]/u
const DOT_SEGMENT = /\/(\.|%2e){1,2}(\/|$)/i
const VECTOR_GRAPHICS = /\.svgz?\/*$/i

/** A picture from the web, by the URL as typed, or one stored on this server, by its key. */
type PictureByUrl = { kind: 'web'; url: string } | { kind: 'ours'; key: string }

/**
 * Validates a picture URL: http(s) with at most 2,048 characters, or `/media/<key>` of a picture of this server, with or
 * without its origin (LIM-4, PIC-2). Whether the picture exists, and the host may be contacted, is checked later.
 * @param publicUrl origin that browsers see, without a trailing slash
 * @throws AppError invalid_picture_url with the field picture_url
 */
export function validatePictureUrl(text: string, publicUrl: string): PictureByUrl {
  const typed = text.trim()
  if (typed === '') throw invalid({ reason: 'picture_url_missing' })
  if (typed.length > PICTURE_URL_MAX)
    throw invalid({ reason: 'picture_url_too_long', values: { max: PICTURE_URL_MAX } })
  if (MISLEADING.test(typed)) throw invalid({ reason: 'picture_url_characters' })
  if (typed.startsWith(MEDIA)) return ours(typed)

  const [, authority, path = '', rest = ''] = /^https?:\/\/([^/?#]+)([^?#]*)(.*)/is.exec(typed) ?? []
  const url = URL.parse(typed)
  if (!url || authority === undefined) throw invalid()
  // The text as typed, because the parsed URL no longer shows an empty user name.
  if (authority.includes('@')) throw invalid({ reason: 'picture_url_has_user' })
  if (url.origin === publicUrl) return ours(path + rest)
  if (DOT_SEGMENT.test(path)) throw invalid({ reason: 'picture_url_has_steps' })
  if (VECTOR_GRAPHICS.test(unescape(path))) throw invalid({ reason: 'picture_is_svg' })
  return { kind: 'web', url: typed }
}

function ours(path: string): PictureByUrl {
  const key = path.slice(MEDIA.length)
  if (!path.startsWith(MEDIA) || !KEY.test(key)) throw invalid({ reason: 'no_such_picture' })
  return { kind: 'ours', key }
}

function invalid(why?: ReasonGiven): AppError {
  return new AppError('invalid_picture_url', { field: 'picture_url', ...why })
}
