/**
 * DEPL-2: the image is built and run by both compose files, with the commands of docs/operate. `npm test -- image` installs
 * what it needs; it takes minutes the first time.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { contract as api } from '#shared/contract/index.ts'
import { type Project, sizeBeside, startProject } from '../support/compose.ts'
import { changed, examplesIn, readText } from '../support/documents.ts'
import { http2Client } from '../support/http2.ts'
import { ensureImages, podman } from '../support/images.ts'
import { freePort } from '../support/postgres.ts'
import { makeCalls } from '../support/product.ts'
import { type Send, signInByPages } from '../support/sign-in.ts'

const TIMEOUT = { timeout: 900_000 }
const ORIGIN = 'https://localhost'
const KEY = 'image-key-0123456789'
const IMAGE = 'docker.io/library/shelfmates'
const STEAM = 'http://172.30.0.50:4000'
const [DEPLOY, BACKUP, UPGRADE] = ['deploy', 'backup', 'upgrade'].map(
  (name) => `docs/operate/${name}.md`,
) as [string, string, string]

type Service = {
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  mem_limit: string
  pids_limit: number
}

let project: Project
let https: number
beforeAll(async () => {
  const substitutes = ensureImages(['node:24-slim', 'caddy:2', 'postgres:17'])
  if (substitutes.length > 0) console.log(`built from Debian's packages: ${substitutes.join(', ')}`)
  project = await startProject()
  https = await freePort()
  const http = await freePort()
  // What differs on this machine: the ports, a simulator in place of Steam, and a limit that podman would else raise.
  for (const name of ['compose.yaml', 'compose.demo.yaml'])
    writeFileSync(
      join(project.folder, name),
      changed(readText(name), [
        ["'80:80', '443:443', '443:443/udp'", `'127.0.0.1:${http}:80', '127.0.0.1:${https}:443'`],
        // What podman adds to a network; docker-compose 1.29 would take it for a change.
        ['ipam: { config:', 'ipam: { options: { driver: host-local }, config:'],
        ['ulimits: { nofile: 16384 }', 'ulimits: { nofile: 16384, nproc: 4096 }'],
      ]),
    )
  const web = { environment: { STEAM_API_URL: STEAM, STEAM_OPENID_URL: `${STEAM}/openid/login` } }
  writeFileSync(
    join(project.folder, 'compose.override.yaml'),
    JSON.stringify({
      services: {
        web1: web,
        web2: web,
        steam: {
          image: 'shelfmates',
          command: `node src/simulator/main.ts --host 172.30.0.50 --port 4000 --key ${KEY}`,
          networks: { default: { ipv4_address: '172.30.0.50' } },
        },
      },
    }),
  )
}, TIMEOUT.timeout)
afterAll(() => project?.close(), TIMEOUT.timeout)

/** The commands of a document, for a site whose certificate Caddy makes itself. */
const commands = (path: string, heading: string, nth = 0) => examplesIn(path, heading, 'sh')[nth]!
const here = (text: string) => changed(text, [[/SITE=[\w.]+/, 'SITE=localhost']])

async function browser(file = ''): Promise<Send> {
  const ca = await project.sh(
    `docker compose ${file} exec -T proxy cat /data/caddy/pki/authorities/local/root.crt`,
  )
  const { send, close } = http2Client({ origin: ORIGIN, port: https, ca, from: '127.0.0.1' })
  onTestFinished(close)
  return send
}

async function signIn(send: Send) {
  const { steamId, token } = await signInByPages(ORIGIN, send)
  return { steamId, ...makeCalls(ORIGIN, token, send) }
}

type Person = Awaited<ReturnType<typeof signIn>>
const createGroup = ({ call, steamId }: Person, name: string) =>
  call(api.groups.create, {}, { name, owner_steam_id: steamId })
const groupNames = async ({ call, steamId }: Person) =>
  (await call(api.groups.list, { steamId })).groups.map(({ name }) => name)

/** A container runs with the rights and limits of its compose file. */
function expectHardened(file: string, service: string): void {
  const { services } = parse(readText(file), { merge: true }) as { services: Record<string, Service> }
  const wanted = services[service]!
  const [inspected] = JSON.parse(podman(['inspect', project.container(service)])) as [
    { HostConfig: { ReadonlyRootfs: boolean; Memory: number; PidsLimit: number } },
  ]
  const { ReadonlyRootfs, Memory, PidsLimit } = inspected.HostConfig
  expect({ ReadonlyRootfs, Memory, PidsLimit }).toEqual({
    ReadonlyRootfs: wanted.read_only,
    Memory: Number.parseInt(wanted.mem_limit, 10) * 2 ** 30,
    PidsLimit: wanted.pids_limit,
  })
  const inside = (...args: string[]) => podman(['exec', project.container(service), ...args])
  const status = inside('cat', '/proc/1/status')
  expect(wanted.cap_drop).toEqual(['ALL'])
  expect(status).toMatch(/^CapEff:\t0+$/m)
  expect(wanted.security_opt).toEqual(['no-new-privileges:true'])
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  expect(status).toMatch(/^Uid:\t1000\t/m)
  expect(() => inside('touch', '/app/x')).toThrow('Read-only file system')
}

/** Stops a container as Compose does; it ends by itself, with 0. */
async function expectStop(file: string, service: string): Promise<void> {
  await project.sh(`docker compose ${file} stop ${service}`)
  expect(podman(['inspect', '--format', '{{.State.ExitCode}}', project.container(service)])).toBe('0')
}

test('DEPL-2: compose.yaml: start, backup, restore, upgrade and way back', TIMEOUT, async () => {
  onTestFinished(() => project.sh('docker compose down -v').then(() => {}))
  const deploying = performance.now()
  await project.sh(here(commands(DEPLOY, 'Containers')), { input: KEY })
  const megabytes = sizeBeside(IMAGE, 'docker.io/library/node:24-slim') / 1e6
  console.log(
    `compose.yaml: up after ${seconds(deploying)} s; the image has ${megabytes.toFixed(1)} MB beside its base`,
  )
  expect(megabytes).toBeLessThanOrEqual(90)
  expect(podman(['run', '--rm', IMAGE, 'sh', '-c', 'ls /usr/local/bin /usr/local/lib'])).not.toMatch(
    /npm|node_modules/,
  )
  for (const service of ['web1', 'web2']) expectHardened('compose.yaml', service)

  const send = await browser()
  expect((await send(`${ORIGIN}/`)).status).toBe(200)
  for (const path of ['/metrics', '/readyz']) expect((await send(ORIGIN + path)).status).toBe(404)
  const person = await signIn(send)
  await createGroup(person, 'Before')

  await project.sh(commands(BACKUP, 'In containers'))
  await createGroup(person, 'After')
  const [file] = (await project.sh('ls backups')).trim().split('\n')
  expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.pgdump$/)
  await project.sh(changed(commands(BACKUP, 'In containers', 1), [[/^BACKUP=.*/, `BACKUP=${file}`]]))
  await expect.poll(async () => (await send(`${ORIGIN}/healthz`)).status).toBe(200)
  // The session was there before the backup.
  expect(await groupNames(person)).toEqual(['Before'])

  // A new version.
  const before = podman(['image', 'inspect', '--format', '{{.Id}}', IMAGE])
  const upgrading = performance.now()
  await project.sh(
    changed(commands(UPGRADE, 'Containers'), [['git pull', "echo '// new' >>src/server/main.ts"]]),
  )
  console.log(`upgraded after ${seconds(upgrading)} s`)
  const running = () =>
    ['web1', 'web2'].map((name) => podman(['inspect', '--format', '{{.Image}}', project.container(name)]))
  expect(running()).not.toContain(before)
  await expect.poll(async () => (await send(`${ORIGIN}/healthz`)).status).toBe(200)
  expect(await groupNames(person)).toEqual(['Before'])
  await project.sh(commands(UPGRADE, 'Containers', 1))
  expect(running()).toEqual([before, before])
  await expect.poll(async () => (await send(`${ORIGIN}/healthz`)).status).toBe(200)
  expect(await groupNames(person)).toEqual(['Before'])
  await expectStop('', 'web1')
})

test('DEPL-2: compose.demo.yaml is started, signed in to, backed up and restored', TIMEOUT, async () => {
  await project.sh(here(commands(DEPLOY, 'Containers', 1)))
  const file = '-f compose.demo.yaml'
  expectHardened('compose.demo.yaml', 'web')
  const send = await browser(file)
  const person = await signIn(send)
  await createGroup(person, 'Before')
  const made = await project.sh(commands(BACKUP, 'In containers', 2))
  await createGroup(person, 'After')
  await project.sh(changed(commands(BACKUP, 'In containers', 3), [[/\/data\/backups\/\S+/, made.trim()]]))
  await expect.poll(async () => (await send(`${ORIGIN}/healthz`)).status).toBe(200)
  const names = await groupNames(person)
  expect(names).toContain('Before')
  expect(names).not.toContain('After')
  await expectStop(file, 'web')
})

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(0)
