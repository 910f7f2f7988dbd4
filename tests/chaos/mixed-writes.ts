/** People who write everything that people can write, each through their own calls, and look it up afterwards. */
import sharp from 'sharp'
import { randomFrom } from '../../bench/population.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { newPlayer, nextSteamId } from '../support/product.ts'
import { signInAt } from '../support/sign-in.ts'
import { type Ledger, type Outcome, outcomeOf } from './ledger.ts'

export type Writer = {
  steamId: string
  token: string
  groupId: number
  friends: string[]
  /** Raised by every sync, so that each one writes something else. */
  minutes: number
}

const PNG = new Uint8Array(
  await sharp({ create: { width: 16, height: 16, channels: 3, background: 'teal' } })
    .png()
    .toBuffer(),
)
const UPLOADED = 'an upload'

/** Where a server is and what it talks to. */
export type Place = { url: string; simulator: Simulator }

/** Signs people in who know each other; each owns a group. Everything so far is settled in the ledger. */
export async function signInWriters(
  { url, simulator }: Place,
  ledger: Ledger,
  count: number,
): Promise<Writer[]> {
  const ids = Array.from({ length: count }, nextSteamId)
  for (const steamid of ids) simulator.addPlayer(newPlayer(steamid))
  for (const [n, id] of ids.entries()) for (const other of ids.slice(0, n)) simulator.befriend(id, other)
  return Promise.all(
    ids.map(async (steamId) => {
      const token = await signInAt(url, simulator, steamId)
      const friends = ids.filter((id) => id !== steamId)
      await call(url, token, 'POST', `/api/users/${steamId}/sync_friends`)
      const body = { name: 'First', owner_steam_id: steamId }
      const created = (await (await call(url, token, 'POST', '/api/groups', body)).json()) as {
        group_id: number
      }
      const groupId = created.group_id
      ledger.settle(`${steamId} group ${groupId}`, 'First')
      ledger.settle(`${steamId} picture ${groupId}`, 'null')
      ledger.settle(`${steamId} visibility`, 'connected')
      ledger.settle(`${steamId} minutes`, '0')
      for (const friend of friends) ledger.settle(`${steamId} member ${groupId} ${friend}`, 'false')
      return { steamId, token, groupId, friends, minutes: 0 }
    }),
  )
}

/** Everything that one person writes, each as a function that writes the n-th thing. */
export function writesOf(
  { url, simulator }: Place,
  ledger: Ledger,
  writer: Writer,
  pick: <T>(values: readonly T[]) => T,
): ((n: number) => Promise<Outcome>)[] {
  const { steamId, token, groupId } = writer
  const group = `/api/groups/${groupId}`
  const send = async (method: string, path: string, body?: object) =>
    (await outcomeOf(call(url, token, method, path, body))).outcome

  return [
    function changeSettings() {
      const value = pick(['connected', 'groups', 'nobody'])
      return ledger.write(`${steamId} visibility`, value, () =>
        send('PUT', `/api/users/${steamId}/settings`, { library_visibility: value }),
      )
    },

    // A group whose answer got lost has no number to look for; the invariants still see it.
    async function createGroup(n) {
      const body = { name: `Group ${n}`, owner_steam_id: steamId }
      const { outcome, json } = await outcomeOf(call(url, token, 'POST', '/api/groups', body))
      if (outcome === 'written')
        ledger.settle(`${steamId} group ${(json as { group_id: number }).group_id}`, body.name)
      return outcome
    },

    function addMember() {
      const friend = pick(writer.friends)
      return ledger.write(`${steamId} member ${groupId} ${friend}`, 'true', () =>
        send('POST', `${group}/members`, { steam_ids: [friend] }),
      )
    },

    function removeMember() {
      const friend = pick(writer.friends)
      return ledger.write(`${steamId} member ${groupId} ${friend}`, 'false', () =>
        send('DELETE', `${group}/members/${friend}`),
      )
    },

    function setPicture(n) {
      const address = `http://127.0.0.1/${steamId}-${n}.png`
      return ledger.write(`${steamId} picture ${groupId}`, address, () =>
        send('POST', `${group}/picture`, { picture_url: address }),
      )
    },

    function uploadPicture() {
      return ledger.write(`${steamId} picture ${groupId}`, UPLOADED, async () => {
        const form = new FormData()
        form.append('picture', new Blob([PNG], { type: 'image/png' }), 'p.png')
        const headers = { authorization: `Bearer ${token}` }
        const upload = fetch(`${url}${group}/picture`, {
          method: 'POST',
          headers,
          body: form,
          signal: inTime(),
        })
        return (await outcomeOf(upload)).outcome
      })
    },

    // The platform has something new each time; the eleventh sync of a day is refused and changes nothing.
    function syncGames() {
      const minutes = (writer.minutes += 100)
      simulator.setGames(steamId, [{ appid: 400, minutes, recentMinutes: 0, lastPlayed: 1_700_000_000 }])
      return ledger.write(`${steamId} minutes`, String(minutes), () =>
        send('POST', `/api/users/${steamId}/fetch_games`),
      )
    },
  ]
}

/** Writes one thing after another, as chance will have it, until `stop` says so or nobody answers any more. */
export async function writeUntil(
  stop: () => boolean,
  place: Place,
  ledger: Ledger,
  writer: Writer,
  seed: number,
): Promise<void> {
  const random = randomFrom(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  const writes = writesOf(place, ledger, writer, pick)
  for (let n = 0; !stop(); n++) if ((await pick(writes)(n)) === 'unknown') return
}

/** Looks values up through the server and says which of them may not be as they are. */
export async function lost(
  url: string,
  ledger: Ledger,
  writers: Writer[],
  names: Iterable<string>,
): Promise<string[]> {
  const tokens = new Map(writers.map((writer) => [writer.steamId, writer.token]))
  const complaints: string[] = []
  for (const name of names) {
    const token = tokens.get(name.split(' ', 1)[0]!)!
    const complaint = ledger.found(name, await lookUp(url, token, name))
    if (complaint) complaints.push(complaint)
  }
  return complaints
}

async function lookUp(url: string, token: string, name: string): Promise<string> {
  const [steamId = '', kind = '', id = '', other] = name.split(' ')
  /** What `value` takes from an answer, or the status of a refusal. */
  const read = async (path: string, value: (json: Json) => string) => {
    const response = await unhurried(() => call(url, token, 'GET', path))
    return response.ok ? value((await response.json()) as Json) : `status ${response.status}`
  }
  switch (kind) {
    case 'visibility':
      return read(`/api/users/${steamId}/settings`, (json) => String(json.library_visibility))
    case 'minutes':
      return read(`/api/users/${steamId}/total_playtime`, (json) => String(json.total_playtime_minutes))
    case 'group':
      return read(`/api/groups/${id}`, (json) => String(json.name))
    case 'picture':
      return served(url, await read(`/api/groups/${id}`, (json) => String(json.picture_url)))
    case 'member':
      return read(`/api/groups/${id}/members`, (members) =>
        String((members as unknown as { steam_id: string }[]).some((member) => member.steam_id === other)),
      )
    default:
      throw new Error(`nothing is known of ${kind}`)
  }
}

/** A picture's address; of an upload, that it is one and is served. */
async function served(url: string, picture: string): Promise<string> {
  if (!picture.startsWith('/media/')) return picture
  const response = await unhurried(() => fetch(`${url}${picture}`, { signal: inTime() }))
  await response.arrayBuffer()
  const { status, headers } = response
  return status === 200 && headers.get('content-type') === 'image/webp' ? UPLOADED : `not served (${status})`
}

type Json = Record<string, unknown>

/** Asks again while the server says that it is busy: on a loaded machine it may be, right after its start. */
async function unhurried(sendRequest: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await sendRequest()
    if (response.status !== 503) return response
    await response.arrayBuffer()
  }
}

/** A request whose server was killed under it may never end by itself. */
function inTime(): AbortSignal {
  return AbortSignal.timeout(30_000)
}

function call(url: string, token: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    signal: inTime(),
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}
