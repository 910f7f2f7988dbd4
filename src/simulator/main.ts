/** `npm run simulator -- --world FILE [--port N]`: the simulator as a process of its own. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { demoWorld } from './demo-world.ts'
import { startSimulator } from './simulator.ts'
import { readWorld, WorldError, type World } from './world.ts'

const HELP = `Simulates Steam over HTTP: Web API, sign-in and pictures.

npm run simulator -- [--world FILE] [--port N] [--host ADDRESS] [--key KEY] [--latency MS] [--control]

  --world FILE    world file (JSON, described in src/simulator/world.ts); default: the demo world
  --port N        port to listen on; default 0: any free port
  --host ADDRESS  IP address or host name to listen on; default 127.0.0.1
  --key KEY       the only API key to accept; without it every key is accepted
  --latency MS    delay of every response in milliseconds
  --control       let programs change faults and players while it runs (src/simulator/control.ts)
  --help          show this help`

/** A wrong option or file; the message is one sentence for the user. */
class UsageError extends Error {}

async function run(): Promise<void> {
  const options = readOptions()
  if (options.help) return console.log(HELP)
  const world = options.world === undefined ? demoWorld() : readWorldFile(options.world)
  const simulator = await startSimulator({
    world,
    port: wholeNumber('--port', options.port, 65_535),
    host: options.host,
    apiKey: options.key,
    control: options.control,
    latencyMs: wholeNumber('--latency', options.latency, 3_600_000),
  }).catch((error: Error) => {
    throw new UsageError(`The simulator cannot listen: ${error.message}.`)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())
  console.log(
    [
      `The simulator listens on ${simulator.url} with ${world.players.length} players and ${world.apps.length} apps.`,
      `STEAM_API_KEY=${options.key ?? 'any'} STEAM_API_URL=${simulator.apiUrl} STEAM_OPENID_URL=${simulator.openidUrl}`,
    ].join('\n'),
  )
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        world: { type: 'string' },
        port: { type: 'string', default: '0' },
        host: { type: 'string', default: '127.0.0.1' },
        key: { type: 'string' },
        latency: { type: 'string', default: '0' },
        control: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message} (see --help)`)
  }
}

function readWorldFile(file: string): World {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The world file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    return readWorld(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(`The world file ${file} is not JSON: ${error.message}.`)
    if (error instanceof WorldError)
      throw new UsageError(`The world file ${file} cannot be used: ${error.message}`)
    throw error
  }
}

function wholeNumber(option: string, given: string, max: number): number {
  if (!/^\d{1,9}$/.test(given) || Number(given) > max)
    throw new UsageError(`${option} is "${given}", but it must be a whole number from 0 to ${max}.`)
  return Number(given)
}

try {
  await run()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
