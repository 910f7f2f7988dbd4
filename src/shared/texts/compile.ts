/** Compiles messages: when pages are built, and when a server starts. Browsers need no parser, so pages must not import this. */
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Tokens } from './message.ts'

/** A compiled text; the text itself where it has no placeholders. */
export function tokensOf(text: string): string | Tokens {
  const tokens: unknown = compileMessage(text)
  if (!Array.isArray(tokens)) return text
  return tokens.every((token) => typeof token === 'string') ? tokens.join('') : tokens
}
