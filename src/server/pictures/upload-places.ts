/** How many uploads are read into memory at a time, by one person and by all (LIM-12, LIM-27). */
import type { SteamId } from '#shared/entities.ts'
import { PICTURE_UPLOADS_AT_ONCE } from '#shared/limits.ts'
import { AppError } from '../errors.ts'

/** Uploads of one server at once; each holds up to 5 MB, and as much again while its parts are joined. */
const UPLOADS_AT_ONCE = 16
const RETRY_AFTER_SECONDS = 5

/** The places of one server. */
export function createUploadPlaces() {
  const held = new Map<SteamId, number>()
  let taken = 0

  /**
   * Works with one of somebody's places, and gives it back however the work ends.
   * @throws AppError too_many_requests when both of theirs are taken, busy when all of the server are
   */
  return async function inPlace<T>(steamId: SteamId, work: () => Promise<T>): Promise<T> {
    const mine = held.get(steamId) ?? 0
    if (mine >= PICTURE_UPLOADS_AT_ONCE)
      throw new AppError('too_many_requests', {
        text: 'Two of your pictures are being uploaded already. Try again in a moment.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    if (taken >= UPLOADS_AT_ONCE) throw new AppError('busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    held.set(steamId, mine + 1)
    taken++
    try {
      return await work()
    } finally {
      taken--
      const left = held.get(steamId)! - 1
      if (left === 0) held.delete(steamId)
      else held.set(steamId, left)
    }
  }
}
