/** Servers of earlier releases, from the history of the repository. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './folders.ts'

/** The commit of the previous release; change it with each release (CONTRIBUTING.md). */
const PREVIOUS = '2a22716874d40dd48d44a998450c621e7d4066c9'
const ROOT = join(import.meta.dirname, '../..')
const NEEDED = ['package.json', 'package-lock.json', 'scripts', 'src/server', 'src/shared', 'src/simulator']

/**
 * Unpacks a release, the previous one by default, with its packages; the caller removes the folder. `missing` says why it
 * cannot: the history is not there, as in a shallow clone.
 */
export function previousRelease(commit = PREVIOUS): { folder: string } | { missing: string } {
  let lock: string
  try {
    lock = git('show', `${commit}:package-lock.json`).toString()
  } catch {
    return { missing: `the history does not have ${commit.slice(0, 7)}` }
  }
  const folder = temporaryFolder('previous')
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit, ...NEEDED) })
  const isThis = lock === readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  symlinkSync(join(isThis ? ROOT : installed(folder, lock), 'node_modules'), join(folder, 'node_modules'))
  return { folder }
}

/** A folder with the packages of a lock file, which are installed once. */
function installed(release: string, lock: string): string {
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 12)
  const folder = join(ROOT, '.cache', 'releases', name)
  const stamp = join(folder, 'installed')
  if (existsSync(stamp)) return folder
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    writeFileSync(join(folder, file), readFileSync(join(release, file)))
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit'], {
    cwd: folder,
    stdio: 'ignore',
  })
  writeFileSync(stamp, '')
  return folder
}

function git(...parameters: string[]): Buffer {
  return execFileSync('git', parameters, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
