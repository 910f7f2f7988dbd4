/** Compiles catalogues where no build has done it: on the server and in tests. */
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Language } from './languages.ts'
import { message, type Tokens } from './message.ts'
import type { Texts } from './types.ts'

/** A catalogue as its users see it: texts as they are, messages with placeholders as functions. */
export function compiled<English>(language: Language, catalogue: unknown): Texts<English> {
  return compile(language, catalogue) as Texts<English>
}

function compile(language: Language, node: unknown): unknown {
  if (typeof node === 'string') {
    const tokens = tokensOf(node)
    return typeof tokens === 'string' ? tokens : message(language, tokens)
  }
  if (Array.isArray(node)) return node.map((item) => compile(language, item))
  return Object.fromEntries(
    Object.entries(node as object).map(([key, value]) => [key, compile(language, value)]),
  )
}

/** The text itself where it has no placeholders. */
export function tokensOf(text: string): string | Tokens {
  const tokens: unknown = compileMessage(text)
  if (!Array.isArray(tokens)) return text
  return tokens.every((token) => typeof token === 'string') ? tokens.join('') : tokens
}
