/**
 * DEPL-3: the service of deploy/, installed and run under a real systemd with the commands of docs/operate. The systemd is
 * in a container (systemd-nspawn) that shares the network of this machine. `npm test -- service` installs what it needs.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contract as api } from '#shared/contract/index.ts'
import { changed, examplesIn } from '../support/documents.ts'
import { temporaryFolder } from '../support/folders.ts'
import { ensureImages, ensureSystemd, podman } from '../support/images.ts'
import { freePort } from '../support/postgres.ts'
import { makeCalls } from '../support/product.ts'
import { signInByPages } from '../support/sign-in.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TIMEOUT = { timeout: 900_000 }
const [DEPLOY, BACKUP, UPGRADE] = ['deploy', 'backup', 'upgrade'].map(
  (name) => `docs/operate/${name}.md`,
) as [string, string, string]
const command = (path: string, nth: number) =>
  examplesIn(path, path === BACKUP ? 'As a service' : 'A service', 'sh')[nth]!

/** The root folder of the machine that systemd runs. */
let machine: string
let leader: string
let stopMachine = async () => {}
let url: string

/** Runs commands in the machine as its root. */
function inside(commands: string): string {
  const { status, stdout, stderr } = spawnSync(
    'nsenter',
    ['--target', leader, '--all', '--root', '--wd', 'bash', '-ec', commands],
    { encoding: 'utf8', env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } },
  )
  if (status !== 0) throw new Error(`exit code ${status} of\n${commands}\n${stdout}${stderr}`)
  return stdout
}

/** Installs this version into the machine with npm of this one. */
function install(): void {
  const repository = temporaryFolder('repository', { onDisk: true })
  for (const name of ['package.json', 'package-lock.json', 'vite.config.ts', 'scripts', 'src', 'deploy'])
    cpSync(join(ROOT, name), join(repository, name), { recursive: true })
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@localhost']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...author, 'commit', '-qm', 'All'],
  ])
    execFileSync('git', args, { cwd: repository })
  const commands = changed(command(DEPLOY, 1), [[/\/opt\//g, `${machine}/opt/`]])
  execFileSync('bash', ['-ec', commands], {
    env: {
      ...process.env,
      REPOSITORY: `file://${repository}`,
      npm_config_prefer_offline: 'true',
      // Without the value that the tests have.
      NODE_ENV: undefined,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(repository, { recursive: true })
}

const isUp = () =>
  expect
    .poll(
      () =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200)
const property = (name: string) => inside(`systemctl show --value --property ${name} shelfmates`).trim()

beforeAll(async () => {
  ensureImages([])
  machine = temporaryFolder('machine', { onDisk: true })
  const container = podman(['create', ensureSystemd(), '/sbin/init'])
  podman(['export', '-o', `${machine}.tar`, container])
  podman(['rm', container])
  execFileSync('tar', ['-xf', `${machine}.tar`, '-C', machine])
  // A temporary folder is open to its owner only, but every user of the machine must see its root.
  chmodSync(machine, 0o755)
  rmSync(`${machine}.tar`)
  const nspawn = spawn(
    'systemd-nspawn',
    ['--directory', machine, '--boot', '--register=no', '--keep-unit', '--quiet', '--console=pipe'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const gone = once(nspawn, 'close')
  stopMachine = async () => {
    // The first asks the machine to halt, the second ends it at once; the service has been stopped by then.
    const asking = setInterval(() => nspawn.kill('SIGTERM'), 1000)
    await gone
    clearInterval(asking)
    rmSync(machine, { recursive: true, force: true })
  }
  const children = () => readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, 'utf8').trim()
  // The first child is not yet the machine's first process.
  const isBooted = () => {
    leader = /^\d+/.exec(children())![0]
    inside('test -S /run/dbus/system_bus_socket')
  }
  await vi.waitFor(isBooted, { timeout: 120_000, interval: 200 })
  expect(inside('systemctl is-system-running --wait').trim()).toBe('running')
}, TIMEOUT.timeout)
afterAll(() => stopMachine(), TIMEOUT.timeout)

test('DEPL-3: the service: installation, rights, crash, upgrade and way back', TIMEOUT, async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  inside(command(DEPLOY, 0))
  install()
  const size = (name: string) =>
    Number.parseInt(
      execFileSync('du', ['-sm', join(machine, 'opt/shelfmates/0.1.0', name)], { encoding: 'utf8' }),
      10,
    )
  // Not in one call: what is counted once is left out of the rest.
  const [all, packages, node] = ['', 'node_modules', 'bin'].map(size) as [number, number, number]
  console.log(`installed: ${all} MB, of it packages ${packages}, Node ${node}`)
  expect(packages).toBeLessThan(100)
  writeFileSync(join(machine, 'etc/shelfmates.env'), `PORT=${port}\n`)
  // The copies of the units are made in the machine, where the link is valid.
  console.log(inside(command(DEPLOY, 2)))
  await isUp()
  expect(inside('journalctl -u shelfmates --no-pager')).toContain('Shelfmates is ready')

  const pid = property('MainPID')
  const status = inside(`cat /proc/${pid}/status /proc/${pid}/limits`)
  expect(status).toMatch(/^CapEff:\t0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  expect(status).toMatch(/^Seccomp:\t2$/m)
  expect(status).toMatch(/^Max open files +16384 +16384/m)
  expect(inside(`stat -c %U /proc/${pid}`).trim()).toBe('shelfmates')
  expect(inside('stat -c "%U %a" /var/lib/shelfmates').trim()).toBe('shelfmates 700')
  expect(inside('stat -c "%U %a" /etc/shelfmates.env').trim()).toBe('root 600')
  inside('systemd-analyze verify /etc/systemd/system/shelfmates*')
  console.log(inside('systemd-analyze security --no-pager --threshold=20 shelfmates | tail -1').trim())

  const { steamId, token } = await signInByPages(url)
  const { call } = makeCalls(url, token)
  const create = (name: string) => call(api.groups.create, {}, { name, owner_steam_id: steamId })
  const names = async () => (await call(api.groups.list, { steamId })).groups.map(({ name }) => name)
  await create('Before')
  inside(`kill -9 ${pid}`)
  await expect.poll(() => property('MainPID'), { timeout: 30_000 }).not.toBeOneOf([pid, '0'])
  await isUp()
  expect(await names()).toContain('Before')

  // Upgrade and back: people stay signed in.
  inside(command(UPGRADE, 0))
  const backups = readdirSync(join(machine, 'var/lib/shelfmates/backups'))
  expect(backups).toEqual([expect.stringMatching(/\.sqlite\.gz$/)])
  const copied = join(machine, 'opt/shelfmates/0.2.0')
  cpSync(join(machine, 'opt/shelfmates/0.1.0'), copied, { recursive: true, verbatimSymlinks: true })
  inside('ln -sfn 0.2.0 /opt/shelfmates/current')
  inside(command(UPGRADE, 1))
  await isUp()
  expect(inside(`readlink /proc/${property('MainPID')}/cwd`).trim()).toBe('/opt/shelfmates/0.2.0')
  await create('After')
  inside(command(UPGRADE, 2))
  await isUp()
  expect(inside(`readlink /proc/${property('MainPID')}/cwd`).trim()).toBe('/opt/shelfmates/0.1.0')
  expect(await names()).toEqual(expect.arrayContaining(['Before', 'After']))

  inside(changed(command(BACKUP, 0), [[/backups\/\S+/, `backups/${backups[0]}`]]))
  await isUp()
  expect(await names()).toContain('Before')
  expect(await names()).not.toContain('After')

  inside('systemctl stop shelfmates')
  expect([property('ExecMainStatus'), property('Result')]).toEqual(['0', 'success'])
})
