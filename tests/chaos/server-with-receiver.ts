/**
 * The server as a process of its own, whose webhooks reach the test's receiver at HOOKS_PORT and nothing else: the real
 * one refuses addresses of this machine (NIGHT-67).
 */
import { pino } from 'pino'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { webOfReceiver } from '../support/receiver.ts'

const config = readConfig(process.env)
const database = await openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
const { http, deps } = await buildApp({
  config,
  steamApiKey: config.steamApiKey!,
  demo: undefined,
  database,
  pagesFolder: undefined,
  logger: pino({ level: config.logLevel }),
  // What a killed server was sending is sent again by the next one after 9 seconds instead of 30.
  webhookTimeoutMs: 3000,
  web: webOfReceiver(Number(process.env.HOOKS_PORT)),
})
await http.listen({ host: config.host, port: config.port, backlog: 512 })
deps.messages.start()
console.log(`Shelfmates is ready at ${config.publicUrl}`)
