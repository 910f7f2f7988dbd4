/** A server that is suspended (SIGSTOP) in the middle of a request and resumes later (OPS-35). */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ServerProcess, startCluster } from '../support/cluster.ts'
import { newPlayer, nextSteamId } from '../support/product.ts'
import { signInAt } from '../support/sign-in.ts'

const PUBLIC_URL = 'http://games.test'

let cluster: Awaited<ReturnType<typeof startCluster>>
let frozen: ServerProcess
let other: ServerProcess

beforeAll(async () => {
  cluster = await startCluster({ publicUrl: PUBLIC_URL })
  frozen = await cluster.start('frozen')
  other = await cluster.start('other')
})

afterAll(() => cluster.close())

/** A new player who has signed in; `set` changes a setting of theirs that `read` returns. */
async function newcomer() {
  const steamId = nextSteamId()
  cluster.simulator.addPlayer(newPlayer(steamId))
  const token = await signInAt(PUBLIC_URL, cluster.simulator, steamId, () => other.url)
  const send = (
    server: ServerProcess,
    method: string,
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal } = {},
  ) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  const path = `/api/users/${steamId}/settings`
  const set = (server: ServerProcess, library_visibility: string, signal?: AbortSignal) =>
    send(server, 'PUT', path, { body: { library_visibility }, ...(signal && { signal }) })
  const read = async (server: ServerProcess) => {
    const response = await send(server, 'GET', path)
    return ((await response.json()) as { library_visibility: string }).library_visibility
  }
  return { steamId, send, set, read }
}

/** Locks a person's row, so that a change of their settings waits in the middle of its transaction. */
async function lockedPerson(steamId: string) {
  const client = new Client({ connectionString: cluster.databaseUrl })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM people WHERE steam_id = $1 FOR UPDATE', [steamId])
  /** Resolves when a connection of the frozen server meets the condition; others work in the background. */
  const frozenServer = (condition: string) =>
    expect
      .poll(async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'frozen' AND ${condition}`,
        )
        return rows.length
      })
      .toBe(1)
  return {
    /** Resolves when the server waits for this lock. */
    isWaitedFor: () => frozenServer("wait_event_type = 'Lock'"),
    /** Resolves when the transaction that waited has the lock; its server is frozen and does not go on. */
    release: async () => {
      await client.query('COMMIT')
      await frozenServer("state = 'idle in transaction'")
      await client.end()
    },
  }
}

/** Freezes the server until `thaw`, or the end of the test. */
function freeze() {
  onTestFinished(() => void frozen.child.kill('SIGCONT'))
  frozen.child.kill('SIGSTOP')
}

/** The frozen server goes on; resolves when it has done what it was doing. */
async function thaw() {
  frozen.child.kill('SIGCONT')
  // Many times as many statements as a request has, and one after the other.
  for (let nth = 0; nth < 50; nth++) expect((await fetch(`${frozen.url}/readyz`)).status).toBe(200)
}

test('OPS-35: its locks hold the others up for seconds only, and its transaction is rolled back', async () => {
  const ada = await newcomer()
  const row = await lockedPerson(ada.steamId)
  const leaving = new AbortController()
  const early = ada.set(frozen, 'groups', leaving.signal)
  await row.isWaitedFor()
  freeze()
  leaving.abort()
  await expect(early).rejects.toThrow()
  // Now the frozen server has the lock.
  await row.release()
  const started = performance.now()
  expect((await ada.set(other, 'nobody')).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(10_000)
  await thaw()
  expect(await ada.read(frozen)).toBe('nobody')
  expect(await ada.read(other)).toBe('nobody')
})

test('OPS-35: a request whose client waits is served late', async () => {
  const ada = await newcomer()
  expect(await ada.read(frozen)).toBe('connected')
  freeze()
  const late = ada.set(frozen, 'groups')
  await ada.read(other)
  await thaw()
  expect((await late).status).toBe(200)
  expect(await ada.read(other)).toBe('groups')
})
