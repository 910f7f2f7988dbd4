/** Files that cost much to read and little to send (PIC-10). */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { png, pngChunk } from '../../../tests/support/png.ts'
import { barePng, encodePicture } from './encode.ts'

const onePixel = Buffer.from([0, 255, 0, 0, 255])
const refused = { code: 'invalid_image', status: 400 }
const TEN_MB = deflateSync(Buffer.alloc(10_000_000), { level: 9 })
const text = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), TEN_MB]))
const longText = pngChunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), TEN_MB]))
const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), TEN_MB]))

/** CPU time of all threads, in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('of a png', () => {
  test('PIC-10: compressed texts cost nothing, whatever they unpack to', async () => {
    const hostile = png(1, 1, onePixel, ...Array<Buffer>(400).fill(text), ...Array<Buffer>(50).fill(longText))
    await encodePicture(png(1, 1, onePixel))
    // 900 when the decoder unpacks them, up to its own limit.
    expect(await cpuOf(() => encodePicture(hostile))).toBeLessThan(300)
    expect(barePng(hostile)).toEqual(png(1, 1, onePixel))
  })

  test('PIC-10: what decides about pixels stays: colours, transparency, orientation', async () => {
    const photo = await sharp({ create: { width: 40, height: 20, channels: 4, background: '#ff000080' } })
      .withExif({ IFD0: { Artist: 'x' } })
      .withMetadata({ orientation: 6, icc: 'p3' })
      .png()
      .toBuffer()
    for (const type of ['eXIf', 'iCCP']) expect(barePng(photo).includes(type)).toBe(true)
    const bytes = await encodePicture(photo)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 20, height: 40, hasAlpha: true })
  })

  test('a profile of more than 16 kB is left out', async () => {
    const large = pngChunk('iCCP', Buffer.alloc(16_385))
    expect(barePng(png(1, 1, onePixel, large))).toEqual(png(1, 1, onePixel))
    expect(barePng(png(1, 1, onePixel, profile))).toHaveLength(png(1, 1, onePixel, profile).length)
  })

  test('PIC-10: more than 20,000 chunks are refused', async () => {
    const empty = (count: number) =>
      Buffer.concat(Array<Buffer>(count).fill(pngChunk('IDAT', Buffer.alloc(0))))
    await expect(encodePicture(png(1, 1, onePixel, empty(20_000)))).rejects.toMatchObject(refused)
  })

  test('a chunk that is longer than the file is the end of it', async () => {
    const whole = png(1, 1, onePixel)
    const cut = Buffer.from(whole)
    cut.writeUInt32BE(0xffff_ffff, 8)
    for (const file of [cut, whole.subarray(0, 20), whole.subarray(0, 8)])
      await expect(encodePicture(file)).rejects.toMatchObject(refused)
  })
})

describe('of a jpeg', () => {
  test('PIC-10: more than 30 scans are refused; a progressive picture has ten', async () => {
    await expect(encodePicture(progressive(800, 600, 30))).resolves.toBeDefined()
    await expect(encodePicture(progressive(800, 600, 31))).rejects.toMatchObject(refused)
    const padded = progressive(800, 600, 40)
    // A decoder passes over what is no marker.
    const hidden = Buffer.concat([padded.subarray(0, 2), Buffer.from([0, 0xff, 0xff, 1]), padded.subarray(2)])
    await expect(encodePicture(hidden)).rejects.toMatchObject(refused)
    const common = sharp({ create: { width: 800, height: 600, channels: 3, background: 'red' } })
    await expect(encodePicture(await common.jpeg({ progressive: true }).toBuffer())).resolves.toBeDefined()
  })
})

/** A valid grey picture whose scans say nothing, each in 30 bytes; a decoder goes through all pixels for each. */
function progressive(width: number, height: number, scans: number): Buffer {
  const segment = (marker: number, ...data: number[]) =>
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255, ...data])
  const zeros = (count: number) => Array<number>(count).fill(0)
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const size = [height >> 8, height & 255, width >> 8, width & 255]
  // One run of 2^14 blocks without values: the only code of the table, '0', and 14 bits.
  const noValues = [0, 0]
  const later = Array.from({ length: scans - 1 }, (_, nth) => {
    const [coefficient, bit] = [(nth % 63) + 1, 13 - Math.floor(nth / 63)]
    return [
      segment(0xda, 1, 1, 0, coefficient, coefficient, ((bit === 13 ? 0 : bit + 1) << 4) | bit),
      Buffer.from(noValues),
    ]
  })
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, 8, ...size, 1, 1, 0x11, 0),
    segment(0xc4, 0, 1, ...zeros(15), 0),
    segment(0xc4, 0x10, 1, ...zeros(15), 0xe0),
    segment(0xda, 1, 1, 0, 0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...later.flat(),
    Buffer.from([0xff, 0xd9]),
  ])
}
