/**
 * Which uploads are read into memory (LIM-12, LIM-27, LIM-40 to LIM-42). A place is taken before the body is read,
 * because memory holds the body from its first byte. So no network has more than a part of the places, and an upload
 * that hardly moves loses its place.
 */
import type { SteamId } from '#shared/entities.ts'
import { PICTURE_UPLOADS_AT_ONCE, PICTURE_UPLOADS_PER_HOUR } from '#shared/limits.ts'
import { createLruCache } from '../cache/lru-cache.ts'
import { AppError } from '../errors.ts'

/** A picture that is being uploaded. */
export type IncomingUpload = {
  /** Network of the client: its IPv4 address, or the /64 of its IPv6 address. */
  network: string
  /** How many bytes have arrived on its connection. */
  bytesArrived: () => number
  /** Reads the whole picture; rejects when the client leaves and after `refuse`. */
  read: () => Promise<Uint8Array>
  /** Sends the client a refusal and closes the connection. */
  refuse: (refusal: AppError) => void
}

/** Uploads of one server at once; each holds up to 5 MB, and as much again while its parts are joined. */
const UPLOADS_AT_ONCE = 16
/** Of these, how many one network may have. */
const UPLOADS_AT_ONCE_PER_NETWORK = 4
const RETRY_AFTER_SECONDS = 5

/** An upload that brings fewer bytes than this in any of these intervals is too slow: 20 kB a second. */
const RATE_CHECK_MS = 5000
const RATE_MIN_BYTES = 100_000

const HOUR_MS = 60 * 60 * 1000
/** People whose uploads are counted at a time; those who upload most stay. */
const COUNTED = 20_000

/**
 * The places of one server.
 * @param clock milliseconds since 1970
 */
export function createUploadPlaces(clock: () => number) {
  const people = createHolders(PICTURE_UPLOADS_AT_ONCE)
  const networks = createHolders(UPLOADS_AT_ONCE_PER_NETWORK)
  const begun = createLruCache<SteamId, number[]>(COUNTED)
  let taken = 0

  function recentUploads(steamId: SteamId): number[] {
    const since = clock() - HOUR_MS
    return (begun.get(steamId) ?? []).filter((at) => at > since)
  }

  function requireUploadLeft(recent: number[]): void {
    const leavesAt = recent[recent.length - PICTURE_UPLOADS_PER_HOUR]
    if (leavesAt === undefined) return
    throw new AppError('picture_limit_reached', {
      text: `You have uploaded ${PICTURE_UPLOADS_PER_HOUR} pictures within an hour. Try again later.`,
      retryAfterSeconds: Math.ceil((leavesAt + HOUR_MS - clock()) / 1000),
    })
  }

  /**
   * Reads a person's upload and works with it, in one of the places. It counts whatever comes of it: a picture that is
   * refused costs as much as one that is taken.
   * @throws AppError picture_limit_reached, too_many_requests when the places of the person or the network are taken,
   *   busy when all are, upload_too_slow
   */
  return async function inPlace<T>(
    steamId: SteamId,
    upload: IncomingUpload,
    work: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T> {
    const recent = recentUploads(steamId)
    requireUploadLeft(recent)
    const { network } = upload
    if (people.isFull(steamId))
      throw placesTaken('Two of your pictures are being uploaded already. Try again in a moment.')
    if (networks.isFull(network))
      throw placesTaken(
        'Several pictures are being uploaded from your network already. Try again in a moment.',
      )
    if (taken >= UPLOADS_AT_ONCE) throw new AppError('busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    begun.set(steamId, [...recent, clock()])
    people.add(steamId)
    networks.add(network)
    taken++
    try {
      return await work(await readInTime(upload))
    } finally {
      taken--
      networks.remove(network)
      people.remove(steamId)
    }
  }
}

async function readInTime(upload: IncomingUpload): Promise<Uint8Array> {
  let before = upload.bytesArrived()
  const timer = setInterval(() => {
    const now = upload.bytesArrived()
    if (now - before < RATE_MIN_BYTES) upload.refuse(new AppError('upload_too_slow'))
    before = now
  }, RATE_CHECK_MS)
  try {
    return await upload.read()
  } finally {
    clearInterval(timer)
  }
}

function placesTaken(text: string): AppError {
  return new AppError('too_many_requests', { text, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** Counts the places that each key holds; a key without places takes no memory. */
function createHolders(max: number) {
  const held = new Map<string, number>()
  return {
    isFull: (key: string) => (held.get(key) ?? 0) >= max,
    add: (key: string) => void held.set(key, (held.get(key) ?? 0) + 1),
    remove: (key: string) => {
      const left = held.get(key)! - 1
      if (left === 0) held.delete(key)
      else held.set(key, left)
    },
  }
}
