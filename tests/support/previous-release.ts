/** The server of the release before this one, from the history of the repository. */
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './folders.ts'

/** The commit of the previous release; change it with each release (CONTRIBUTING.md). */
const PREVIOUS = 'f40f9d70ff118b289880672d009c258357b53eb7'
const ROOT = join(import.meta.dirname, '../..')
const NEEDED = ['package.json', 'src/server', 'src/shared', 'src/simulator']

/**
 * Unpacks the previous release with the packages of this one; the caller removes the folder. `missing` says why it cannot:
 * the history is not there, as in a shallow clone, or the release needs other packages.
 */
export function previousRelease(): { folder: string } | { missing: string } {
  let lock: string
  try {
    lock = git('show', `${PREVIOUS}:package-lock.json`).toString()
  } catch {
    return { missing: `the history does not have ${PREVIOUS.slice(0, 7)}` }
  }
  if (lock !== readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    return { missing: `${PREVIOUS.slice(0, 7)} has other packages` }
  const folder = temporaryFolder('previous')
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', PREVIOUS, ...NEEDED) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return { folder }
}

function git(...parameters: string[]): Buffer {
  return execFileSync('git', parameters, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
