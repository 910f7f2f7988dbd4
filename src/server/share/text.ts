/** Text as outlines of the product's own font, so that no font of the machine is needed (NIGHT-78). */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import type { Shapes } from './raster.ts'

const require = createRequire(import.meta.url)
/** The font comes in files by script; the first that has a character draws it. */
const SCRIPTS = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext']
const ELLIPSIS = '…'
/** Lines that a curve is drawn with. */
const CURVE_STEPS = 6

let loaded: Font[] | undefined
function fonts(): Font[] {
  return (loaded ??= SCRIPTS.map((script) => {
    const path = require.resolve(`@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`)
    // No file of the package is a collection.
    return create(readFileSync(path)) as Font
  }))
}

function fontFor(character: string): Font | undefined {
  return fonts().find((font) => font.hasGlyphForCodePoint(character.codePointAt(0)!))
}

/** What of a text can be drawn: without characters that the font lacks, such as those of other scripts and emoji. */
export function drawable(text: string): string {
  let result = ''
  let skipped = false
  for (const character of text.normalize('NFC').replace(/\s+/gu, ' ')) {
    // A mark belongs to the character before it.
    if (skipped && /\p{M}/u.test(character)) continue
    skipped = /\p{C}/u.test(character) || fontFor(character) === undefined
    if (!skipped) result += character
  }
  return result.replace(/ {2,}/g, ' ').trim()
}

/** A text in lines of at most `width` pixels; the last one is shortened when there are more. */
export function linesOf(text: string, size: number, width: number, max: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || widthOf(longer, size) <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  if (line !== '') lines.push(line)
  const rest = lines.slice(max - 1).join(' ')
  return [...lines.slice(0, max - 1), ...(rest === '' ? [] : [rest])].map((one) =>
    shortened(one, size, width),
  )
}

function shortened(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text
  const characters = [...text]
  while (characters.length > 0 && widthOf(characters.join('').trimEnd() + ELLIPSIS, size) > width)
    characters.pop()
  return characters.join('').trimEnd() + ELLIPSIS
}

/** The width of a drawable text in pixels. */
export function widthOf(text: string, size: number): number {
  return runsOf(text).reduce(
    (sum, { font, text: run }) => sum + (font.layout(run).advanceWidth * size) / font.unitsPerEm,
    0,
  )
}

/** The outlines of a drawable text whose baseline begins at x, y. */
export function outlinesOf(text: string, { x, y, size }: { x: number; y: number; size: number }): Shapes {
  const shapes: number[][] = []
  let left = x
  for (const { font, text: run } of runsOf(text)) {
    const scale = size / font.unitsPerEm
    const { glyphs, positions } = font.layout(run)
    for (const [nth, glyph] of glyphs.entries()) {
      const { xAdvance, xOffset, yOffset } = positions[nth]!
      const origin = { x: left + xOffset * scale, y: y - yOffset * scale }
      addGlyph(shapes, glyph.path.commands, (px, py) => [origin.x + px * scale, origin.y - py * scale])
      left += xAdvance * scale
    }
  }
  return shapes
}

type Commands = Font['layout'] extends (text: string) => { glyphs: { path: { commands: infer C } }[] }
  ? C
  : never

function addGlyph(
  shapes: number[][],
  commands: Commands,
  place: (x: number, y: number) => [number, number],
): void {
  let corners: number[] = []
  let [atX, atY] = [0, 0]
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args
    if (command === 'moveTo') shapes.push((corners = []))
    if (command === 'quadraticCurveTo')
      for (let step = 1; step < CURVE_STEPS; step++) {
        const t = step / CURVE_STEPS
        const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
        corners.push(...place(p * atX + q * a + r * c, p * atY + q * b + r * d))
      }
    if (command === 'closePath') continue
    ;[atX, atY] = command === 'bezierCurveTo' ? [e, f] : command === 'quadraticCurveTo' ? [c, d] : [a, b]
    corners.push(...place(atX, atY))
  }
}

/** Parts of a text that one file of the font draws. */
function runsOf(text: string): { font: Font; text: string }[] {
  const runs: { font: Font; text: string }[] = []
  for (const character of text) {
    const font = fontFor(character)
    const last = runs.at(-1)
    if (!font) continue
    // A space, and what else several files have, stays with the characters before it.
    if (last?.font.hasGlyphForCodePoint(character.codePointAt(0)!)) last.text += character
    else runs.push({ font, text: character })
  }
  return runs
}
