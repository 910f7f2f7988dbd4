/** The servers of the benchmarks, in processes of their own: the product (server.ts) and the bare server (bare.ts). */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import * as prettier from 'prettier'
import type { BareMessage, RecordedResponse } from './bare.ts'
import type { Method } from './load-requests.ts'

const DOCUMENT = 'docs/performance.md'

/**
 * Prints the table of a run, below its date, version, machine and settings, and writes it to `reports/{name}.json`. With
 * `BENCH_WRITE=1` it also takes the place of what stands between the comments of that name in docs/performance.md.
 * @param rows all with the same keys, which are the heads of the columns
 */
export async function report(
  name: string,
  settings: string,
  rows: readonly Record<string, string | number>[],
): Promise<void> {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
  const run = `${date}, ${commit}, ${machine}, load ${loadavg()[0]!.toFixed(1)}`
  const heads = Object.keys(rows[0]!)
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const table = [heads, heads.map(() => '---'), ...rows.map((row) => Object.values(row))].map(line).join('\n')
  const text = `${run}.\n${settings}.\n\n${table}\n`
  console.log(`\n${text}`)
  mkdirSync('reports', { recursive: true })
  writeFileSync(`reports/${name}.json`, JSON.stringify({ run, settings, rows }, null, 2))
  if (process.env.BENCH_WRITE !== '1') return
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const before = readFileSync(DOCUMENT, 'utf8')
  const after = `${before.slice(0, before.indexOf(start))}${start}\n\n${text}\n${before.slice(before.indexOf(end))}`
  const options = await prettier.resolveConfig(DOCUMENT)
  writeFileSync(DOCUMENT, await prettier.format(after, { ...options, filepath: DOCUMENT }))
}

export type Server = { process: ChildProcess; url: string }

/** Starts a script of this folder; it ends when it is disconnected, or with this process. */
export async function child(script: string, env: Record<string, string>): Promise<Server> {
  const started = fork(join(import.meta.dirname, script), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    started.once('message', (message) => resolve(message as { port: number }))
    started.once('exit', (code) => reject(new Error(`${script} exited with ${code}`)))
  })
  return { process: started, url: `http://127.0.0.1:${port}` }
}

type Usage = { rss: number; cpuMs: number }

/** Resident memory in bytes, and CPU time since the start. */
export async function usageOf({ process: server }: Pick<Server, 'process'>): Promise<Usage> {
  const usage = new Promise<Usage>((resolve) => server.once('message', resolve))
  server.send('usage')
  return usage
}

export async function cpuMsOf(server: Server): Promise<number> {
  return (await usageOf(server)).cpuMs
}

/** `method`: GET by default. */
export type RecordedRequest = {
  method?: Method
  path: string
  headers: Record<string, string>
  body?: string
}

const SENT_AT_A_TIME = 8
const MESSAGE_RESPONSES = 200

/**
 * Sends requests to the product and loads its responses into the bare server; returns the mean size of a body in bytes.
 */
export async function copyResponses(
  bare: Server,
  product: Server,
  requests: readonly RecordedRequest[],
): Promise<number> {
  let total = 0
  for (let start = 0; start < requests.length; start += MESSAGE_RESPONSES) {
    const responses: RecordedResponse[] = []
    const chunk = requests.slice(start, start + MESSAGE_RESPONSES)
    for (let first = 0; first < chunk.length; first += SENT_AT_A_TIME)
      responses.push(
        ...(await Promise.all(
          chunk.slice(first, first + SENT_AT_A_TIME).map((request) => recorded(product, request)),
        )),
      )
    for (const { body } of responses) total += Buffer.byteLength(body, 'base64')
    const loaded = new Promise((resolve) => bare.process.once('message', resolve))
    bare.process.send({ responses } satisfies BareMessage)
    await loaded
  }
  return Math.round(total / requests.length)
}

/** A response without decompression of its body, and without the headers that Node adds itself. */
function recorded(
  product: Server,
  { method = 'GET', path, headers, body }: RecordedRequest,
): Promise<RecordedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(product.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status = 0 } = response
        if (status < 200 || status > 299) reject(new Error(`${method} ${path} responded with ${status}`))
        const own = Object.entries(response.headers).filter(
          ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
        )
        resolve({
          method,
          encoding: headers['accept-encoding'] ?? '',
          path,
          status,
          headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(chunks).toString('base64'),
        })
      })
    }).on('error', reject)
    outgoing.end(body)
  })
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
