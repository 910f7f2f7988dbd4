/** The files that the build wrote in English, in other languages: each text of the English catalogue is replaced (LANG-9). */
import { en } from '../texts/en.ts'
import type { ServerTexts } from '../texts/texts.ts'

/** `index.html` or `offline.html`, whose lines may be broken anywhere in a text. */
export function htmlIn(source: string, texts: ServerTexts): string {
  const others = new Map(pairsOf(texts).map(([text, other]) => [text, escaped(other)]))
  // Longer ones first, should one begin with another.
  const patterns = [...others.keys()].toSorted((a, b) => b.length - a.length).map(patternOf)
  return source
    .replace('lang="en"', `lang="${texts.language}"`)
    .replace(new RegExp(patterns.join('|'), 'g'), (found) => others.get(found.replace(/\s+/g, ' '))!)
}

/** The web manifest. */
export function manifestIn(source: string, texts: ServerTexts): string {
  const others = new Map(pairsOf(texts))
  const manifest: unknown = JSON.parse(source, (name, value: unknown) =>
    name === 'lang' ? texts.language : (others.get(value as string) ?? value),
  )
  return JSON.stringify(manifest)
}

/** Each English text with the one that replaces it. */
function pairsOf({ pages }: ServerTexts): [string, string][] {
  return Object.entries(en.pages).map(([key, text]) => [text, pages[key as keyof typeof pages]])
}

function patternOf(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+')
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
