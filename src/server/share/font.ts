/** What the product's font can draw, and how wide it is, so that a picture has no missing glyphs and no text beyond its edge. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
/** Files of the font that pictures are drawn with; their names in SVG are the family and the weights 400 and 700. */
export const FONT_FILES = [
  require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  require.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
]
export const FONT_FAMILY = 'Inter'

const ELLIPSIS = '…'
/** Shares of the font size, by code point. Bold letters are the wider ones, so all texts are measured with them. */
let widths: ReadonlyMap<number, number> | undefined

/**
 * What of a text can be drawn. Characters that the font lacks (other scripts, emoji), control characters, and all but one
 * mark on a letter are left out.
 */
export function drawable(text: string): string {
  const drawn: string[] = []
  let mayHaveMark = false
  for (const character of text.normalize('NFC').replace(/\s+/gu, ' ')) {
    const isMark = /\p{M}/u.test(character)
    const isUsable: boolean = (!isMark || mayHaveMark) && isKnown(character)
    mayHaveMark = isUsable && !isMark && character !== ' '
    if (isUsable) drawn.push(character)
  }
  return drawn.join('').replace(/ {2,}/g, ' ').trim()
}

function isKnown(character: string): boolean {
  widths ??= readWidths(readFileSync(FONT_FILES[1]!))
  return !/\p{C}/u.test(character) && widths.has(character.codePointAt(0)!)
}

/** A drawable text in lines of at most `width` pixels; the last one is shortened when there are more. */
export function linesOf(text: string, size: number, width: number, max: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    // The last line has the rest, which is then shortened.
    if (lines.length === max || (lines.length > 0 && widthOf(longer, size) <= width))
      lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines.filter((line) => line !== '').map((line) => shortened(line, size, width))
}

function shortened(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept + character + ELLIPSIS, size) > width) break
    kept += character
  }
  return kept.trimEnd() + ELLIPSIS
}

/** The width of a drawable text in pixels; pairs of letters that stand closer make it a little less. */
export function widthOf(text: string, size: number): number {
  let sum = 0
  for (const character of text) sum += widths?.get(character.codePointAt(0)!) ?? 0
  return sum * size
}

/** Advance widths by code point, from the tables cmap (format 4, characters up to U+FFFF) and hmtx of a TrueType file. */
function readWidths(file: Buffer): Map<number, number> {
  const tables = new Map<string, number>()
  for (let nth = 0; nth < file.readUInt16BE(4); nth++)
    tables.set(file.toString('latin1', 12 + nth * 16, 16 + nth * 16), file.readUInt32BE(20 + nth * 16))
  const at = (name: string) => tables.get(name)!
  const unitsPerEm = file.readUInt16BE(at('head') + 18)
  const lastMetric = file.readUInt16BE(at('hhea') + 34) - 1
  const advanceOf = (glyph: number) => file.readUInt16BE(at('hmtx') + Math.min(glyph, lastMetric) * 4)

  const found = new Map<number, number>()
  const cmap = at('cmap')
  for (let nth = 0; nth < file.readUInt16BE(cmap + 2); nth++) {
    const table = cmap + file.readUInt32BE(cmap + 8 + nth * 8)
    if (file.readUInt16BE(table) !== 4) continue
    const doubled = file.readUInt16BE(table + 6)
    for (let segment = 0; segment < doubled; segment += 2) {
      const last = file.readUInt16BE(table + 14 + segment)
      const first = file.readUInt16BE(table + 16 + doubled + segment)
      const delta = file.readUInt16BE(table + 16 + 2 * doubled + segment)
      const offsetAt = table + 16 + 3 * doubled + segment
      const offset = file.readUInt16BE(offsetAt)
      for (let code = first; code <= last && code < 0xffff; code++) {
        const own = offset === 0 ? code : file.readUInt16BE(offsetAt + offset + 2 * (code - first))
        const glyph = own === 0 ? 0 : (own + delta) & 0xffff
        if (glyph !== 0) found.set(code, advanceOf(glyph) / unitsPerEm)
      }
    }
  }
  return found
}
