/**
 * Limits on the uploads that are read into memory (LIM-11, LIM-27). An upload takes a slot before its
 * body is read. No network may have all slots, and no request takes longer than 30 seconds to arrive (LIM-21).
 */
import { LRUCache } from 'lru-cache'
import type { SteamId } from '#shared/entities.ts'
import { PICTURE_UPLOADS_PER_HOUR } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import { slotLimits, Slots, takeAll } from '../slots.ts'

/** A picture that is being uploaded. */
export type IncomingUpload = {
  /** Network of the client: its IPv4 address, or the /64 of its IPv6 address. */
  network: string
  /** Reads the whole picture; rejects when the client disconnects. */
  read: () => Promise<Uint8Array>
}

const HOUR_MS = 60 * 60 * 1000
/** Users whose uploads are counted; the most recent ones stay. */
const USERS_COUNTED = 20_000

/**
 * The upload slots of one server.
 * @param clock milliseconds since 1970
 */
export function createUploadSlots(clock: () => number) {
  const users = new Slots(slotLimits.uploadsOfUser)
  const networks = new Slots(slotLimits.uploadsOfNetwork)
  const all = new Slots(slotLimits.uploads)
  const startTimes = new LRUCache<SteamId, number[]>({ max: USERS_COUNTED })

  function recentUploads(steamId: SteamId): number[] {
    const since = clock() - HOUR_MS
    return (startTimes.get(steamId) ?? []).filter((at) => at > since)
  }

  function requireUploadLeft(recent: number[]): void {
    const oldest = recent[recent.length - PICTURE_UPLOADS_PER_HOUR]
    if (oldest === undefined) return
    throw new AppError('picture_limit_reached', {
      reason: 'pictures_per_hour',
      values: { count: PICTURE_UPLOADS_PER_HOUR },
      retryAfterSeconds: Math.ceil((oldest + HOUR_MS - clock()) / 1000),
    })
  }

  /**
   * Reads a user's upload and processes it while holding a slot. Refused pictures count towards the hourly limit too,
   * because they cost as much as accepted ones.
   * @throws AppError picture_limit_reached, too_many_requests when the user's or network's slots are in use, busy
   *   when all slots are
   */
  return async function inSlot<T>(
    steamId: SteamId,
    upload: IncomingUpload,
    work: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T> {
    const recent = recentUploads(steamId)
    requireUploadLeft(recent)
    const giveBack = takeAll([users, steamId], [networks, upload.network], [all, ''])
    startTimes.set(steamId, [...recent, clock()])
    try {
      return await work(await upload.read())
    } finally {
      giveBack()
    }
  }
}
