/** PNG files, of one colour or by their chunks, and how they are uploaded. */
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { TestPlayer } from './product.ts'

/** A picture of one colour. */
export const imageOf = (background: string, width = 20, height = 10) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** A chunk with its length and checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), framed.length - 4)
  return framed
}

/** A png whose header has the given size, with any pixel data. */
export function png(width: number, height: number, pixels: Uint8Array, ...extra: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Uploads a file as a group's picture. */
export function upload(
  player: Pick<TestPlayer, 'request'>,
  groupId: number,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData()
  form.append('picture', new File([Buffer.from(bytes)], 'p.png', { type: 'image/png' }))
  return player.request(`/api/groups/${groupId}/picture`, { method: 'POST', body: form, headers })
}
