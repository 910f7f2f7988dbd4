/** The pictures of shared picks, drawn one at a time and cached (NIGHT-77). */
import { hash } from 'node:crypto'
import PQueue from 'p-queue'
import { createLruCache } from '../cache/lru-cache.ts'
import { AppError } from '../errors.ts'
import { encodePicture, type Picture } from '../pictures/encode.ts'
import { fetchPublic as fetchFromWeb } from '../pictures/web-fetch.ts'
import { type Card, drawCard } from './card.ts'

const CACHE_BYTES = 32 * 2 ** 20
const WAITING_MAX = 20
/** A card without the game's picture, which could not be fetched, is drawn again after this time. */
const RETRY_MS = 10 * 60_000

/** What a picture shows, and the address of the game's own picture. */
export type SharedPick = Card & { imageUrl: string | null }
type Drawn = { png: Buffer; until: number }

type Options = {
  clock: () => number
  /** Fetches a picture from the web; replaced in tests. */
  fetchPublic?: ((url: string) => Promise<Picture>) | undefined
}

export type SharePictures = ReturnType<typeof createSharePictures>

/** Identifies what a picture shows; another name, date or number gives another one. */
export function versionOf(pick: SharedPick): string {
  return hash('sha256', JSON.stringify(pick), 'base64url').slice(0, 16)
}

/** The pictures of one server. */
export function createSharePictures({ clock, fetchPublic = fetchFromWeb }: Options) {
  const cache = createLruCache<string, Drawn>(CACHE_BYTES, ({ png }) => png.byteLength)
  const queue = new PQueue({ concurrency: 1 })
  const running = new Map<string, Promise<Drawn>>()

  return {
    /** A picture as PNG. @throws AppError busy when too many are waiting */
    async read(pick: SharedPick): Promise<Buffer> {
      const key = versionOf(pick)
      const cached = cache.get(key)
      if (cached && cached.until > clock()) return cached.png
      const known = running.get(key)
      if (known) return (await known).png
      if (queue.size >= WAITING_MAX) throw new AppError('busy', { retryAfterSeconds: 5 })
      const drawing = queue.add(() => draw(pick)).finally(() => running.delete(key))
      running.set(key, drawing)
      const drawn = await drawing
      cache.set(key, drawn)
      return drawn.png
    },
  }

  async function draw({ imageUrl, ...card }: SharedPick): Promise<Drawn> {
    const picture = imageUrl === null ? undefined : await pictureOf(imageUrl)
    const png = await drawCard(card, picture)
    return { png, until: imageUrl === null || picture ? Infinity : clock() + RETRY_MS }
  }

  /** The game's picture, checked and re-encoded like those that people choose; undefined when there is none. */
  async function pictureOf(url: string): Promise<Uint8Array | undefined> {
    try {
      const { bytes } = await fetchPublic(url)
      return (await encodePicture(bytes)).bytes
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return undefined
    }
  }
}
