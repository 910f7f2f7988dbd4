/** People who make every kind of write through the API, and check the values afterwards. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { randomFrom } from '../../bench/population.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import type { Night } from '#shared/nights/entities.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { newPlayer, nextSteamId } from '../support/product.ts'
import { signInAt } from '../support/sign-in.ts'
import { createLedger, known, type Ledger, type Outcome, outcomeOf } from './ledger.ts'
import { imageOf } from '../support/png.ts'

export type Writer = {
  steamId: string
  token: string
  groupId: number
  friends: string[]
  /** Increased by every sync, so that each one writes another value. */
  minutes: number
  /** The open game night, if any. */
  nightId?: number | undefined
}

const PNG = new Uint8Array(await imageOf('teal', 16, 16))
const UPLOADED = 'an upload'

/** A server and its simulator. */
export type Target = { url: string; simulator: Simulator }

/** Signs in people who are friends and own a group each, and records all values in the ledger. */
export async function signInWriters(
  { url, simulator }: Target,
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
      const { group_id: groupId } = await createGroup(url, { steamId, token }, 'First')
      ledger.settle(`${steamId} group ${groupId}`, 'First')
      ledger.settle(`${steamId} picture ${groupId}`, 'null')
      ledger.settle(`${steamId} visibility`, 'connected')
      ledger.settle(`${steamId} minutes`, '0')
      for (const friend of friends) ledger.settle(`${steamId} member ${groupId} ${friend}`, 'false')
      return { steamId, token, groupId, friends, minutes: 0 }
    }),
  )
}

/**
 * Starts a server with these variables, and signs in people who write there. `start` starts another one; `write` makes so many
 * writes or more, and returns what is known after them; `keepWriting` has other people write until what it returns is called.
 */
export async function startWriting(
  env: Record<string, string>,
  { people = 2, limits }: { people?: number; limits?: Parameters<typeof startProcess>[1] } = {},
) {
  const { simulator, steam } = await startSteam()
  const start = (other: Record<string, string> = {}) => startProcess({ ...env, ...steam, ...other })
  const server = await startProcess({ ...env, ...steam }, limits)
  const target = { url: server.url, simulator }
  const ledger = createLedger()
  const writers = await signInWriters(target, ledger, people)
  const write = async (count: number, seed: number): Promise<Ledger> => {
    const enough = ledger.acknowledged + count
    const stop = () => ledger.acknowledged >= enough
    await Promise.all(writers.map((writer, nth) => writeUntil(stop, target, ledger, writer, seed + nth)))
    expect(ledger.acknowledged).toBeGreaterThanOrEqual(enough)
    return known(ledger)
  }
  const keepWriting = async () => {
    const others = await signInWriters(target, createLedger(), 2)
    let isOver = false
    const writing = Promise.all(
      others.map((other, nth) => writeUntil(() => isOver, target, createLedger(), other, nth)),
    )
    return async () => {
      isOver = true
      await writing
    }
  }
  return { server, start, target, ledger, writers, write, keepWriting }
}

/** Creates a group, which must be acknowledged. */
export async function createGroup(url: string, by: Pick<Writer, 'steamId' | 'token'>, name: string) {
  const response = await call(url, by.token, 'POST', '/api/groups', { name, owner_steam_id: by.steamId })
  expect(response.status).toBe(201)
  return (await response.json()) as { group_id: number }
}

/** All kinds of writes of one person; `n` makes each write different. */
export function writesOf(
  { url, simulator }: Target,
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

    // A group whose response was lost has no id to look up, but the invariants cover it.
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
      const pictureUrl = `http://127.0.0.1/${steamId}-${n}.png`
      return ledger.write(`${steamId} picture ${groupId}`, pictureUrl, () =>
        send('POST', `${group}/picture`, { picture_url: pictureUrl }),
      )
    },

    function uploadPicture() {
      return ledger.write(`${steamId} picture ${groupId}`, UPLOADED, async () => {
        return (await outcomeOf(upload(url, token, groupId, PNG))).outcome
      })
    },

    // One step of a game night: start, answer, vote, close, draw, and then another night.
    async function gameNight() {
      const { nightId } = writer
      if (nightId === undefined) {
        const started = await outcomeOf(call(url, token, 'POST', '/api/nights', { group_id: groupId }))
        if (started.outcome === 'written') {
          writer.nightId = (started.json as { night_id: number }).night_id
          ledger.settle(`${steamId} night ${writer.nightId}`, 'open in false 0')
        }
        return started.outcome
      }
      const name = `${steamId} night ${nightId}`
      const night = `/api/nights/${nightId}`
      const known = ledger.valueOf(name)
      // After a response that was lost it is not known what may come next.
      if (known === undefined) {
        writer.nightId = undefined
        return 'refused'
      }
      const [status = '', answer, voted] = known.split(' ')
      const steps: [value: string, method: string, path: string, body?: object][] =
        status === 'tied'
          ? [[`decided ${answer} ${voted} 1`, 'POST', `${night}/draw`]]
          : [
              ['open maybe false 0', 'PUT', `${night}/answer`, { answer: 'maybe' }],
              ['open in true 0', 'PUT', `${night}/ballot`, { marks: [{ appid: 400, mark: 'want' }] }],
              [`tied ${answer} ${voted} 0`, 'POST', `${night}/close`, { by: 'draw' }],
              [`cancelled ${answer} ${voted} 0`, 'POST', `${night}/cancel`],
            ]
      const [value, method, path, body] = answer === 'maybe' ? steps.at(-1)! : pick(steps)
      const outcome = await ledger.write(name, value, () => send(method, path, body))
      if (outcome === 'written' && /^(decided|cancelled)/.test(value)) writer.nightId = undefined
      return outcome
    },

    // Steam returns a new value each time; the eleventh sync of a day is refused and changes nothing.
    function syncGames() {
      const minutes = (writer.minutes += 100)
      simulator.setGames(steamId, [{ appid: 400, minutes, recentMinutes: 0, lastPlayed: 1_700_000_000 }])
      return ledger.write(`${steamId} minutes`, String(minutes), () =>
        send('POST', `/api/users/${steamId}/fetch_games`),
      )
    },
  ]
}

/** Makes random writes until `stop` returns true or a response fails. */
export async function writeUntil(
  stop: () => boolean,
  target: Target,
  ledger: Ledger,
  writer: Writer,
  seed: number,
): Promise<void> {
  const random = randomFrom(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  const writes = writesOf(target, ledger, writer, pick)
  for (let n = 0; !stop(); n++) if ((await pick(writes)(n)) === 'unknown') return
}

/** Looks values up through the server; returns an error text for each that is not a possible one. */
export async function lost(
  url: string,
  ledger: Ledger,
  writers: Writer[],
  names: Iterable<string>,
): Promise<string[]> {
  const tokens = new Map(writers.map((writer) => [writer.steamId, writer.token]))
  const errors: string[] = []
  for (const name of names) {
    const token = tokens.get(name.split(' ', 1)[0]!)!
    const error = ledger.found(name, await lookUp(url, token, name))
    if (error) errors.push(error)
  }
  return errors
}

async function lookUp(url: string, token: string, name: string): Promise<string> {
  const [steamId = '', kind = '', id = '', other] = name.split(' ')
  /** The result of `value` for the response, or the status of a refusal. */
  const read = async (path: string, value: (json: Json) => string) => {
    const response = await retryWhileBusy(() => call(url, token, 'GET', path))
    return response.ok ? value((await response.json()) as Json) : `status ${response.status}`
  }
  switch (kind) {
    case 'visibility':
      return read(`/api/users/${steamId}/settings`, (json) => String(json.library_visibility))
    case 'minutes':
      return read(`/api/users/${steamId}/total_playtime`, (json) => String(json.total_playtime_minutes))
    case 'group':
      return read(`/api/groups/${id}`, (json) => String(json.name))
    case 'night':
      return read(`/api/nights/${id}`, (json) => {
        const { status, my, draws } = json as unknown as Night
        return `${status} ${my.answer} ${my.voted} ${draws.length}`
      })
    case 'picture':
      return served(url, await read(`/api/groups/${id}`, (json) => String(json.picture_url)))
    case 'member':
      return read(`/api/groups/${id}/members`, (members) =>
        String((members as unknown as { steam_id: string }[]).some((member) => member.steam_id === other)),
      )
    default:
      throw new Error(`unknown kind of value: ${kind}`)
  }
}

/** A picture's URL; for an upload, whether it is served. */
async function served(url: string, picture: string): Promise<string> {
  if (!picture.startsWith('/media/')) return picture
  const response = await retryWhileBusy(() => fetch(`${url}${picture}`, { signal: timeLimit() }))
  await response.arrayBuffer()
  const { status, headers } = response
  return status === 200 && headers.get('content-type') === 'image/webp' ? UPLOADED : `not served (${status})`
}

type Json = Record<string, unknown>

/** Retries while the server is busy, as it may be on a loaded machine right after its start, or a proxy has none. */
async function retryWhileBusy(sendRequest: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await sendRequest()
    if (![502, 503, 504].includes(response.status)) return response
    await response.arrayBuffer()
    await pause(20)
  }
}

/** A time limit, because a request to a killed server may never end by itself. */
function timeLimit(): AbortSignal {
  return AbortSignal.timeout(30_000)
}

/** Uploads a group's picture. */
export function upload(
  url: string,
  token: string,
  groupId: number,
  png: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const body = new FormData()
  body.append('picture', new Blob([png], { type: 'image/png' }), 'p.png')
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${url}/api/groups/${groupId}/picture`, { method: 'POST', headers, body, signal: timeLimit() })
}

export function call(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    signal: timeLimit(),
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}
