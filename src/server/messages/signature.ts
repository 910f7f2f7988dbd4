/** The signature of messages to webhooks (NIGHT-70). */
import { createHmac } from 'node:crypto'

/** The header `X-Shelfmates-Signature`: `t` in seconds since 1970, and the HMAC-SHA256 of `{t}.{body}` as hex. */
export function signatureOf(secret: string, body: string, now: number): string {
  const t = Math.floor(now / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
