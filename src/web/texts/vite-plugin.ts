/** Compiles the catalogues when pages are built, so that browsers need no parser of messages. */
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { parseAst, type Plugin } from 'vite'
import type { Tokens } from './message.ts'
import { pseudo } from './pseudo.ts'

const CATALOGUE = /\/texts\/(\w+)\/[\w-]+\.ts$/

type Node = { type: string; start: number; end: number; value?: unknown; [key: string]: unknown }

/** @param isPseudo whether each text is replaced by one that nobody wrote, which shows what is in no catalogue */
export function texts({ isPseudo = false } = {}): Plugin {
  return {
    name: 'texts',
    // After types are stripped.
    enforce: 'post',
    transform(code, id) {
      const language = CATALOGUE.exec(id)?.[1]
      if (language === undefined) return undefined
      let result = code
      for (const { start, end, value } of textsOf(parseAst(code) as unknown as Node).toReversed()) {
        const compiled = isPseudo ? pseudo(tokensOf(value)) : tokensOf(value)
        const json = JSON.stringify(compiled)
        const replaced = typeof compiled === 'string' ? json : `message('${language}', ${json})`
        result = result.slice(0, start) + replaced + result.slice(end)
      }
      return { code: `import { message } from '../message.ts'\n${result}`, map: null }
    },
  }
}

/** The string literals that are values of properties or items of lists, in their order. */
function textsOf(node: Node): { start: number; end: number; value: string }[] {
  const found: { start: number; end: number; value: string }[] = []
  const visit = (item: unknown, isText: boolean) => {
    if (Array.isArray(item)) return item.forEach((child) => visit(child, isText))
    if (typeof item !== 'object' || item === null) return
    const { type, start, end, value, ...children } = item as Node
    if (type === 'Literal' && typeof value === 'string' && isText) found.push({ start, end, value })
    else if (type === 'Property') visit(value, true)
    else if (type === 'ArrayExpression') visit(children.elements, true)
    else for (const child of [value, ...Object.values(children)]) visit(child, false)
  }
  visit(node, false)
  return found
}

/** A compiled text; the text itself where it has no placeholders. */
export function tokensOf(text: string): string | Tokens {
  const tokens: unknown = compileMessage(text)
  if (!Array.isArray(tokens)) return text
  return tokens.every((token) => typeof token === 'string') ? tokens.join('') : tokens
}
