/** Runs the commands for operators as they are run by npm. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { programs } from './postgres.ts'

const ROOT = join(import.meta.dirname, '../..')

export type Ended = { code: number | null; out: string; err: string }

/**
 * Starts `scripts/<name>.mjs`; `child` is there to be killed, and `output` has what it has written so far.
 * @param fileKilobytes maximum size of each file, to simulate a full disk
 * @param root the folder of another release, instead of this one
 */
export function startCommand(
  name: string,
  env: Record<string, string>,
  args: string[] = [],
  { fileKilobytes, root = ROOT }: { fileKilobytes?: number; root?: string } = {},
) {
  const command = [process.execPath, join(root, 'scripts', `${name}.mjs`), ...args]
  const limit = fileKilobytes === undefined ? '' : `trap '' XFSZ; ulimit -f ${fileKilobytes}; `
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$@"`, ...command], {
    env: { PATH: [programs(), process.env.PATH].join(delimiter), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, out: out.trim(), err: err.trim() })),
  )
  return { child, ended, output: () => out + err }
}

/** Runs `scripts/<name>.mjs` until it ends. */
export function runCommand(...parameters: Parameters<typeof startCommand>): Promise<Ended> {
  return startCommand(...parameters).ended
}
