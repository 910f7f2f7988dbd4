/**
 * Decodes and re-encodes untrusted pictures, so that nothing but the pixels is stored (LIM-6).
 * Requirements: PIC-10.
 */
import PQueue from 'p-queue'
import sharp from 'sharp'
import { PICTURE_MAX_BYTES, PICTURE_MAX_PIXELS, PICTURE_MAX_SIDE } from '#shared/limits.ts'
import { AppError } from '../errors.ts'

/** Of every picture that is stored and served. */
export const PICTURE_TYPE = 'image/webp'

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
export async function encodePicture(
  bytes: Uint8Array,
  maxSeconds = ENCODING_MAX_SECONDS,
): Promise<Uint8Array> {
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

function encode(bytes: Uint8Array, maxSeconds: number): Promise<Uint8Array> {
  // The decoder's own timeout stops its work, so that the queue starts the next picture only when this one has ended.
  return invalidIfFails(
    open(bytes, PICTURE_MAX_PIXELS)
      .timeout({ seconds: maxSeconds })
      .resize(PICTURE_MAX_SIDE, PICTURE_MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer(),
  )
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

// What makes the decoder work without giving pixels is taken out or refused before it sees the file (PIC-10). What is left
// costs time by its pixels alone, which are limited.

const PNG_SIGNATURE_BYTES = 8
/** Length, type and checksum of a chunk. */
const PNG_FRAME_BYTES = 12
/** A file of 5 MB that a common encoder wrote has 640 chunks. */
const PNG_CHUNKS_MAX = 20_000
/** A profile is compressed: a thousand bytes can be a megabyte. Those of screens have 3 kB, cameras' up to 10. */
const PNG_PROFILE_MAX_BYTES = 16_384
/** Chunks that decide about pixels, with their largest size; other ones are text, times and further frames. */
const PNG_KEPT: ReadonlyMap<string, number> = new Map([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'eXIf'].map(
    (type) => [type, Infinity] as const,
  ),
  ['iCCP', PNG_PROFILE_MAX_BYTES],
])

/** A decoder goes through all pixels again for each scan of a progressive picture. Common encoders write 10. */
const JPEG_SCANS_MAX = 30
const JPEG_SCAN = 0xda
const JPEG_END = 0xd9

/** A png with nothing but its pixels and what decides about them. @throws AppError invalid_image */
export function barePng(bytes: Uint8Array): Buffer {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bare = Buffer.allocUnsafe(bytes.byteLength)
  let length = view.copy(bare, 0, 0, PNG_SIGNATURE_BYTES)
  let at = PNG_SIGNATURE_BYTES
  for (let nth = 0; at + PNG_FRAME_BYTES <= view.length; nth++) {
    if (nth === PNG_CHUNKS_MAX) throw new AppError('invalid_image')
    const size = view.readUInt32BE(at)
    const type = view.toString('latin1', at + 4, at + 8)
    const end = at + PNG_FRAME_BYTES + size
    if (size <= (PNG_KEPT.get(type) ?? -1)) length += view.copy(bare, length, at, end)
    if (type === 'IEND') break
    at = end
  }
  return bare.subarray(0, length)
}

/** @throws AppError invalid_image for a jpeg that takes far longer to decode than its pixels need */
export function requireFewScans(bytes: Uint8Array): void {
  let scans = 0
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1]!
    // Within a scan, padding, or a marker without a segment.
    if (bytes[at] !== 0xff || marker === 0xff || marker <= 1 || (marker >= 0xd0 && marker <= 0xd7)) {
      at++
      continue
    }
    if (marker === JPEG_END) return
    if (marker === JPEG_SCAN && ++scans > JPEG_SCANS_MAX) throw new AppError('invalid_image')
    at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!
  }
}
