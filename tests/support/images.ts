/**
 * Images for the containers of compose.yaml. Where a registry can be reached they are the real ones; elsewhere they are
 * built from Debian's packages, under the same names. They stay in .cache/containers, which has all images and containers of
 * the tests, so that only the first run takes minutes.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, '.cache', 'containers')
const PULL_MS = 300_000
/** The default is more than what a container in a container may have. */
const LIMITS = ['nofile=16384:16384', 'nproc=4096:4096']
const CONFIGURATION = `[containers]
default_ulimits = ${JSON.stringify(LIMITS)}
[engine]
# crun fails where cgroups are hybrid.
runtime = "runc"
cgroup_manager = "cgroupfs"
`

/** Variables and options with which podman uses this folder only. */
export const podmanEnv = () => ({ ...process.env, CONTAINERS_CONF: join(CACHE, 'containers.conf') })
export const podmanOptions = ['--root', join(CACHE, 'storage'), '--runroot', join(CACHE, 'run')]

/** How every image of the tests is built; RUN may use the network of the machine. */
export const BUILD = [
  ...['build', '-q', '--layers', '--format', 'docker', '--network', 'host'],
  ...LIMITS.flatMap((limit) => ['--ulimit', limit]),
]

type Run = { ms?: number }

/** Runs podman; returns its output. @throws Error with what it says when it fails */
export function podman(args: string[], { ms = 600_000 }: Run = {}): string {
  const { status, stdout, stderr, error } = spawnSync('podman', [...podmanOptions, ...args], {
    env: podmanEnv(),
    encoding: 'utf8',
    timeout: ms,
    maxBuffer: 2 ** 26,
  })
  if (status !== 0)
    throw new Error(`podman ${args.join(' ')} failed: ${error?.message ?? ''} ${stderr.slice(-2000)}`)
  return stdout.trim()
}

const has = (image: string) =>
  spawnSync('podman', [...podmanOptions, 'image', 'exists', image], { env: podmanEnv() }).status === 0

/** Makes sure of these images. Returns which were made here, because no registry has answered. */
export function ensureImages(names: (keyof typeof SUBSTITUTES)[]): string[] {
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, 'containers.conf'), CONFIGURATION)
  return names.filter((name) => {
    const image = `docker.io/library/${name}`
    if (has(image))
      return podman(['image', 'inspect', '--format', '{{.Labels}}', image]).includes('substitute')
    try {
      podman(['pull', '-q', image], { ms: PULL_MS })
      return false
    } catch {
      buildFrom(image, SUBSTITUTES[name]())
      return true
    }
  })
}

/** Builds an image of the tests from the text of a Dockerfile, with a folder of files. */
export function buildFrom(image: string, { text, folder }: { text: string; folder?: string }): void {
  const context = folder ?? join(CACHE, 'empty')
  mkdirSync(context, { recursive: true })
  writeFileSync(join(context, 'Dockerfile'), text)
  podman([...BUILD, '-t', image, context])
}

/** A minimal Debian. */
function debian(): string {
  const image = 'localhost/debian'
  if (has(image)) return image
  const folder = join(CACHE, 'debian')
  rmSync(folder, { recursive: true, force: true })
  const made = spawnSync(
    'debootstrap',
    ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', folder],
    {
      encoding: 'utf8',
    },
  )
  if (made.status !== 0) throw new Error(`debootstrap failed: ${made.stdout.slice(-1000)} ${made.stderr}`)
  const archive = `${folder}.tar`
  execFileSync('tar', [
    '--exclude=./var/cache/apt/archives/*.deb',
    '--exclude=./var/lib/apt/lists/*',
    '-C',
    folder,
    '-cf',
    archive,
    '.',
  ])
  podman(['import', '-q', archive, image])
  rmSync(folder, { recursive: true })
  rmSync(archive)
  return image
}

const INSTALL = 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends'

const SUBSTITUTES = {
  /** The pinned Node, npm, and the user of the real image. */
  'node:24-slim': () => {
    const folder = join(CACHE, 'node')
    mkdirSync(folder, { recursive: true })
    cpSync(realpathSync(process.execPath), join(folder, 'node'))
    const npm = execFileSync('sh', ['-c', 'realpath "$(command -v npm)"'], { encoding: 'utf8' }).trim()
    if (!existsSync(join(folder, 'npm')))
      cpSync(dirname(dirname(npm)), join(folder, 'npm'), { recursive: true })
    return {
      folder,
      text: `FROM ${debian()}
LABEL substitute=1
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
CMD ["node"]`,
    }
  },
  'caddy:2': () => ({
    text: `FROM ${debian()}
LABEL substitute=1
RUN apt-get update -qq && ${INSTALL} caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]`,
  }),
  /** With the variables of the real image that compose.yaml uses. */
  'postgres:17': () => {
    const folder = join(CACHE, 'postgres')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'start'), START_POSTGRES)
    return {
      folder,
      text: `FROM ${debian()}
LABEL substitute=1
RUN apt-get update -qq && ${INSTALL} postgresql && rm -rf /var/lib/postgresql/* && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/
ENV PGDATA=/var/lib/postgresql/data
COPY start /usr/local/bin/start
CMD ["sh", "/usr/local/bin/start"]`,
    }
  },
}

/** A machine with systemd. */
export const ensureSystemd = (): string => {
  const image = 'localhost/systemd'
  if (!has(image))
    buildFrom(image, {
      text: `FROM ${debian()}
RUN apt-get update -qq && ${INSTALL} systemd systemd-sysv dbus`,
    })
  return image
}

const START_POSTGRES = `set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  chown postgres "$PGDATA" /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups sh "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_USER" | postgres --single -D "$PGDATA" postgres
fi
exec postgres -c listen_addresses='*'
`
