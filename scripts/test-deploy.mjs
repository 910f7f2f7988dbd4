/**
 * The ways to deploy that docs/operate describes, really run: steps of scripts/test.mjs. Each returns why it is skipped,
 * where it cannot run.
 */
import { join } from 'node:path'
import { ensurePages, ensurePostgres, ensurePrograms, environment, root, run } from './prepare.mjs'

/** Runs a file of tests/deploy, unless a program is missing. */
function deployTest(name, packages, { asRoot = false } = {}) {
  const missing = asRoot && process.getuid?.() !== 0 ? 'only root can run it' : ensurePrograms(packages)
  if (missing) return missing
  ensurePages()
  const env = { ...environment(), POSTGRES_BIN: ensurePostgres() ?? '' }
  run(
    join(root, 'node_modules', '.bin', 'vitest'),
    ['run', '--project', 'server', '--disable-console-intercept=true', `tests/deploy/${name}.test.ts`],
    { env },
  )
  return undefined
}

/** DEPL-1: proxies in front of servers, on loopback. */
export const testProxies = () => deployTest('proxies', { nginx: 'nginx', caddy: 'caddy', openssl: 'openssl' })

const CONTAINERS = { podman: 'podman', runc: 'runc', debootstrap: 'debootstrap' }

/** DEPL-2: the image, by both compose files, on podman. */
export const testImage = () =>
  deployTest(
    'image',
    {
      ...CONTAINERS,
      buildah: 'buildah',
      iptables: 'iptables',
      '/usr/lib/podman/netavark': 'netavark',
      '/usr/lib/podman/aardvark-dns': 'aardvark-dns',
      'docker-compose': 'docker-compose',
      openssl: 'openssl',
    },
    { asRoot: true },
  )

/** DEPL-3: the service, under a systemd in a container. */
export const testService = () =>
  deployTest(
    'service',
    { ...CONTAINERS, 'systemd-nspawn': 'systemd-container', git: 'git', nsenter: 'util-linux' },
    { asRoot: true },
  )
