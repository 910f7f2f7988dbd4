/** Tokens of links: invitations, calendars and shared picks. Who has one has what is behind it. */
import { randomBytes } from 'node:crypto'

/** 192 random bits, so that nobody finds one by trying. */
export function newLinkToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Whether a text can be a token of a link. */
export function isLinkToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{32}$/.test(text)
}

/**
 * The token to look up for any text. A text that cannot be a token, which PostgreSQL may refuse, becomes no link's
 * token.
 */
export function asLinkToken(text: string): string {
  return isLinkToken(text) ? text : ''
}
