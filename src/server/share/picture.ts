/**
 * Pictures of links for previews in chats: 1200 × 630 pixels, from a template in SVG (NIGHT-77, NIGHT-78). Everything that
 * takes long runs off the main thread, in the library that draws and in the one that compresses.
 */
import { renderAsync } from '@resvg/resvg-js'
import sharp from 'sharp'
import { drawable, FONT_FAMILY, FONT_FILES, linesOf, widthOf } from './font.ts'

export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630
const MARGIN = 72
const WIDTH = CARD_WIDTH - 2 * MARGIN
const TOP = 56
const LINE_HEIGHT = 50
/** Baseline of the last line. */
const LAST_LINE = CARD_HEIGHT - 60
/** A short title is one large line; a long one is two. */
const TITLES = [
  { size: 104, max: 1 },
  { size: 68, max: 2 },
] as const

/** The product's colours (src/web/styles.css). */
export const colours = {
  ground: '#080c18',
  ink: '#eef1fb',
  soft: '#b3bcd8',
  mint: '#6ee7c4',
  amber: '#ffcf7a',
  blobs: [
    { colour: '#2bb5a6', opacity: 0.38, x: 0.08, y: 0 },
    { colour: '#5b45c9', opacity: 0.5, x: 0.95, y: 0.1 },
    { colour: '#5aa9ff', opacity: 0.26, x: 0.1, y: 1.05 },
    { colour: '#b3365a', opacity: 0.34, x: 0.9, y: 1 },
  ],
} as const

/** The product's logo, 64 × 64. */
export const LOGO =
  '<linearGradient id="night" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#1b2450"/>' +
  '<stop offset="1" stop-color="#0a0f22"/></linearGradient><rect width="64" height="64" rx="15" fill="url(#night)"/>' +
  '<rect x="11" y="17" width="9" height="27" rx="2.5" fill="#6ee7c4"/>' +
  '<rect x="22.5" y="12" width="9" height="32" rx="2.5" fill="#8b7cf6"/>' +
  '<rect x="-4.5" y="-28" width="9" height="28" rx="2.5" fill="#5aa9ff" transform="translate(40.6 44) rotate(16)"/>' +
  '<rect x="9" y="46.5" width="46" height="4.5" rx="2.25" fill="#e8edff"/>'

/** What a picture shows, in any text. */
export type Card = {
  title: string
  /** In place of a title of which nothing can be drawn. */
  untitled: string
  /** Above the title, such as the name of a group. */
  above: string | null
  /** Up to three lines below the title, the most important one first. */
  lines: readonly string[]
}

/** Draws a card as PNG. What the font lacks is left out, and texts that are too long are shortened. */
export async function drawCard(card: Card): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">
<rect width="100%" height="100%" fill="${colours.ground}"/>
${blobs()}
<svg x="${MARGIN}" y="${TOP}" width="60" height="60" viewBox="0 0 64 64">${LOGO}</svg>
${text('Shelfmates', { x: MARGIN + 78, y: TOP + 43, size: 38, bold: true })}
${linesIn(card)}
</svg>`
  const drawn = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: FONT_FILES, defaultFontFamily: FONT_FAMILY },
  })
  return sharp(drawn.pixels, { raw: { width: CARD_WIDTH, height: CARD_HEIGHT, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer()
}

/** From the lower edge upwards: lines, title, and what stands above it. */
function linesIn({ title, untitled, above, lines }: Card): string {
  const { size, wrapped } = titleOf(drawable(title) || untitled)
  const firstLine = LAST_LINE - (lines.length - 1) * LINE_HEIGHT
  const titleEnd = firstLine - 70
  const titleStart = titleEnd - (wrapped.length - 1) * size * 1.1
  return [
    ...linesOf(drawable(above ?? ''), 36, WIDTH, 1).map((line) =>
      text(line, { x: MARGIN, y: titleStart - size * 0.8 - 20, size: 36, colour: colours.mint, bold: true }),
    ),
    ...wrapped.map((line, nth) =>
      text(line, { x: MARGIN, y: titleStart + nth * size * 1.1, size, bold: true }),
    ),
    ...lines.flatMap((line, nth) =>
      linesOf(drawable(line), 40, WIDTH, 1).map((one) =>
        text(one, {
          x: MARGIN,
          y: firstLine + nth * LINE_HEIGHT,
          size: 40,
          ...(nth > 0 && { colour: colours.soft }),
        }),
      ),
    ),
  ].join('\n')
}

function titleOf(title: string): { size: number; wrapped: string[] } {
  const [large, small] = TITLES
  const { size, max } = widthOf(title, large.size) <= WIDTH ? large : small
  return { size, wrapped: linesOf(title, size, WIDTH, max) }
}

type Style = { x: number; y: number; size: number; colour?: string; bold?: boolean }

function text(drawn: string, { x, y, size, colour = colours.ink, bold = false }: Style): string {
  const style = `font-family="${FONT_FAMILY}" font-weight="${bold ? 700 : 400}" font-size="${size}" fill="${colour}"`
  return `<text x="${x}" y="${y}" ${style}>${escaped(drawn)}</text>`
}

/** The background of the product's pages. */
function blobs(): string {
  return colours.blobs
    .map(
      ({ colour, opacity, x, y }, nth) =>
        `<radialGradient id="blob${nth}"><stop offset="0" stop-color="${colour}" stop-opacity="${opacity}"/>` +
        `<stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>` +
        `<circle cx="${x * CARD_WIDTH}" cy="${y * CARD_HEIGHT}" r="620" fill="url(#blob${nth})"/>`,
    )
    .join('')
}

/** Any text as content or attribute of XML and HTML. */
export function escaped(any: string): string {
  return any
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\p{Cc}/gu, ' ')
}
