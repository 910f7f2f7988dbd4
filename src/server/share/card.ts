/** The picture of a shared pick: 1200 × 630 pixels, as previews of links show it (NIGHT-77, NIGHT-78). */
import sharp from 'sharp'
import { coverageOf, roundedRectangle, type Shapes } from './raster.ts'
import { drawable, linesOf, outlinesOf, widthOf } from './text.ts'

export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630
const MARGIN = 72
const TITLE = { size: 76, lineHeight: 90 }
const PICTURE = { width: 460, height: 215, top: 335 }

const GROUND = { r: 8, g: 12, b: 24 }
const INK = { r: 238, g: 241, b: 251 }
const SOFT = { r: 179, g: 188, b: 216 }
const MINT = { r: 110, g: 231, b: 196 }
type Colour = typeof INK

/** What the card shows; nothing about people but how many play. */
export type Card = {
  game: string
  group: string | null
  date: string
  players: string
}

/** Draws a card as PNG; `picture`: the game's, re-encoded by `encodePicture`. */
export async function drawCard(card: Card, picture: Uint8Array | undefined): Promise<Buffer> {
  const background = picture
    ? sharp(picture)
        .resize(CARD_WIDTH, CARD_HEIGHT, { fit: 'cover' })
        .blur(36)
        .modulate({ brightness: 0.3, saturation: 0.9 })
        .flatten({ background: GROUND })
    : sharp({ create: { width: CARD_WIDTH, height: CARD_HEIGHT, channels: 3, background: GROUND } })
  const right = picture ? MARGIN + PICTURE.width + 48 : MARGIN
  const width = CARD_WIDTH - 2 * MARGIN
  const title = linesOf(drawable(card.game) || 'A game', TITLE.size, width, 2)
  const brand = 'Shelfmates'
  const texts = [
    ...textLine(drawable(card.group ?? ''), { x: MARGIN, y: 112, size: 36, width, colour: MINT }),
    ...title.flatMap((line, nth) =>
      textLine(line, {
        x: MARGIN,
        y: 208 + nth * TITLE.lineHeight,
        ...TITLE,
        width,
        colour: INK,
        bold: true,
      }),
    ),
    ...textLine(card.date, { x: right, y: 410, size: 44, width: CARD_WIDTH - MARGIN - right, colour: INK }),
    ...textLine(card.players, {
      x: right,
      y: 472,
      size: 36,
      width: CARD_WIDTH - MARGIN - right,
      colour: SOFT,
    }),
    ...textLine(brand, {
      x: CARD_WIDTH - MARGIN - widthOf(brand, 32),
      y: PICTURE.top + PICTURE.height,
      size: 32,
      width,
      colour: SOFT,
      bold: true,
    }),
  ]
  const art = picture ? [{ input: await roundedPicture(picture), left: MARGIN, top: PICTURE.top }] : []
  // Two steps, because the operations of one are not done in the order they are called in.
  const ground = await background.raw().toBuffer({ resolveWithObject: true })
  const { channels } = ground.info
  return sharp(ground.data, { raw: { width: CARD_WIDTH, height: CARD_HEIGHT, channels } })
    .composite([...art, ...texts])
    .png({ compressionLevel: 6 })
    .toBuffer()
}

async function roundedPicture(picture: Uint8Array): Promise<Buffer> {
  const { width, height } = PICTURE
  const mask = layer([roundedRectangle(width, height, 20)], width, height, INK)
  return sharp(picture)
    .resize(width, height, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: mask, raw: { width, height, channels: 4 }, blend: 'dest-in' }])
    .webp({ lossless: true })
    .toBuffer()
}

type Line = { x: number; y: number; size: number; width: number; colour: Colour; bold?: boolean }

/** A line of text as a layer of the card; none for an empty text. */
function textLine(text: string, { x, y, size, width, colour, bold = false }: Line) {
  const [line = ''] = linesOf(text, size, width, 1)
  if (line === '') return []
  const left = Math.floor(x) - 8
  const top = y - Math.ceil(1.1 * size)
  const area = { width: Math.min(CARD_WIDTH - left, width + 24), height: Math.ceil(1.5 * size) }
  // The font file has one weight, so bold text is drawn twice, a little apart.
  const steps = bold ? [0, size * 0.012, size * 0.024] : [0]
  const shapes = steps.map((step) => outlinesOf(line, { x: x - left + step, y: y - top, size }))
  const input = layer(shapes, area.width, area.height, colour)
  return [{ input, raw: { ...area, channels: 4 as const }, left, top }]
}

/** Pixels with a colour where any of the shapes is. */
function layer(all: readonly Shapes[], width: number, height: number, { r, g, b }: Colour): Buffer {
  const pixels = Buffer.alloc(width * height * 4)
  for (const shapes of all)
    for (const [at, alpha] of coverageOf(shapes, width, height).entries())
      pixels.set([r, g, b, Math.max(alpha, pixels[at * 4 + 3]!)], at * 4)
  return pixels
}
