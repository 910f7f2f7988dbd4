/** The pictures of links, drawn one at a time and cached, and the games' art on them (NIGHT-77, NIGHT-119). */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { SHARE_ART_PER_MINUTE, SHARE_PICTURES_PER_MINUTE } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import { encodePicture, type Picture } from '../pictures/encode.ts'
import { fetchPublic as fetchFromWeb } from '../pictures/web-fetch.ts'
import { withinMs } from '../time.ts'
import { type Card, drawCard } from './picture.ts'

const CACHE_BYTES = 32 * 2 ** 20
const ART_BYTES = 8 * 2 ** 20
const ART_ENTRY_BYTES = 500
/** Links whose last picture is known, and keys whose uses are counted; the most recent ones stay. */
const REMEMBERED = 10_000
const WAITING_MAX = 20
const MINUTE_MS = 60_000
/** Art that could not be fetched is fetched again after this time. */
const ART_RETRY_MS = 10 * MINUTE_MS
/** How long a link waits for art; it does without then, and has it when it was fetched. */
const ART_WAIT_MS = 2000
const ART_AT_ONCE = 2

/** What a link shows. `link`: of what it is, such as a night, and in which language; `group`: whose pictures are counted together. */
export type LinkPicture = Omit<Card, 'art'> & { imageUrl: string | null; link: string; group: string }
/** A picture with a version that differs for whatever else it would show. */
export type Drawn = { version: string; png: Buffer }

/** Art that was fetched; none when that failed, until it is fetched again. */
type Art = { bytes: Uint8Array | undefined; until: number }

/** The pictures of a link. */
export type SharedLink = {
  /** Of what would be drawn now. */
  version: string
  /** The game's art as webp. */
  art: Uint8Array | undefined
  /**
   * Draws the picture, or has it already. When too many pictures of its group are new, it is the last one of the link.
   * @throws AppError busy when there is none, or too many are waiting
   */
  draw: () => Promise<Drawn>
}

type Options = {
  clock: () => number
  /** Fetches a picture from the web; replaced in tests. */
  fetchPublic?: ((url: string) => Promise<Picture>) | undefined
}

export type SharePictures = ReturnType<typeof createSharePictures>

/** The pictures of one server. */
export function createSharePictures({ clock, fetchPublic = fetchFromWeb }: Options) {
  const cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png) => png.byteLength,
  })
  const lastOf = new LRUCache<string, string>({ max: REMEMBERED })
  const queue = new PQueue({ concurrency: 1 })
  const drawing = new Map<string, Promise<Buffer>>()
  const mayDraw = createRate(SHARE_PICTURES_PER_MINUTE, clock)

  const arts = new LRUCache<string, Art>({
    maxSize: ART_BYTES,
    sizeCalculation: ({ bytes }) => ART_ENTRY_BYTES + (bytes?.byteLength ?? 0),
  })
  const fetches = new PQueue({ concurrency: ART_AT_ONCE })
  const fetching = new Map<string, Promise<unknown>>()
  const mayFetch = createRate(SHARE_ART_PER_MINUTE, clock)

  /** What a link shows now; waits a moment for art that is fetched for the first time. */
  return async function picturesOf(picture: LinkPicture): Promise<SharedLink> {
    const { imageUrl } = picture
    if (imageUrl !== null) await withinMs(fetchArt(imageUrl), ART_WAIT_MS)
    const art = imageUrl === null ? undefined : arts.get(imageUrl)?.bytes
    const version = hash('sha256', JSON.stringify([picture, art !== undefined]), 'base64url').slice(0, 16)
    return { version, art, draw: () => drawn(picture, version, art) }
  }

  async function drawn(picture: LinkPicture, version: string, art: Uint8Array | undefined): Promise<Drawn> {
    const { link, group, title, untitled, above, lines } = picture
    let png = cache.get(version) ?? (await drawing.get(version))
    if (!png) {
      if (queue.size >= WAITING_MAX || !mayDraw(group)) return lastDrawn(link)
      const running = queue
        .add(() => drawCard({ title, untitled, above, lines, art }))
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

  /** Fetches art that is not there yet, checked and re-encoded like pictures that people choose; never rejects. */
  async function fetchArt(url: string): Promise<void> {
    if (clock() < (arts.get(url)?.until ?? 0)) return
    const running = fetching.get(url)
    if (running) return void (await running)
    if (fetches.size >= WAITING_MAX || !mayFetch('')) return
    const reading = fetches
      .add(async () => {
        const { bytes } = await fetchPublic(url)
        arts.set(url, { bytes: (await encodePicture(bytes)).bytes, until: Infinity })
      })
      // Whatever went wrong, there is no art, and pictures do without.
      .catch(() => arts.set(url, { bytes: undefined, until: clock() + ART_RETRY_MS }))
      .finally(() => fetching.delete(url))
    fetching.set(url, reading)
    await reading
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
