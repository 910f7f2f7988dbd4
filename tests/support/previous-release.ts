/** The server of the release before this one, from the history of the repository. */
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './folders.ts'

/** The commit of the previous release; change it with each release (CONTRIBUTING.md). */
const PREVIOUS = '2a22716874d40dd48d44a998450c621e7d4066c9'
const ROOT = join(import.meta.dirname, '../..')
const NEEDED = ['package.json', 'package-lock.json', 'src/server', 'src/shared', 'src/simulator']

/**
 * Unpacks the previous release with its packages, which are installed unless they are those of this one; the caller removes
 * the folder. `missing` says why it cannot: the history is not there, as in a shallow clone.
 */
export function previousRelease(): { folder: string } | { missing: string } {
  let lock: string
  try {
    lock = git('show', `${PREVIOUS}:package-lock.json`).toString()
  } catch {
    return { missing: `the history does not have ${PREVIOUS.slice(0, 7)}` }
  }
  const folder = temporaryFolder('previous')
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', PREVIOUS, ...NEEDED) })
  if (lock === readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  else
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit'], {
      cwd: folder,
      stdio: 'ignore',
    })
  return { folder }
}

function git(...parameters: string[]): Buffer {
  return execFileSync('git', parameters, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
