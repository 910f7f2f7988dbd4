/**
 * What the stored binary formats have in common (packed.ts, packed-friends.ts): they begin with a version and a
 * checksum of the rest (FNV-1a, little endian), and their numbers are varints. A varint holds 7 bits per byte, low bits
 * first, with the high bit set on all bytes but the last.
 */

/** Bytes of version and checksum. */
const HEADER_BYTES = 5
/** The largest value of most numbers. */
export const UINT32_MAX = 0xffff_ffff
/** Longest varint of a 32-bit number. */
export const VARINT32_MAX_BYTES = 5

/** Bytes that are being written, and where the next one goes. */
export type Target = { readonly bytes: Uint8Array; position: number }

/** Bytes that are being read, and what they are, for errors. */
export type Source = { readonly bytes: Uint8Array; position: number; readonly format: string }

/** Stored bytes that are damaged, or of a version that this code does not know. */
export class PackedError extends Error {
  constructor(format: string, reason: string) {
    super(`stored ${format}: ${reason}`)
    this.name = 'PackedError'
  }
}

/** An empty target; `bytesMax`: at most as many are written, besides the header. */
export function startPacking(bytesMax: number): Target {
  return { bytes: new Uint8Array(HEADER_BYTES + bytesMax), position: HEADER_BYTES }
}

/** What was written, with its header. */
export function finishPacking({ bytes, position }: Target, version: number): Uint8Array {
  const packed = bytes.slice(0, position)
  packed[0] = version
  viewOf(packed).setUint32(1, checksum(packed), true)
  return packed
}

/**
 * Checks the header; the source is then at the start of the body.
 * @throws PackedError
 */
export function startUnpacking(bytes: Uint8Array, version: number, format: string): Source {
  if (bytes.length < HEADER_BYTES) throw new PackedError(format, 'too short')
  if (bytes[0] !== version) throw new PackedError(format, `version ${bytes[0]} is unknown`)
  if (viewOf(bytes).getUint32(1, true) !== checksum(bytes))
    throw new PackedError(format, 'checksum does not match')
  return { bytes, position: HEADER_BYTES, format }
}

/**
 * Ends the reading of a source.
 * @throws PackedError when there are bytes left
 */
export function finishUnpacking({ bytes, position, format }: Source): void {
  if (position !== bytes.length) throw new PackedError(format, 'bytes after the end')
}

/** Writes a whole number from 0 to 2^53 - 1. */
export function writeVarint(target: Target, value: number): void {
  let rest = value
  // The bit operators below work on 32 bits.
  for (; rest > UINT32_MAX; rest = Math.floor(rest / 0x80))
    target.bytes[target.position++] = (rest % 0x80) | 0x80
  while (rest > 0x7f) {
    target.bytes[target.position++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  target.bytes[target.position++] = rest
}

/**
 * Reads a number from 0 to `max`.
 * @throws PackedError when there is none
 */
export function readVarint(source: Source, max = UINT32_MAX): number {
  let value = 0
  // Multiplication instead of a shift, which would set the sign bit at bit 31.
  for (let scale = 1; scale <= max; scale *= 0x80) {
    const byte = source.bytes[source.position++]
    if (byte === undefined) throw new PackedError(source.format, 'ends too early')
    value += (byte & 0x7f) * scale
    if (byte > 0x7f) continue
    if (value > max) break
    return value
  }
  throw new PackedError(source.format, 'number out of range')
}

/** FNV-1a of everything after the header; a change of any single byte changes it. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let index = HEADER_BYTES; index < bytes.length; index++)
    hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  return hash >>> 0
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset)
}
