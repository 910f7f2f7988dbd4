/**
 * The product in a process of its own, for the benchmarks. As shipped, except that limits per token and IP address,
 * and of calls to Steam, apply in the soak test only.
 */
import { buildApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config.ts'
import { openDatabase } from '../src/server/database/open.ts'

const config = readConfig({ ...process.env, STEAM_API_KEY: 'bench' })
const unlimited = {
  requestLimits: { perAddress: 1e9, perToken: 1e9 },
  callLimits: { perSecond: 1e6, interactiveBurst: 1e6, backgroundBurst: 1e6, perDay: 1e9 },
}
const database = await openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
const { http } = await buildApp({
  config,
  steamApiKey: 'bench',
  database,
  ...(!process.env.SOAK_ENGINE && unlimited),
})
await http.listen({ port: config.port, host: '127.0.0.1', backlog: 4096 })
process.send?.({ port: config.port })
process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000 })
  }
})
process.on('disconnect', () => process.exit(0))
