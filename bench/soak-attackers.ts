/**
 * The attackers of `npm run soak`, in a process of their own. Each repeats an attack that once stopped a server
 * (docs/security.md), from its own IP address, until the process is disconnected. Number and rate of each are bounded.
 */
import { randomBytes } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'

/** The server, and the accounts of the attackers. */
export type Target = {
  host: string
  port: number
  /** Sends incomplete bodies. */
  slow: { token: string }
  /** Uploads pictures to a group. */
  uploader: { token: string; groupId: number }
  /** Requests the common games of a group of a hundred. */
  greedy: { token: string; groupId: number }
}

const RESETS_A_SECOND = 200
const HALF_SENT = 510
const HALF_OPEN = 150
const FORGED_RETURNS_A_SECOND = 50
const UNFINISHED_UPLOADS = 50
const UPLOADED_BYTES = 4_900_000
const BIG_PICTURE_EVERY_MS = 3000
const BIG_PICTURE_SIDE = 6300
const LISTS_IN_PARALLEL = 30

const ADDRESSES = {
  resets: '127.0.0.66',
  halfSent: '127.0.0.67',
  halfOpen: '127.0.0.68',
  forger: '127.0.0.69',
  uploader: '127.0.0.70',
  greedy: '127.0.0.71',
}

process.on('disconnect', () => process.exit(0))
process.once('message', (target) => void attack(target as Target))

async function attack(target: Target): Promise<void> {
  await Promise.all([
    resetEarly(target),
    keepOpen(target, HALF_SENT, ADDRESSES.halfSent, halfSent(target.slow.token)),
    keepOpen(target, HALF_OPEN / 2, ADDRESSES.halfOpen, 'NONSENSE\r\n\r\n'),
    keepOpen(target, HALF_OPEN / 2, ADDRESSES.halfOpen, ''),
    forgeReturns(target),
    keepOpen(target, UNFINISHED_UPLOADS, ADDRESSES.uploader, unfinishedUpload(target.uploader)),
    uploadBigPictures(target),
    requestLists(target),
  ])
}

function openSocket({ host, port }: Target, localAddress: string): Socket {
  // allowHalfOpen: this side stays open when the server closes its side.
  const socket = connect({ host, port, localAddress, allowHalfOpen: true })
  socket.on('error', () => {})
  return socket
}

/** Sends requests with invalid tokens and resets the connection before the response. */
async function resetEarly(target: Target): Promise<void> {
  for (;;) {
    const socket = openSocket(target, ADDRESSES.resets)
    socket.once('connect', () => {
      const token = randomBytes(32).toString('base64url')
      const lines = [
        'GET /api/users/76561197960265729/games HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${token}`,
      ]
      socket.write([...lines, '', ''].join('\r\n'), () => socket.resetAndDestroy())
    })
    await pause(1000 / RESETS_A_SECOND)
  }
}

/** Keeps `count` connections open, each idle after sending `bytes`; replaces connections that close. */
async function keepOpen(
  target: Target,
  count: number,
  address: string,
  bytes: string | Buffer,
): Promise<void> {
  const keep = async () => {
    for (;;) {
      const socket = openSocket(target, address)
      if (bytes.length > 0) socket.write(bytes)
      socket.resume()
      await new Promise((resolve) => socket.once('close', resolve))
      await pause(500)
    }
  }
  await Promise.all(Array.from({ length: count }, keep))
}

function halfSent(token: string): string {
  return [
    'POST /api/groups HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 100',
    '',
    '{',
  ].join('\r\n')
}

function uploadHead({ token, groupId }: Target['uploader'], length: number): string {
  return [
    `POST /api/groups/${groupId}/picture HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${length}`,
    'Connection: close',
    '',
    '',
  ].join('\r\n')
}

const PART =
  '--b\r\nContent-Disposition: form-data; name="picture"; filename="p.png"\r\nContent-Type: image/png\r\n\r\n'
const END = '\r\n--b--\r\n'

function unfinishedUpload(uploader: Target['uploader']): Buffer {
  return Buffer.concat([Buffer.from(uploadHead(uploader, 5_000_000) + PART), Buffer.alloc(UPLOADED_BYTES)])
}

/** Uploads pictures with the largest accepted number of pixels, in few bytes. */
async function uploadBigPictures(target: Target): Promise<void> {
  const picture = await sharp({
    create: { width: BIG_PICTURE_SIDE, height: BIG_PICTURE_SIDE, channels: 3, background: 'red' },
  })
    .png()
    .toBuffer()
  const body = Buffer.concat([Buffer.from(PART), picture, Buffer.from(END)])
  for (;;) {
    const socket = openSocket(target, ADDRESSES.uploader)
    socket.end(Buffer.concat([Buffer.from(uploadHead(target.uploader, body.length)), body]))
    socket.resume()
    await pause(BIG_PICTURE_EVERY_MS)
  }
}

/** Sends forged sign-in responses with an invented state and a matching cookie. */
async function forgeReturns(target: Target): Promise<void> {
  const provider = process.env.STEAM_OPENID_URL ?? ''
  for (;;) {
    const state = randomBytes(16).toString('base64url')
    const claimed = `${new URL(provider).origin}/openid/id/76561197960265729`
    const query = new URLSearchParams({
      state,
      'openid.ns': 'http://specs.openid.net/auth/2.0',
      'openid.mode': 'id_res',
      'openid.op_endpoint': provider,
      'openid.claimed_id': claimed,
      'openid.identity': claimed,
      'openid.return_to': `${process.env.PUBLIC_URL}/auth/steam/return?state=${state}`,
      'openid.response_nonce': `${new Date().toISOString().slice(0, 19)}Z${randomBytes(6).toString('hex')}`,
      'openid.assoc_handle': '1234567890',
      'openid.signed': 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle',
      'openid.sig': randomBytes(20).toString('base64'),
    })
    const cookie = `shelfmates_sign_in_${state}=${state}`
    void statusOf(get(target, ADDRESSES.forger, `/auth/steam/return?${query.toString()}`, { cookie }))
    await pause(1000 / FORGED_RETURNS_A_SECOND)
  }
}

/** Requests the same large list in parallel, again and again. */
async function requestLists(target: Target): Promise<void> {
  const { token, groupId } = target.greedy
  const headers = { authorization: `Bearer ${token}` }
  const repeat = async () => {
    for (;;) {
      const status = await statusOf(
        get(target, ADDRESSES.greedy, `/api/groups/${groupId}/shared_games`, headers),
      )
      if (status !== 200) await pause(500)
    }
  }
  await Promise.all(Array.from({ length: LISTS_IN_PARALLEL }, repeat))
}

function get({ host, port }: Target, localAddress: string, path: string, headers: object): ClientRequest {
  return request({ host, port, localAddress, path, headers: { ...headers }, agent: false }).end()
}

/** Status of a response, after its body was read; 0 when the connection failed. */
function statusOf(outgoing: ClientRequest): Promise<number> {
  return new Promise((resolve) => {
    outgoing.on('error', () => resolve(0))
    outgoing.on('response', (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode ?? 0))
    })
  })
}
