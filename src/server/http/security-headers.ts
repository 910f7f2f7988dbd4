/**
 * Security headers, for every response.
 * Requirements: PIC-9.
 */
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { STEAM_PICTURE_HOSTS } from '../steam/pictures.ts'

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

/** Headers of refusals sent before any hook runs: the same protection, with a content policy that allows nothing. */
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

/** Headers of responses with data: the same as of refusals, because the data is never shown as a page. */
export function headersOfData(config: Config): Record<string, string> {
  const strictTransport = strictTransportOf(config)
  return {
    ...headersOfEarlyRefusals,
    ...(strictTransport && { 'strict-transport-security': `max-age=${strictTransport.maxAge}` }),
  }
}

function strictTransportOf(config: Config) {
  return config.publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: false }
}

/** A strict policy without inline code or styles; pictures come from here and from Steam only. */
export async function protectBrowsers(app: FastifyInstance, config: Config, isDemo: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        imgSrc: [
          "'self'",
          'data:',
          'blob:',
          ...STEAM_PICTURE_HOSTS.map((host) => `https://${host}`),
          ...pictureOrigins(config, isDemo),
        ],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: strictTransportOf(config),
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
  })
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('permissions-policy', permissionsPolicy)
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
