/** Real proxies, with the examples of the documents; only addresses, ports and certificates differ. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { changed, examplesIn, readText } from './documents.ts'
import { temporaryFolder } from './folders.ts'
import { freePort } from './postgres.ts'

/** The public name in the examples. */
export const HOST = 'games.example.org'

/** What a configuration needs to know about this machine. */
type Place = {
  folder: string
  http: number
  https: number
  /** Files of the certificate, and of both in one. */
  crt: string
  key: string
  pem: string
  /** Ports of the servers. */
  servers: readonly string[]
}
type Kind = {
  program: string
  /** The configuration, by the documents. */
  configuration: (place: Place) => string
  args: (file: string, place: Place) => string[]
  env?: (place: Place) => Record<string, string>
}
export type Proxy = { http: number; https: number; ca: string; log: () => string; close: () => Promise<void> }

const upstreams = (servers: readonly string[], line: (port: string) => string) => servers.map(line).join('\n')

/** Caddy listens on other ports, and takes the test's certificate instead of getting one. */
const forCaddy = (text: string, site: string | RegExp, { http, https, crt, key }: Place) =>
  `{
	http_port ${http}
	https_port ${https}
	admin off
}
${changed(text, [[site, `${HOST} {\n\tbind 127.0.0.1\n\ttls ${crt} ${key}\n`]])}`

const caddyArgs = (file: string) => ['run', '--adapter', 'caddyfile', '--config', file]
const caddyHome = ({ folder }: Place) => ({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder })

const DOCUMENT = 'docs/operate/proxies.md'

export const proxies = {
  'nginx, as in proxies.md': {
    program: 'nginx',
    configuration: ({ folder, http, https, crt, key, servers }) => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${changed(examplesIn(DOCUMENT, 'nginx', 'nginx')[0]!, [
    ['server 127.0.0.1:3000;', upstreams(servers, (port) => `server 127.0.0.1:${port};`)],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ', `listen 127.0.0.1:${https} `],
    [`/etc/ssl/${HOST}.crt`, crt],
    [`/etc/ssl/${HOST}.key`, key],
  ])}
}`,
    args: (file, { folder }) => ['-p', folder, '-c', file],
  },
  'Caddy, as in proxies.md': {
    program: 'caddy',
    configuration: (place) =>
      forCaddy(
        changed(examplesIn(DOCUMENT, 'Caddy', 'caddyfile')[0]!, [
          ['127.0.0.1:3000', upstreams(place.servers, (port) => `127.0.0.1:${port}`).replaceAll('\n', ' ')],
        ]),
        `${HOST} {\n`,
        place,
      ),
    args: caddyArgs,
    env: caddyHome,
  },
  'deploy/Caddyfile': {
    program: 'caddy',
    configuration: (place) => forCaddy(readText('deploy/Caddyfile'), /^\{\$SITE:localhost\} \{\n/m, place),
    args: caddyArgs,
    env: (place) => ({
      ...caddyHome(place),
      UPSTREAMS: place.servers.map((port) => `127.0.0.1:${port}`).join(' '),
    }),
  },
} satisfies Record<string, Kind>

/** Starts a proxy on loopback with a certificate of its own; the caller closes it. */
export async function startProxy(name: keyof typeof proxies, servers: readonly string[]): Promise<Proxy> {
  const kind: Kind = proxies[name]
  const folder = temporaryFolder('proxy')
  const file = (ending: string) => join(folder, `${HOST}.${ending}`)
  const place: Place = {
    folder,
    http: await freePort(),
    https: await freePort(),
    crt: file('crt'),
    key: file('key'),
    pem: file('pem'),
    servers,
  }
  const ca = makeCertificate(place)
  const configuration = join(folder, 'configuration')
  writeFileSync(configuration, kind.configuration(place))
  const child = spawn(kind.program, kind.args(configuration, place), {
    cwd: folder,
    env: { PATH: `${process.env.PATH}:/usr/sbin`, ...kind.env?.(place) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += String(text)))
  const gone = once(child, 'close')
  while (!(await listens(place.https))) {
    if (child.exitCode !== null) throw new Error(`${kind.program} ended with ${child.exitCode}: ${log}`)
    await pause(20)
  }
  return {
    ...place,
    ca,
    log: () => log,
    close: async () => {
      // nginx waits for open streams with any other signal.
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeCertificate({ crt, key, pem }: Place): string {
  const { status, stderr } = spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${HOST} -addext subjectAltName=DNS:${HOST} -keyout ${key} -out ${crt}`.split(
      ' ',
    ),
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
  const [certificate, secret] = [crt, key].map((path) => readFileSync(path, 'utf8'))
  writeFileSync(pem, `${certificate}${secret}`)
  return certificate!
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
