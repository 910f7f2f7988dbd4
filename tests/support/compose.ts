/** The compose files, run by docker-compose on podman, with the commands of the documents. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { BUILD, podman, podmanEnv, podmanOptions } from './images.ts'
import { temporaryFolder } from './folders.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HEALTH_EVERY_MS = 1000
const BUILT_FROM = [
  ...['package.json', 'package-lock.json', 'vite.config.ts', 'scripts', 'src', 'Dockerfile', '.dockerignore'],
  ...['compose.yaml', 'compose.demo.yaml', 'deploy'],
]

export type Project = Awaited<ReturnType<typeof startProject>>

/** Builds the image from a folder, with npm's settings and cache of this machine, which are not in the image then. */
function buildCommand(folder: string, settings: string): string[] {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  return [
    ...BUILD,
    ...['--volume', `${settings}:/usr/local/etc/npmrc:ro`, '--volume', `${cache}:/var/cache/npm`],
    ...(certificates ? ['--volume', `${certificates}:/etc/npm-ca.pem:ro`] : []),
    ...['-t', 'docker.io/library/shelfmates', folder],
  ]
}

/**
 * A folder with what an operator has cloned, and `sh`, which runs commands there. They find a `docker` that is
 * docker-compose for `compose`, and podman for the rest. The caller closes it, which removes its containers.
 */
export async function startProject() {
  const folder = temporaryFolder('compose', { onDisk: true })
  for (const name of BUILT_FROM) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  const [bin, settings, socket] = ['bin', 'npmrc', 'podman.sock'].map((name) => `${folder}-${name}`) as [
    string,
    string,
    string,
  ]
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  writeFileSync(
    settings,
    `registry=${registry}\ncache=/var/cache/npm\nprefer-offline=true\n${process.env.NODE_EXTRA_CA_CERTS ? 'cafile=/etc/npm-ca.pem\n' : ''}`,
  )
  mkdirSync(bin)
  const own = ['podman', ...podmanOptions].join(' ')
  const build = `${own} ${buildCommand(folder, settings).join(' ')}`
  writeFileSync(
    join(bin, 'docker'),
    `#!/bin/bash
set -e
case "$1 $2" in
  'compose build') exec ${build} ;;
  'tag '*) exec ${own} tag "docker.io/library/$2" "docker.io/library/$3" ;;
  'compose '*)
    shift
    if [[ " $* " = *' --build '* ]]; then ${build}; fi
    exec docker-compose "\${@/--build/--no-build}" ;;
  *) exec ${own} "$@" ;;
esac
`,
  )
  chmodSync(join(bin, 'docker'), 0o755)
  const env = {
    ...podmanEnv(),
    PATH: [bin, process.env.PATH].join(delimiter),
    DOCKER_HOST: `unix://${socket}`,
    COMPOSE_PROJECT_NAME: 'shelfmates-test',
  }
  const service = spawn('podman', [...podmanOptions, 'system', 'service', '--time=0', `unix://${socket}`], {
    env,
    stdio: 'ignore',
  })
  while (!existsSync(socket)) await pause(50)

  /** Podman asks containers for their health by timers of systemd; where there is none, this does. */
  const health = setInterval(() => {
    const listed = spawnSync('podman', [...podmanOptions, 'ps', '-q', '--filter', 'name=shelfmates-test'], {
      env,
      encoding: 'utf8',
    })
    for (const id of (listed.stdout ?? '').split('\n').filter(Boolean))
      spawn('podman', [...podmanOptions, 'healthcheck', 'run', id], { env, stdio: 'ignore' })
  }, HEALTH_EVERY_MS)

  /** Runs commands as they stand in a document; returns what they print. @throws Error when one fails */
  async function sh(commands: string, { input = '' } = {}): Promise<string> {
    const child = spawn('bash', ['-ec', commands], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const [code] = (await once(child, 'close')) as [number]
    if (code !== 0) throw new Error(`exit code ${code} of\n${commands}\n${output}`)
    return output
  }

  return {
    folder,
    sh,
    /** A container's name. */
    container: (name: string) => `shelfmates-test_${name}_1`,
    close: async () => {
      clearInterval(health)
      for (const file of ['compose.yaml', 'compose.demo.yaml'])
        await sh(`SITE=localhost docker compose -f ${file} down -v --remove-orphans`).catch(() => '')
      const gone = once(service, 'close')
      service.kill('SIGTERM')
      await gone
      for (const path of [folder, bin, settings, socket]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Bytes of an image beside another one that it is made from. */
export function sizeBeside(image: string, base: string): number {
  const size = (name: string) => Number(podman(['image', 'inspect', '--format', '{{.Size}}', name]))
  return size(image) - size(base)
}
