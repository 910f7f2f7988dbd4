/** Several servers as processes of their own, which share a PostgreSQL and a simulator. */
import { join } from 'node:path'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { freshDatabaseOptions } from './databases.ts'
import { temporaryFolder } from './folders.ts'
import { freePort } from './postgres.ts'
import { startLastingProcess } from './process.ts'

const KEY = 'cluster-key-0123456789'
const SHIFTED = join(import.meta.dirname, 'shifted-clock.ts')

export type ServerProcess = Awaited<ReturnType<typeof startLastingProcess>>

/**
 * Starts a simulator for servers at one public URL and one database, a fresh one if none is given. `start(name)` starts a
 * server, on the same port every time; `aheadMs`: how far the clock of its machine is ahead. The caller closes the cluster,
 * which kills what still runs.
 */
export async function startCluster({
  publicUrl,
  databaseUrl: given,
}: {
  publicUrl: string
  databaseUrl?: string
}) {
  const own = given === undefined ? await freshDatabaseOptions('postgres') : undefined
  const databaseUrl = given ?? own!.databaseUrl!
  const simulator = await startSimulator({ world: { players: [], apps: [] }, apiKey: KEY })
  const dataDir = temporaryFolder('data')
  const ports = new Map<string, string>()
  const started: ServerProcess[] = []

  async function start(name: string, { aheadMs = 0 }: { aheadMs?: number } = {}): Promise<ServerProcess> {
    const port = ports.get(name) ?? String(await freePort())
    ports.set(name, port)
    const server = await startLastingProcess({
      PORT: port,
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PGAPPNAME: name,
      STEAM_API_KEY: KEY,
      STEAM_API_URL: simulator.apiUrl,
      STEAM_OPENID_URL: simulator.openidUrl,
      ...(aheadMs !== 0 && { NODE_OPTIONS: `--import ${SHIFTED}`, CLOCK_AHEAD_MS: String(aheadMs) }),
    })
    started.push(server)
    return server
  }

  return {
    simulator,
    databaseUrl,
    start,
    close: async () => {
      for (const { child } of started) child.kill('SIGKILL')
      await Promise.all(started.map(({ exit }) => exit))
      await simulator.close()
      await own?.drop()
    },
  }
}
