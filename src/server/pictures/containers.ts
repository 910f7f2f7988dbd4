/**
 * What makes the decoder work without giving pixels, taken out or refused before it sees the file (PIC-10). What is left
 * costs time by its pixels alone, which are limited.
 */
import { AppError } from '../errors.ts'

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
