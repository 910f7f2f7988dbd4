/**
 * Security headers, for every response.
 * Requirements: PIC-9.
 */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { STEAM_PICTURE_HOSTS } from '../steam/port.ts'

const PERMISSIONS = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'payment',
  'publickey-credentials-get',
  'usb',
]

const permissionsPolicy = PERMISSIONS.map((name) => `${name}=()`).join(', ')

/** Headers of responses that are no pages, with a content policy that allows nothing; also of refusals before any hook. */
export const headersOfEarlyRefusals = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissionsPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Headers that every response begins with. */
export function headersOfData({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    ...headersOfEarlyRefusals,
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** A strict policy for pages, without inline code or styles; pictures come from here and from Steam only. */
export function protectBrowsers(app: FastifyInstance, config: Config, isDemo: boolean): void {
  const steam = STEAM_PICTURE_HOSTS.map((host) => `https://${host}`)
  const pictures = ["'self'", 'data:', 'blob:', ...steam, ...pictureOrigins(config, isDemo)]
  const policy = [
    ...['default', 'script', 'style', 'font', 'connect', 'manifest', 'worker'].map(
      (of) => `${of}-src 'self'`,
    ),
    `img-src ${pictures.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';')
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('content-security-policy', policy)
    done()
  })
}

/**
 * The origin of pictures in demo mode, which differs from 'self' for a page at another address of this server;
 * otherwise the origin of the configured Web API when it is not the default.
 */
function pictureOrigins({ publicUrl, steamApiUrl }: Config, isDemo: boolean): string[] {
  if (isDemo) return [publicUrl]
  const { origin } = new URL(steamApiUrl)
  return origin === 'https://api.steampowered.com' ? [] : [origin]
}
