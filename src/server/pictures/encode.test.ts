import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PICTURE_MAX_BYTES } from '#shared/limits.ts'
import { png, pngChunk as chunk } from '../../../tests/support/png.ts'
import type { AppError } from '../errors.ts'
import { encodePicture } from './encode.ts'

const RED = { r: 255, g: 0, b: 0 }
const BLUE = { r: 0, g: 0, b: 255 }
const formats = ['png', 'jpeg', 'webp', 'gif'] as const

function plain(width: number, height: number, background = RED) {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** Red on the left, blue on the right. */
function redThenBlue(width: number, height: number) {
  const right = { create: { width: width / 2, height, channels: 3 as const, background: BLUE } }
  return plain(width, height).composite([{ input: right, left: width / 2, top: 0 }])
}

/** Noise does not compress, so that truncating the file cuts off pixels. */
function noise(side: number) {
  const gaussian = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  return sharp({ create: { width: side, height: side, channels: 3, background: RED, noise: gaussian } })
}

/** Whether a pixel of the encoded picture is red or blue. */
async function colourAt(bytes: Uint8Array, left: number, top: number): Promise<'red' | 'blue'> {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data[0]! > data[2]! ? 'red' : 'blue'
}

const onePixel = Buffer.from([0, 255, 0, 0, 255])

describe('an accepted picture', () => {
  test.each(formats)('LIM-6: is re-encoded as webp from %s', async (format) => {
    const bytes = await encodePicture(await redThenBlue(40, 20).toFormat(format).toBuffer())

    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 40, height: 20 })
    expect([await colourAt(bytes, 5, 10), await colourAt(bytes, 35, 10)]).toEqual(['red', 'blue'])
  })

  test.each([
    [2000, 1000, 512, 256],
    [600, 1200, 256, 512],
    [513, 513, 512, 512],
    [512, 30, 512, 30],
    [10_000, 1, 512, 1],
    [1, 1, 1, 1],
  ])('of %i × %i becomes %i × %i', async (width, height, fitWidth, fitHeight) => {
    const bytes = await encodePicture(await plain(width, height).png().toBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ width: fitWidth, height: fitHeight })
  })

  test('LIM-6: is rotated upright and loses all metadata on camera, location and author', async () => {
    const photo = await redThenBlue(200, 100)
      .withExif({
        IFD0: { Make: 'SecretCamera', Artist: 'SecretPerson' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6, icc: 'p3' })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SecretPlace</x:xmpmeta>')
      .jpeg()
      .toBuffer()
    expect(await sharp(photo).metadata()).toMatchObject({ orientation: 6, width: 200 })
    expect(photo.includes('SecretCamera') && photo.includes('SecretPlace')).toBe(true)

    const bytes = await encodePicture(photo)

    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({ width: 100, height: 200 })
    for (const field of ['exif', 'xmp', 'icc', 'iptc', 'orientation', 'comments'] as const)
      expect(metadata[field]).toBeUndefined()
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Secret|GPS|EXIF|xmp/)
    // Rotated a quarter clockwise: the left side is on top.
    expect([await colourAt(bytes, 50, 10), await colourAt(bytes, 50, 190)]).toEqual(['red', 'blue'])
  })

  test.each(['gif', 'webp'] as const)('shows the first frame of an animated %s', async (format) => {
    const frames = await Promise.all([RED, BLUE].map((colour) => plain(30, 30, colour).png().toBuffer()))
    const animation = await sharp(frames, { join: { animated: true } })
      .toFormat(format, { loop: 0, delay: [100, 100] })
      .toBuffer()
    expect(await sharp(animation).metadata()).toMatchObject({ pages: 2 })

    const bytes = await encodePicture(animation)

    expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 30 })
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
    expect(await colourAt(bytes, 15, 15)).toBe('red')
  })

  test('keeps transparency', async () => {
    const clear = { width: 8, height: 8, channels: 4 as const, background: { ...RED, alpha: 0 } }
    const bytes = await encodePicture(await sharp({ create: clear }).png().toBuffer())
    expect((await sharp(bytes).stats()).isOpaque).toBe(false)
  })

  test('loses all data hidden in the file', async () => {
    const hidden = '<script>alert(1)</script>'
    const jpeg = await plain(50, 50).jpeg().toBuffer()
    const carriers = [
      Buffer.concat([jpeg, Buffer.from(`PK\x03\x04${hidden}`)]),
      Buffer.concat([await plain(50, 50).gif().toBuffer(), Buffer.from(hidden)]),
      png(1, 1, onePixel, chunk('tEXt', Buffer.from(`Comment\0${hidden}`))),
      Buffer.concat([png(1, 1, onePixel), Buffer.from(hidden)]),
    ]
    for (const carrier of carriers) {
      const text = Buffer.from(await encodePicture(carrier)).toString('latin1')
      expect(text).toMatch(/^RIFF....WEBP/s)
      expect(text).not.toContain('script')
      expect(text).not.toContain('PK\x03\x04')
    }
  })

  test('LIM-6: may have exactly 5 MB', async () => {
    const jpeg = await plain(50, 50).jpeg().toBuffer()
    const padded = (size: number) => Buffer.concat([jpeg, Buffer.alloc(size - jpeg.length)])

    await expect(encodePicture(padded(PICTURE_MAX_BYTES))).resolves.toBeDefined()
    await expect(encodePicture(padded(PICTURE_MAX_BYTES + 1))).rejects.toMatchObject({
      code: 'image_too_large',
      status: 413,
    })
  })
})

describe('LIM-6: a picture that is too large', () => {
  test('by its header is refused, even if it has almost no pixels', async () => {
    const jpeg = await plain(16, 16).jpeg().toBuffer()
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(65_000, frame + 5)
    jpeg.writeUInt16BE(65_000, frame + 7)
    const gif = await plain(16, 16).gif().toBuffer()
    gif.writeUInt16LE(65_000, 6)
    gif.writeUInt16LE(65_000, 8)
    // The frame's own size, after the separator ',' and its position (0, 0), which decoders use.
    const frameAt = gif.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0, 16, 0, 16, 0]))
    gif.writeUInt16LE(65_000, frameAt + 5)
    gif.writeUInt16LE(65_000, frameAt + 7)

    for (const bomb of [png(100_000, 100_000, onePixel), png(8000, 5001, onePixel), jpeg, gif])
      await expect(encodePicture(bomb)).rejects.toMatchObject({ code: 'image_too_large', status: 413 })
  })

  test('only after its header is cut to the size in its header', async () => {
    const bomb = png(1, 1, Buffer.concat([onePixel, Buffer.alloc(200_000_000)]))
    const bytes = await encodePicture(bomb)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1, height: 1 })
  })
})

describe('LIM-6: a file that is not a picture is refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const cases: [string, () => Promise<Uint8Array> | Uint8Array][] = [
    ['nothing', () => new Uint8Array()],
    ['text', () => Buffer.from('hello')],
    ['html', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['svg', () => Buffer.from(svg)],
    ['svg after an xml head', () => Buffer.from(`<?xml version="1.0"?>\n${svg}`)],
    ['svg after the start of a png', () => Buffer.concat([pngStart, Buffer.from(svg)])],
    ['a script that starts like a gif', () => Buffer.from('GIF89a/*\0\0\0*/=1;alert(document.domain)//')],
    ['html that starts like a jpeg', () => Buffer.from('\xff\xd8\xff\xe0<html><script>1</script>', 'latin1')],
    ['a RIFF file with sound', () => Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'latin1')],
    ['PostScript', () => Buffer.from('%!PS\n(%pipe%id) (w) file')],
    ['a drawing that fetches URLs', () => Buffer.from("push graphic-context\nfill 'url(http://127.0.0.1/)'")],
    ['pdf', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['zip', () => Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1')],
    ['bmp', () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)])],
    ['tiff', () => plain(9, 9).tiff().toBuffer()],
    ['avif', () => plain(9, 9).avif().toBuffer()],
    ['a png of no width', () => png(0, 5, onePixel)],
    ['a png of 2^31 pixels in a row', () => png(0x7fffffff, 1, onePixel)],
    ['a png without pixels', () => png(100, 100, Buffer.alloc(0))],
  ]

  test.each(cases)('%s', async (_name, make) => {
    await expect(encodePicture(await make())).rejects.toMatchObject({ code: 'invalid_image', status: 400 })
  })

  test.each(formats)('a truncated %s', async (format) => {
    const whole = await noise(200).toFormat(format).toBuffer()
    for (const part of [0.95, 0.5, 0.02])
      await expect(encodePicture(whole.subarray(0, Math.floor(whole.length * part)))).rejects.toMatchObject({
        code: 'invalid_image',
      })
  })

  test('by the decoder itself, which opens only the four formats', async () => {
    for (const other of [
      Buffer.from(svg),
      await plain(9, 9).tiff().toBuffer(),
      await plain(9, 9).avif().toBuffer(),
    ])
      await expect(sharp(other).metadata()).rejects.toThrow('unsupported image format')
  })

  test("without the decoder's error text", async () => {
    const refusal = await encodePicture(png(100, 100, Buffer.alloc(0))).catch((error: Error) => error.message)
    expect(refusal).toBe('The file is not a png, jpeg, webp or gif image.')
  })
})

test('PIC-10: pictures beyond the queue are refused as busy, and the accepted ones are encoded', async () => {
  const picture = await noise(300).png().toBuffer()
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => encodePicture(picture)))

  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(outcomes.length - refusals.length).toBe(31)
  for (const { reason } of refusals)
    expect(reason).toMatchObject({ code: 'busy', status: 503, retryAfterSeconds: 5 })
})

test('PIC-10: invalid files beyond the queue are not read', async () => {
  const broken = png(0, 5, onePixel)
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => encodePicture(broken)))
  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as AppError).code)
  expect(codes.filter((code) => code === 'invalid_image')).toHaveLength(31)
  expect(codes.filter((code) => code === 'busy')).toHaveLength(29)
})

/** The smallest file that needs the most memory: 40 megapixels, 16 bits, transparent, interlaced in seven passes. */
function heaviestPng(width: number, height: number): Buffer {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  const rawBytes = passes.reduce((sum, [left, top, across, down]) => {
    const rows = Math.ceil((height - top) / down)
    return sum + rows * (1 + Math.ceil((width - left) / across) * 8)
  }, 0)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([16, 6, 0, 0, 1], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(rawBytes), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('PIC-10: several of the largest possible pictures at once take a bounded amount of memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfmates-pictures-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'large.png'), heaviestPng(8000, 5000))
  // A process of its own, because the peak memory of this one includes other tests.
  const script = `
    import { readFileSync } from 'node:fs'
    import { encodePicture } from ${JSON.stringify(join(import.meta.dirname, 'encode.ts'))}
    const encoded = await Promise.all([1, 2, 3].map(() => encodePicture(readFileSync('large.png'), 60)))
    console.log(JSON.stringify({ encoded: encoded.length, peakMb: process.resourceUsage().maxRSS / 1024 }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
  })
  const { encoded, peakMb } = JSON.parse(stdout) as { encoded: number; peakMb: number }
  expect(encoded).toBe(3)
  expect(peakMb).toBeLessThan(700)
})
