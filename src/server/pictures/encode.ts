/**
 * Decodes and re-encodes untrusted pictures, so that nothing but the pixels is stored (LIM-6).
 * Requirements: PIC-10.
 */
import PQueue from 'p-queue'
import sharp from 'sharp'
import { PICTURE_MAX_BYTES, PICTURE_MAX_PIXELS, PICTURE_MAX_SIDE } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import { barePng, requireFewScans } from './containers.ts'

/** A picture as it is stored and served. */
export type Picture = { bytes: Uint8Array; contentType: string }

/** Pictures that may wait; each holds up to 5 MB of memory. */
const ENCODINGS_WAITING = 30
/** The slowest picture within the limits took 1.7 s (40 megapixels, 16 bits, interlaced). */
const ENCODING_MAX_SECONDS = 8
const WEBP_QUALITY = 82

/** The decoder has dozens of loaders, also for documents and vector graphics; only these may read untrusted bytes. */
const LOADERS = [
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
]
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })
sharp.cache(false)
sharp.concurrency(1)

/** One picture at a time: 40 megapixels of 16 bits, interlaced, need 390 MB, and a core is left to requests. */
const queue = new PQueue({ concurrency: 1 })

/**
 * Re-encodes a png, jpeg, webp or gif (detected by its content) as webp: at most 512 × 512 pixels, never enlarged,
 * rotated by its EXIF orientation, without metadata, the first frame of an animation.
 * @throws AppError image_too_large above 5 MB or 40 megapixels (found in the header, before any pixel is decoded),
 *   invalid_image for anything that is not a complete picture of these formats, busy when too many are waiting or
 *   encoding takes longer than `maxSeconds`
 */
export async function encodePicture(bytes: Uint8Array, maxSeconds = ENCODING_MAX_SECONDS): Promise<Picture> {
  if (bytes.byteLength > PICTURE_MAX_BYTES) throw new AppError('image_too_large')
  const format = formatOf(bytes)
  if (format === undefined) throw new AppError('invalid_image')
  if (format === 'jpeg') requireFewScans(bytes)
  const image = format === 'png' ? barePng(bytes) : bytes
  if (queue.size >= ENCODINGS_WAITING) throw busy()
  return queue.add(async () => {
    const { format: found, width, height } = await invalidIfFails(open(image, false).metadata())
    if (found !== format) throw new AppError('invalid_image')
    if (width * height > PICTURE_MAX_PIXELS) throw new AppError('image_too_large')
    return encode(image, maxSeconds)
  })
}

async function encode(bytes: Uint8Array, maxSeconds: number): Promise<Picture> {
  // The decoder's own timeout stops its work, so that the queue starts the next picture only when this one has ended.
  const encoded = await invalidIfFails(
    open(bytes, PICTURE_MAX_PIXELS)
      .timeout({ seconds: maxSeconds })
      .resize(PICTURE_MAX_SIDE, PICTURE_MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer(),
  )
  return { bytes: encoded, contentType: 'image/webp' }
}

function open(bytes: Uint8Array, limitInputPixels: number | false) {
  return sharp(bytes, {
    limitInputPixels,
    autoOrient: true,
    sequentialRead: true,
    // Refuses truncated pictures, but not odd metadata.
    failOn: 'error',
  })
}

/** Turns the decoder's errors into `invalid_image`, without showing their text. */
async function invalidIfFails<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // No picture within the limits takes that long, unless the server has too much to do.
    if (error instanceof Error && error.message.startsWith('timeout')) throw busy(error)
    throw new AppError('invalid_image', { cause: error })
  }
}

function busy(cause?: Error): AppError {
  return new AppError('busy', { cause, retryAfterSeconds: 5 })
}

type Format = 'png' | 'jpeg' | 'webp' | 'gif'

/** The format by the first bytes; undefined for any other. */
function formatOf(bytes: Uint8Array): Format | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('RIFF') && start.slice(8) === 'WEBP') return 'webp'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  return undefined
}
