/**
 * `npm run distribute -- --database postgres://…`: spreads the tables of an empty or filled database over the workers of a
 * PostgreSQL with Citus (docs/operate/several-servers.md) and says what it did. A second run changes nothing.
 */
import './node-version.mjs'
import { parseArgs } from 'node:util'

// Static imports would be loaded before Node's version is checked.
const { distribute } = await import('../src/server/database/several/distribute.ts')
const { openDatabase } = await import('../src/server/database/open.ts')

try {
  const { values } = parseArgs({ options: { database: { type: 'string' } } })
  const databaseUrl = values.database ?? process.env.DATABASE_URL
  if (!databaseUrl)
    throw new Error('Name the coordinator: npm run distribute -- --database postgres://user@host/name')
  const start = Date.now()
  const database = await openDatabase({ dataDir: '', databaseUrl })
  try {
    for (const { table, placement, wasPlaced } of await distribute(database)) {
      const { by, beside, isReference } = placement
      const where = by ? `sharded by ${by}` : isReference ? 'on every machine' : 'on the coordinator'
      const done = wasPlaced ? ', as it was' : ''
      console.log(`${table.padEnd(22)} ${where}${beside ? ` beside ${beside}` : ''}${done}`)
    }
  } finally {
    await database.close()
  }
  console.log(`Distributed in ${((Date.now() - start) / 1000).toFixed(1)} s.`)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
