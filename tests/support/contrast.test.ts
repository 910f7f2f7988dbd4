/** LOOK-41: the contrast of every text on the ground that its own class gives it, in every state and in both themes. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Colour = readonly [number, number, number]
const THEMES = ['light', 'dark'] as const

const PAGES = join(import.meta.dirname, '../../src/web')
const styles = readFileSync(join(PAGES, 'styles.css'), 'utf8')
const tokens = Object.fromEntries(
  [...styles.matchAll(/--color-([a-z-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)/g)].map(
    ([, name, light, dark]) => [name!, { light: colourOf(light!), dark: colourOf(dark!) }],
  ),
)

function colourOf(hex: string): Colour {
  const digits =
    hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g)!
  return digits.map((two) => parseInt(two, 16)) as unknown as Colour
}

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((of) => {
    const part = of / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const over = (top: Colour, opacity: number, below: Colour): Colour =>
  top.map((part, nth) => part * opacity + below[nth]! * (1 - opacity)) as unknown as Colour

/** What may lie under a text: the ground, a card, and a row under the pointer. */
const GROUNDS = ['ground', 'deep', 'surface', 'raised']

type Pair = { text: string; ground?: { name: string; opacity: number }; from: string }

/** The texts of a class in each of its states, with the ground that it gives them. */
function pairsOf(classes: string, from: string): Pair[] {
  const states = new Map<string, { text?: string; ground?: Pair['ground'] }>([['', {}]])
  for (const [, state = '', kind, name = '', percent] of classes.matchAll(
    /(?<=^|\s)((?:[a-z-]+:)*)(bg|text)-([a-z-]+)(?:\/(\d+))?(?=\s|$)/g,
  )) {
    if (!(name in tokens) || /placeholder|disabled|print/.test(state)) continue
    const known = states.get(state) ?? {}
    if (kind === 'text' && percent === undefined) known.text = name
    if (kind === 'bg') known.ground = { name, opacity: Number(percent ?? 100) / 100 }
    states.set(state, known)
  }
  const usual = states.get('')!
  return [...states.values()].flatMap(({ text, ground }) => {
    const on = ground ?? usual.ground
    const shown = text ?? usual.text
    // What has a ground and no colour of its own shows the text around it, or is a picture.
    if (shown === undefined) return []
    return [{ text: shown, from, ...(on && { ground: on }) }]
  })
}

const pairs = globSync('**/*.tsx', { cwd: PAGES }).flatMap((file) =>
  [...readFileSync(join(PAGES, file), 'utf8').matchAll(/(["'`])((?:(?!\1)[^\\])*)\1/g)].flatMap(
    ([, , classes]) => pairsOf(classes!, `${file}: ${classes}`),
  ),
)

test('LOOK-41: AA for every text on its own ground, and AAA for body text', () => {
  expect(Object.keys(tokens).length).toBeGreaterThan(15)
  expect(pairs.length).toBeGreaterThan(350)
  const low = THEMES.flatMap((theme) =>
    pairs.flatMap(({ text, ground, from }) => {
      const of = (name: string) => tokens[name]![theme]
      const worst = Math.min(
        ...GROUNDS.map((below) =>
          contrast(of(text), ground ? over(of(ground.name), ground.opacity, of(below)) : of(below)),
        ),
      )
      // Text in the colour of the ground stands on a colour that another class gives.
      return worst < 4.5 && !(text === 'ground' && !ground) ? [`${theme} ${worst.toFixed(2)} ${from}`] : []
    }),
  )
  expect(low).toEqual([])
  for (const theme of THEMES)
    for (const ground of ['ground', 'deep', 'surface'])
      for (const text of ['ink', 'soft'])
        expect(contrast(tokens[text]![theme], tokens[ground]![theme]), `${text} ${ground}`).toBeGreaterThan(7)
})

test('LOOK-2: no colour stands outside styles.css', () => {
  const elsewhere = globSync('**/*.{ts,tsx}', { cwd: PAGES, exclude: ['**/*.test.*'] }).flatMap((file) =>
    [
      ...readFileSync(join(PAGES, file), 'utf8').matchAll(
        /(?:\b(?:rgb|hsl|oklch)\(|["'`]#[0-9a-f]{3,8}["'`]|\b(?:bg|text|border|fill)-(?:white|black)\b).*/g,
      ),
    ].map(([found]) => `${file}: ${found}`),
  )
  expect(elsewhere).toEqual([])
})
