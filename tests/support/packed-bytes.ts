/** Bytes of the stored binary formats, whole and damaged (library/packed.ts). */
import fc from 'fast-check'
import { PackedError } from '../../src/server/library/packed.ts'

type Unpack = (bytes: Uint8Array) => unknown

/** A body as version 1 of a format stores it, after the version and the FNV-1a checksum. */
export function stored(body: readonly number[]): Uint8Array {
  const hash = body.reduce((sum, byte) => ((sum ^ BigInt(byte)) * 16_777_619n) & 0xffff_ffffn, 2_166_136_261n)
  const littleEndian = [0n, 8n, 16n, 24n].map((shift) => Number((hash >> shift) & 0xffn))
  return Uint8Array.from([1, ...littleEndian, ...body])
}

/** Bodies of any bytes, often of small ones. */
export const arbitraryBody = fc.array(fc.oneof(fc.constantFrom(0, 1, 2, 3), fc.nat(255)), { maxLength: 24 })

/** What `unpack` makes of bytes; undefined when it refuses them as damaged. Other errors are thrown. */
export function unpacked<Value>(unpack: (bytes: Uint8Array) => Value, bytes: Uint8Array): Value | undefined {
  try {
    return unpack(bytes)
  } catch (error) {
    if (error instanceof PackedError) return undefined
    throw error
  }
}

const isRefused = (unpack: Unpack, bytes: Uint8Array) => unpacked(unpack, bytes) === undefined

/** The changes of one byte after which `unpack` still accepts the bytes. */
export function acceptedChanges(packed: Uint8Array, unpack: Unpack): string[] {
  const accepted: string[] = []
  for (let index = 0; index < packed.length; index++)
    for (let change = 1; change < 256; change++) {
      const damaged = packed.slice()
      damaged[index]! ^= change
      if (!isRefused(unpack, damaged)) accepted.push(`byte ${index} ^ ${change}`)
    }
  return accepted
}

/** The lengths to which bytes can be cut, or with `more` be prolonged, so that `unpack` still accepts them. */
export function acceptedLengths(packed: Uint8Array, more: Uint8Array, unpack: Unpack): number[] {
  const longer = Buffer.concat([packed, more])
  const lengths = [...packed.keys(), longer.length]
  return lengths.filter((length) => !isRefused(unpack, longer.subarray(0, length)))
}
