/** The pictures of links, drawn one at a time and cached (NIGHT-77). */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { SHARE_PICTURES_PER_MINUTE } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import { type Card, drawCard } from './picture.ts'

const CACHE_BYTES = 32 * 2 ** 20
/** Links whose last picture is known, and keys whose uses are counted; the most recent ones stay. */
const REMEMBERED = 10_000
const WAITING_MAX = 20
const MINUTE_MS = 60_000
/** What a link shows. `link`: of what it is, such as a night, and in which language; `group`: whose pictures are counted together. */
export type LinkPicture = Card & { link: string; group: string }
/** A picture with a version that differs for whatever else it would show. */
export type Drawn = { version: string; png: Buffer }

/** The pictures of a link. */
export type SharedLink = {
  /** Of what would be drawn now. */
  version: string
  /**
   * Draws the picture, or has it already. When too many pictures of its group are new, it is the last one of the link.
   * @throws AppError busy when there is none, or too many are waiting
   */
  draw: () => Promise<Drawn>
}

export type SharePictures = ReturnType<typeof createSharePictures>

/** The pictures of one server. */
export function createSharePictures(clock: () => number) {
  const cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png) => png.byteLength,
  })
  const lastOf = new LRUCache<string, string>({ max: REMEMBERED })
  const queue = new PQueue({ concurrency: 1 })
  const drawing = new Map<string, Promise<Buffer>>()
  const mayDraw = createRate(SHARE_PICTURES_PER_MINUTE, clock)

  /** What a link shows now. */
  return function picturesOf(picture: LinkPicture): SharedLink {
    const version = hash('sha256', JSON.stringify(picture), 'base64url').slice(0, 16)
    return { version, draw: () => drawn(picture, version) }
  }

  async function drawn(picture: LinkPicture, version: string): Promise<Drawn> {
    const { link, group, title, untitled, above, lines } = picture
    let png = cache.get(version) ?? (await drawing.get(version))
    if (!png) {
      if (queue.size >= WAITING_MAX || !mayDraw(group)) return lastDrawn(link)
      const running = queue
        .add(() => drawCard({ title, untitled, above, lines }))
        .finally(() => drawing.delete(version))
      drawing.set(version, running)
      png = await running
      cache.set(version, png)
    }
    lastOf.set(link, version)
    return { version, png }
  }

  function lastDrawn(link: string): Drawn {
    const version = lastOf.get(link)
    const png = version === undefined ? undefined : cache.get(version)
    if (!png) throw new AppError('busy', { retryAfterSeconds: MINUTE_MS / 1000 })
    return { version: version!, png }
  }
}

/** Allows each key `max` uses a minute. */
function createRate(max: number, clock: () => number): (key: string) => boolean {
  const uses = new LRUCache<string, number[]>({ max: REMEMBERED })
  return (key) => {
    const recent = (uses.get(key) ?? []).filter((at) => at > clock() - MINUTE_MS)
    if (recent.length >= max) return false
    uses.set(key, [...recent, clock()])
    return true
  }
}
