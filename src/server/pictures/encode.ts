/**
 * Turns a stranger's picture into one of ours: decoded and drawn anew, so that nothing but pixels gets through
 * (LIM-6 to LIM-8).
 */
import PQueue from 'p-queue'
import sharp from 'sharp'
import { PICTURE_MAX_BYTES, PICTURE_MAX_PIXELS, PICTURE_MAX_SIDE } from '#shared/limits.ts'
import { AppError } from '../errors.ts'

/** A picture as it is stored and served. */
export type Picture = { bytes: Uint8Array; contentType: string }

/**
 * A picture whose pixels take more memory than this is large, whatever its file takes. A photo of 20 megapixels is
 * not; 40 megapixels of 16 bits, interlaced, need 390 MB.
 */
const LARGE_BYTES = 64 * 2 ** 20
/** Each waiting picture holds up to 5 MB; beyond these the server says that it is busy. */
const ENCODINGS_WAITING = 30
/** The slowest picture within the limits took 1.7 s (40 megapixels, 16 bits, interlaced). */
const ENCODING_MAX_SECONDS = 8
const WEBP_QUALITY = 82

/** The decoder has dozens of loaders, for documents and vector graphics too; only these may see a stranger's bytes. */
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

/**
 * One at a time of each kind: that bounds the memory, keeps a core free for requests, and lets no ordinary picture
 * wait behind large ones. Headers have a queue too: one that is full of packed texts takes 0.3 s to read.
 */
const queues = {
  header: new PQueue({ concurrency: 1 }),
  small: new PQueue({ concurrency: 1 }),
  large: new PQueue({ concurrency: 1 }),
}

/**
 * Re-encodes a png, jpeg, webp or gif, told by its content, to webp: at most 512 × 512 pixels and never enlarged,
 * upright by its EXIF orientation, without any metadata, the first frame of an animation.
 * @throws AppError image_too_large above 5 MB or 40 megapixels (found in the header, before any pixel is decoded),
 *   invalid_image for anything that is not a whole picture of these kinds, busy when too many are waiting
 */
export async function encodePicture(bytes: Uint8Array): Promise<Picture> {
  if (bytes.byteLength > PICTURE_MAX_BYTES) throw new AppError('image_too_large')
  const format = formatOf(bytes)
  if (format === undefined) throw new AppError('invalid_image')
  const {
    format: found,
    width,
    height,
    channels,
    depth,
  } = await inQueue('header', () => readable(open(bytes, false).metadata()))
  if (found !== format) throw new AppError('invalid_image')
  if (width * height > PICTURE_MAX_PIXELS) throw new AppError('image_too_large')
  const pixelBytes = width * height * channels * (depth === 'uchar' ? 1 : 2)
  return inQueue(pixelBytes > LARGE_BYTES ? 'large' : 'small', () => encode(bytes))
}

/** @throws AppError busy when too many are waiting in this queue */
async function inQueue<T>(name: keyof typeof queues, work: () => Promise<T>): Promise<T> {
  const queue = queues[name]
  if (queue.size >= ENCODINGS_WAITING) throw new AppError('busy', { retryAfterSeconds: 5 })
  return queue.add(work)
}

async function encode(bytes: Uint8Array): Promise<Picture> {
  // The decoder's own time limit really stops its work, so that a place in the queue is free only when it is.
  const encoded = await readable(
    open(bytes, PICTURE_MAX_PIXELS)
      .timeout({ seconds: ENCODING_MAX_SECONDS })
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
    // A picture that is cut off is refused; one with odd metadata is not.
    failOn: 'error',
  })
}

/** What the decoder objects to is the picture's fault; its words stay inside. */
async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new AppError('invalid_image', { cause: error })
  }
}

type Format = 'png' | 'jpeg' | 'webp' | 'gif'

/** The kind of picture by its first bytes; undefined for anything else. */
function formatOf(bytes: Uint8Array): Format | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('RIFF') && start.slice(8) === 'WEBP') return 'webp'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  return undefined
}
