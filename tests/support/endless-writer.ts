/** A process that writes until it is killed, and reports each player whose rows were committed. */
import { writeLibrary } from '../../src/server/storage/players/libraries.ts'
import { openDatabase, type DatabaseOptions } from '../../src/server/database/open.ts'
import { ensurePlayers } from '../../src/server/storage/players/players.ts'

const database = await openDatabase(JSON.parse(process.env.DATABASE_OPTIONS ?? '') as DatabaseOptions)
for (let n = 0n; ; n++) {
  const steamId = String(76561197960300000n + n)
  await database.transaction(async (tx) => {
    await ensurePlayers(tx, [steamId])
    await writeLibrary(tx, steamId, {
      packed: new TextEncoder().encode(steamId),
      gameCount: 1,
      totalMinutes: 1,
      at: 1,
    })
  })
  process.send?.(steamId)
}
