/**
 * A push service over https, and devices that subscribe there; for server and browser tests. It checks the signature of each
 * request (RFC 8292) and reads the message with the device's keys (RFC 8291), without the library that sends.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { openReceiver, type Received } from './receiver.ts'

export type Notification = { title: string; body: string; path: string; tag: string }
export type PushService = Awaited<ReturnType<typeof openPushService>>
export type Device = ReturnType<PushService['subscribe']>

const AUDIENCE_SECONDS_MAX = 24 * 60 * 60
/** Of a message for a push service, with the header of the encryption (RFC 8291). */
const BYTES_MAX = 4096

/** Starts a push service at `https://hooks.test:{port}`; the caller closes it. */
export async function openPushService() {
  const receiver = await openReceiver()
  const { origin } = new URL(receiver.url)
  const devices = new Map<string, { key: string; ecdh: ECDH; auth: Buffer; received: Received[] }>()
  /** Why requests were refused; a test that expects none looks here. */
  const faults: string[] = []
  let answer: (
    request: Received,
  ) => { status: number; headers?: Record<string, string> } | undefined = () => ({
    status: 201,
  })
  receiver.respond((request) => {
    const device = devices.get(request.path)
    if (!device) return { status: 410 }
    const fault = faultOf(request, { origin, key: device.key })
    if (fault !== undefined) {
      faults.push(fault)
      return { status: 403 }
    }
    const response = answer(request)
    if (response?.status === 201) device.received.push(request)
    return response
  })

  return {
    origin,
    web: receiver.web,
    /** Every request, refused ones too. */
    requests: receiver.received,
    faults,
    close: receiver.close,
    /** What it answers to valid requests from now on; never, where that is undefined. */
    respond: (next: typeof answer) => void (answer = next),

    /** A browser subscribes with the public key of the application. */
    subscribe(key: string) {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      const device = { key, ecdh, auth, received: [] as Received[] }
      devices.set(path, device)
      return {
        /** As `PushSubscription.toJSON()` gives it. */
        subscription: {
          endpoint: `${origin}${path}`,
          expirationTime: null,
          keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        /** The requests that were accepted for it, and what they said. */
        received: device.received,
        notifications: () =>
          device.received.map(({ bytes }) => JSON.parse(decrypted(bytes, ecdh, auth)) as Notification),
        /** The browser unsubscribes: the push service does not know the address any more. */
        leave: () => void devices.delete(path),
      }
    },
  }
}

/** What is wrong with a request; undefined when nothing is. */
function faultOf(
  { headers, bytes }: Received,
  { origin, key }: { origin: string; key: string },
): string | undefined {
  if (bytes.length > BYTES_MAX) return 'the message is too long'
  if (headers['content-encoding'] !== 'aes128gcm') return 'the encoding is not aes128gcm'
  if (!/^\d+$/.test(String(headers.ttl))) return 'there is no TTL'
  if (!/^[\w-]{1,32}$/.test(String(headers.topic))) return 'the topic is not one'
  if (!['low', 'normal', 'high'].includes(String(headers.urgency))) return 'the urgency is not one'
  const [, token, signer] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  if (token === undefined || signer === undefined) return 'there is no signature'
  if (signer !== key) return 'it is signed by another application'
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(signer, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return 'the signature is not of this key'
  if ((parsed(head) as { alg: string }).alg !== 'ES256') return 'the signature is not ES256'
  const { aud, exp, sub } = parsed(claims) as { aud: string; exp: number; sub: string }
  if (aud !== origin) return `the audience is ${aud}`
  const seconds = exp - Date.now() / 1000
  if (!(seconds > 0 && seconds <= AUDIENCE_SECONDS_MAX)) return `it is valid for ${seconds} seconds`
  if (!/^(mailto:.+@|https:\/\/)/.test(sub) || sub.includes('localhost')) return `the contact is ${sub}`
  return undefined
}

function parsed(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

/** The text of a message: one record of RFC 8188, with the keys of RFC 8291. */
function decrypted(bytes: Buffer, device: ECDH, auth: Buffer): string {
  const salt = bytes.subarray(0, 16)
  const senderLength = bytes[20]!
  const sender = bytes.subarray(21, 21 + senderLength)
  const record = bytes.subarray(21 + senderLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), device.getPublicKey(), sender])
  const secret = hkdfSync('sha256', device.computeSecret(sender), auth, info, 32)
  const derived = (purpose: string, length: number) =>
    Buffer.from(
      hkdfSync('sha256', Buffer.from(secret), salt, Buffer.from(`Content-Encoding: ${purpose}\0`), length),
    )
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is not one')
  return padded.subarray(0, end).toString()
}
