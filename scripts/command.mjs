/** What the commands for backups and moves share: their options, and errors as one sentence. */
import './node-version.mjs'
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Errors whose message is a sentence for the operator. */
const EXPECTED = ['StorageError', 'ConfigError', 'UsageError']

/** A mistake in the command line or in a variable of a command. */
export class UsageError extends Error {
  name = 'UsageError'
}

/** Runs the command of this name in package.json; an error ends the process with its sentence and exit code 1. */
export async function runCommand(name, command) {
  // Files are created readable by their owner only.
  process.umask(0o077)
  // An exit instead of death by the signal, so that unfinished files are removed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      console.error(`npm run ${name} was ended by ${signal}.`)
      process.exit(1)
    })
  try {
    await command()
  } catch (error) {
    console.error(EXPECTED.includes(error.name) ? error.message : `npm run ${name} failed: ${error.message}`)
    process.exit(1)
  }
}

/**
 * As root, becomes the owner of the data folder, so that the server can use what the command creates there. Files that only
 * root can read are opened before.
 */
export function becomeOwnerOf(dataDir) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  if (uid === 0) return
  process.setgroups([gid])
  process.setgid(gid)
  process.setuid(uid)
}

/** Reads the command line; `usage` is printed with --help, and after a mistake. */
export function readArguments(usage, config) {
  let parsed
  try {
    parsed = parseArgs({ ...config, options: { ...config.options, help: { type: 'boolean' } } })
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${usage}`, { cause: error })
  }
  if (parsed.values.help) {
    console.log(usage)
    process.exit(0)
  }
  return parsed
}
