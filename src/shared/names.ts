/** Names of players, groups, nights and games, which can be any text (PLAT-37): whether they are seen, found, and in which order. */

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** Compares names regardless of case and accents, and numbers by their value: 'half-life 2' before 'Half-Life 10'. */
export function compareNames(a: string, b: string): number {
  // Most names differ in their first letter, and the collator takes ten times as long to say so.
  const [x, y] = [a.charCodeAt(0) | CASE, b.charCodeAt(0) | CASE]
  return x !== y && isLetter(x) && isLetter(y) ? x - y : collator.compare(a, b)
}

/** The bit in which small ASCII letters differ from capitals. */
const CASE = 0x20
const isLetter = (code: number) => code >= 0x61 && code <= 0x7a

/** A visible character: no control character, space or default-ignorable character such as the Hangul filler. */
const visible = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The name, or undefined if it has no visible character. */
export function visibleName(name: string | null | undefined): string | undefined {
  return name && visible.test(name) ? name : undefined
}

/** The display name, or the steam id if there is no visible one (ENT-16). */
export function nameOf(player: { display_name: string | null; steam_id: string }): string {
  return visibleName(player.display_name) ?? player.steam_id
}

const [FSI, PDI] = ['\u2068', '\u2069']
const beginsIsolate = /[\u2066-\u2068]/
/** Letters that are written from right to left, and characters that turn the direction round. */
const turnsText =
  /[\p{Bidi_Control}\u0590-\u08FF\uFB1D-\uFDCF\uFDF0-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** What ends a paragraph, and every isolate with it. */
const ends = /[\p{Cc}\u2029]+/gu

/**
 * A name in a text that is no markup: whatever it has, it turns only itself, as `<bdi>` does on pages. Names that turn nothing
 * stay as they are.
 */
export function isolated(name: string): string {
  if (!turnsText.test(name)) return name
  let open = 0
  let inner = ''
  for (const character of name.replace(ends, ' ')) {
    // One that ends nothing would end the isolate around the name.
    if (character === PDI && open === 0) continue
    if (character === PDI) open--
    else if (beginsIsolate.test(character)) open++
    inner += character
  }
  return FSI + inner + PDI.repeat(open + 1)
}

/** Of every kind, also those that keyboards of phones write, and accents that stand alone. */
const apostrophes = /['‘’‚‛`´ʹʻʼʽˈ′‵ʾʿ՚Ꞌꞌ＇]/gu
const signs = /[™®©℠]/gu
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}\p{C}]/gu
const punctuation = /[\p{P}\p{Z}]+/gu

/**
 * A text as searches compare it, without case, accents, ™, ® and ©, and with punctuation as blanks. Apostrophes and dots
 * are left out in the first form, and blanks in the second, if that differs: 'Assassin’s' is found by 'assassins' and by
 * 'assassin s'. A text of nothing but those is compared as it stands.
 */
export function comparable(text: string): readonly string[] {
  const plain = text
    .replace(signs, '')
    .replace(apostrophes, '.')
    .normalize('NFKD')
    .replace(unseen, '')
    .toUpperCase()
  const words = (form: string) => form.replace(punctuation, ' ').trim()
  const [left, apart] = [words(plain.replaceAll('.', '')), words(plain)]
  if (left === '') return [text.trim().toUpperCase()]
  return left === apart ? [left] : [left, apart]
}

/** Whether names match what is typed in a search box: any part of them, compared like {@link comparable}. */
export function matcherOf(typed: string): (name: string) => boolean {
  const asTyped = typed.trim().toUpperCase()
  const wanted = comparable(typed)
  return (name) =>
    comparable(name).some((form) => wanted.some((part) => form.includes(part))) ||
    name.toUpperCase().includes(asTyped)
}
