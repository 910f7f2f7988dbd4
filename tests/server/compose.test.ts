/** DEPL-2: the processes of compose.yaml with its own environment, behind a proxy with the rules of its Caddyfile. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { newPlayer, nextSteamId } from '../support/app.ts'
import { freshDatabaseOptions } from '../support/databases.ts'
import { temporaryFolder } from '../support/folders.ts'
import { rawRequest } from '../support/http.ts'
import { startProcess } from '../support/process.ts'
import { readCaddyfile, startReverseProxy } from '../support/reverse-proxy.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const KEY = 'compose-key-ABCDEF0123456789'
const TOKEN = 'compose-metrics-token'

type Service = {
  environment?: Record<string, string>
  secrets?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  ports?: string[]
  mem_limit?: string
  cpus?: number
  pids_limit?: number
  networks?: { default: { ipv4_address: string } }
}
type Compose = {
  services: Record<string, Service>
  secrets?: Record<string, { file: string }>
}

/** A compose file, with the defaults of its variables. */
const composeOf = (name: string): Compose =>
  parse(read(name).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true }) as Compose

const compose = composeOf('compose.yaml')

describe.each(['compose.yaml', 'compose.demo.yaml'])('DEPL-2: %s', (name) => {
  const { services, secrets = {} } = composeOf(name)

  test.each(Object.keys(services))(
    'DEPL-2: %s has no rights and resources that it does not need',
    (service) => {
      const { read_only, cap_drop, security_opt, mem_limit, cpus, pids_limit } = services[service]!
      expect({ read_only, cap_drop, security_opt }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      for (const limit of [mem_limit, cpus, pids_limit]) expect(limit).toBeDefined()
    },
  )

  test('DEPL-2: only the proxy is published, and it alone is trusted', () => {
    for (const [service, { ports, environment = {} }] of Object.entries(services)) {
      expect(ports !== undefined).toBe(service === 'proxy')
      if (service.startsWith('web'))
        expect(environment.TRUST_PROXY).toBe(services.proxy!.networks!.default.ipv4_address)
    }
    const { upstreams } = readCaddyfile(read('deploy/Caddyfile'), services.proxy!.environment!)
    expect(upstreams).toEqual(
      Object.keys(services)
        .filter((service) => service.startsWith('web'))
        .map((service) => `${service}:3000`),
    )
  })

  test('DEPL-2: secrets are in files, never in the environment', () => {
    for (const { environment = {}, secrets: used = [] } of Object.values(services)) {
      for (const [variable, value] of Object.entries(environment))
        if (/KEY|TOKEN|PASSWORD/.test(variable)) {
          expect(variable).toMatch(/_FILE$/)
          expect(used).toContain(value.replace('/run/secrets/', ''))
        }
      for (const secret of used) expect(secrets[secret]!.file).toMatch(/^\.\/secrets\//)
    }
    expect(read('.gitignore').split('\n')).toContain('/secrets/')
  })
})

/** PostgreSQL, both servers as processes, and the proxy. */
async function startServices() {
  const { drop, ...place } = await freshDatabaseOptions('postgres')
  const simulator = await startSimulator({ world: { players: [], apps: [] }, apiKey: KEY })
  const folder = temporaryFolder('secrets')
  const secrets: Record<string, string> = {
    postgres_password: 'any, for the cluster of the tests',
    steam_api_key: KEY,
    metrics_token: TOKEN,
  }
  for (const [name, text] of Object.entries(secrets)) writeFileSync(join(folder, name), `${text}\n`)

  /** What differs on this machine: the addresses of the other services, and where secrets and data are. */
  const hereOf = (environment: Record<string, string>) => ({
    ...Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, value.replace('/run/secrets', folder)]),
    ),
    DATABASE_URL: place.databaseUrl!,
    TRUST_PROXY: '127.0.0.1',
    STEAM_API_URL: simulator.apiUrl,
    STEAM_OPENID_URL: simulator.openidUrl,
    DATA_DIR: place.dataDir,
  })
  const start = (name: string) => startProcess(hereOf(compose.services[name]!.environment!))
  const servers = { web1: await start('web1'), web2: await start('web2') }
  const proxy = await startReverseProxy({
    rules: readCaddyfile(read('deploy/Caddyfile'), compose.services.proxy!.environment!),
    addressOf: (upstream) =>
      `http://127.0.0.1:${servers[upstream.split(':')[0] as keyof typeof servers].port}`,
    scheme: 'https',
  })
  onTestFinished(async () => {
    await proxy.close()
    for (const { child, exit } of Object.values(servers)) {
      child.kill('SIGTERM')
      await exit
    }
    await simulator.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { host } = new URL(compose.services.web1!.environment!.PUBLIC_URL!)
  /** A browser's request to the public address. */
  const visit = (path: string, { headers, ...options }: Parameters<typeof rawRequest>[1] = {}) =>
    rawRequest(`${proxy.url}${path}`, { ...options, headers: { host, ...headers } })
  return { servers, proxy, simulator, visit, host }
}

type Services = Awaited<ReturnType<typeof startServices>>

/** Signs a new player in through the proxy; returns the headers of their requests, and which servers took part. */
async function signIn({ simulator, visit, proxy }: Services) {
  const steamId = nextSteamId()
  simulator.addPlayer(newPlayer(steamId))
  const cookieOf = ({ headers }: Awaited<ReturnType<typeof visit>>, name: string) =>
    (headers['set-cookie'] ?? []).find((set) => set.includes(name))!.split(';')[0]!
  const first = proxy.served.length
  const start = await visit('/auth/steam')
  const returnTo = new URL(start.headers.location!).searchParams.get('openid.return_to')!
  const { pathname, search } = new URL(simulator.assertionFor(steamId, returnTo))
  const back = await visit(pathname + search, { headers: { cookie: cookieOf(start, 'shelfmates_sign_in') } })
  const landing = new URL(back.headers.location!)
  const swapped = await visit('/auth/session', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${landing.searchParams.get('token')}`,
      cookie: cookieOf(back, 'shelfmates_browser'),
    },
  })
  const { token } = JSON.parse(swapped.body) as { token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { steamId, returnTo, headers, servedBy: proxy.served.slice(first) }
}

test('DEPL-2: two servers behind the proxy: sign-in on both, monitoring inside only, streams, one stopped', async () => {
  const services = await startServices()
  const { servers, proxy, simulator, visit, host } = services

  // Monitoring is for the inside.
  for (const path of ['/metrics', '/readyz', '/%6detrics', '/METRICS'])
    expect((await visit(path)).status, path).toBe(404)
  const { url } = servers.web1
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(metrics.status).toBe(200)

  // A sign-in starts on one server and ends on the other, at the public address.
  const me = await signIn(services)
  expect(me.returnTo).toMatch(new RegExp(`^https://${host}/auth/steam/return\\?`))
  expect(new Set(me.servedBy)).toEqual(new Set(['web1:3000', 'web2:3000']))
  expect(me.servedBy[0]).not.toBe(me.servedBy[1])

  // A stream passes, and reports what was changed at the other server.
  const post = (path: string, body: object) =>
    visit(path, { method: 'POST', headers: me.headers, body: JSON.stringify(body) })
  const group = JSON.parse(
    (await post('/api/groups', { name: 'Friday', owner_steam_id: me.steamId })).body,
  ) as { group_id: number }
  const closing = new AbortController()
  const stream = await fetch(`${proxy.url}/api/users/${me.steamId}/events`, {
    headers: me.headers,
    signal: closing.signal,
  })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  let events = ''
  await post('/api/nights', { group_id: group.group_id })
  while (!events.includes('"nights"')) events += (await reader.read()).value
  closing.abort()

  // One server is stopped while people use both: no request is lost, and what runs on it is served.
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  simulator.fail({ endpoint: 'GetFriendList', kind: 'held', until: held })
  simulator.clearCalls()
  while (proxy.served.at(-1) !== 'web2:3000') await visit('/healthz')
  const sync = visit(`/api/users/${me.steamId}/sync_friends`, { method: 'POST', headers: me.headers })
  await expect.poll(() => simulator.callsTo('GetFriendList').length).toBe(1)
  const statuses: number[] = []
  let isDone = false
  const paths = [`/api/users/${me.steamId}/groups`, `/api/users/${me.steamId}/sync_status`, '/healthz']
  const visitors = Array.from({ length: 9 }, async (_, nth) => {
    while (!isDone) statuses.push((await visit(paths[nth % 3]!, { headers: me.headers })).status)
  })
  await expect.poll(() => statuses.length).toBeGreaterThan(50)
  servers.web1.child.kill('SIGTERM')
  const atStop = statuses.length
  await expect.poll(() => statuses.length).toBeGreaterThan(atStop + 100)
  release()
  expect((await sync).status).toBe(200)
  expect(await servers.web1.exit).toBe(0)
  const afterStop = statuses.length
  await expect.poll(() => statuses.length).toBeGreaterThan(afterStop + 50)
  isDone = true
  await Promise.all(visitors)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
