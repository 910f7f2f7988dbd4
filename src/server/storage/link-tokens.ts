/** Tokens of links: invitations, calendars and shared picks. Who has one has what is behind it. */
import { randomBytes } from 'node:crypto'

/** 192 random bits, so that nobody finds one by trying; the last character is none that chats take for the end of a sentence. */
export function newLinkToken(): string {
  for (;;) {
    const token = randomBytes(24).toString('base64url')
    if (/[A-Za-z\d]$/.test(token)) return token
  }
}

/**
 * The token to look up for any text, without what stood behind a link that was pasted, such as a full stop. A text that
 * cannot be a token, which PostgreSQL may refuse, becomes no link's token.
 */
export function asLinkToken(text: unknown): string {
  return /^([\w-]{32})(?![A-Za-z\d])/.exec(typeof text === 'string' ? text : '')?.[1] ?? ''
}
