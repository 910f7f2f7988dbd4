/** Runs the server as a separate process, for tests that kill it or read its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePort } from './postgres.ts'

const MAIN = join(import.meta.dirname, '../../src/server/main.ts')
/** Where Node keeps compiled code: almost half of a start would be compiling the same modules again. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** How the process is run. */
type Limits = {
  /** Maximum size of each file, to simulate a full disk. */
  fileKilobytes?: number
  /** The program, instead of the server's. */
  main?: string
  /** The file that its output is appended to, instead of pipes that are read here. */
  logFile?: string
  /** Run by `npm start` in a process group of its own, as from a terminal. */
  npm?: boolean
}

/** Starts the server for one test, at whose end it is killed. */
export async function startProcess(env: Record<string, string>, limits?: Limits) {
  const server = await startLastingProcess(env, limits)
  onTestFinished(() => void server.child.kill('SIGKILL'))
  return server
}

/**
 * Starts `src/server/main.ts` with these variables on a free port; resolves when it serves requests. `stop` resolves with
 * its exit code.
 */
export async function startLastingProcess(env: Record<string, string>, limits: Limits = {}) {
  const port = env.PORT ?? String(await freePort())
  const child = launch({ PORT: port, ...env }, limits)
  const url = `http://localhost:${port}`
  const output = outputOf(child, limits.logFile)
  await Promise.race([
    ready(child, output),
    exitOf(child).then((code) => {
      throw new Error(`the server ended with ${code}: ${output()}`)
    }),
  ])
  const exit = exitOf(child)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exit
  }
  return { url, port, child, output, exit, stop }
}

/** Runs the server until it exits; for starts that must fail. */
export async function runProcess(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = launch(env)
  const output = outputOf(child)
  return { code: await exitOf(child), output: output() }
}

function launch(
  env: Record<string, string>,
  { fileKilobytes, logFile, npm = false, main = MAIN }: Limits = {},
): ChildProcess {
  const [command, args] = npm
    ? ['npm', ['start', '--silent']]
    : fileKilobytes === undefined
      ? [process.execPath, [main]]
      : ['bash', ['-c', `ulimit -f ${fileKilobytes}; exec "$0" "$@"`, process.execPath, main]]
  const output = logFile === undefined ? 'pipe' : openSync(logFile, 'a')
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['ignore', output, output],
    detached: npm,
  })
  if (output !== 'pipe') closeSync(output)
  return child
}

function outputOf(child: ChildProcess, logFile?: string): () => string {
  if (logFile !== undefined) return () => readFileSync(logFile, 'utf8')
  let text = ''
  child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('close', (code) => resolve(code)))
}

/**
 * Resolves when the server says that it is ready. Polling its port could find another process there that was started at
 * the same moment.
 */
async function ready(child: ChildProcess, output: () => string): Promise<void> {
  const READY = 'Shelfmates is ready'
  if (!child.stdout) return expect.poll(output, { timeout: 120_000 }).toContain(READY)
  await new Promise<void>((resolve) => {
    child.stdout!.on('data', () => output().includes(READY) && resolve())
  })
}
