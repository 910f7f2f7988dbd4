/**
 * When a server is killed while it reads a hundred libraries (REF-2), another one, or the same one started again,
 * finishes the work.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OwnedGame, Player } from '../../src/simulator/world.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { engines, nextSteamId } from '../support/app.ts'
import { freshOptions } from '../support/databases.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { signInAt } from '../support/sign-in.ts'

const LIBRARIES = 100
/** Libraries read before the server is killed; rows of equal priority are read in the order of their steam ids. */
const BEFORE = 30
/** Calls in flight when the server is killed, which never get a response. */
const HANGING = 2

describe.each(engines)('on %s', (engine) => {
  const others = engine === 'postgres' ? 'another server' : 'the same server, started again,'
  test(
    `REF-2: when a server is killed while reading ${LIBRARIES} libraries, ${others} finishes them, none twice within its lease`,
    { timeout: 120_000 },
    async () => {
      const place = await freshOptions(engine)
      const { simulator, steam } = await startSteam()
      const start = () => startProcess({ ...place.env, ...steam })
      const [ada = '', ...friends] = Array.from({ length: 1 + LIBRARIES }, nextSteamId)
      const portal = { appid: 400, minutes: 90, recentMinutes: 0, lastPlayed: 0 }
      simulator.addPlayer(player(ada))
      for (const steamid of friends) {
        simulator.addPlayer(player(steamid, [portal]))
        simulator.befriend(ada, steamid)
      }
      const held = friends.slice(BEFORE, BEFORE + HANGING)
      for (const steamId of held)
        simulator.fail({ endpoint: 'GetOwnedGames', steamId, kind: 'slow', ms: 100_000, times: 1 })
      const callsFor = (steamId: string) => simulator.callsTo('GetOwnedGames', steamId).length
      const allCalls = () => simulator.callsTo('GetOwnedGames').length

      const killed = await start()
      const token = await signInAt(killed.url, simulator, ada)
      const sync = await fetch(`${killed.url}/api/users/${ada}/sync_friends`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(await sync.json()).toEqual({ status: 'ok', friend_count: LIBRARIES })
      await expect.poll(() => held.map(callsFor), { timeout: 30_000 }).toEqual([1, 1])
      // On PostgreSQL a second server is already working on the list when the first one is killed.
      const survivor = engine === 'postgres' ? await start() : undefined
      if (survivor) await expect.poll(allCalls, { timeout: 30_000 }).toBeGreaterThan(BEFORE + HANGING + 10)
      await killed.stop('SIGKILL')
      expect(allCalls()).toBeLessThan(LIBRARIES)
      const finisher = survivor ?? (await start())

      const database = await openDatabase(place)
      onTestFinished(() => database.close())
      const waiting = async () => {
        const rows = await database.queries
          .selectFrom('refreshes')
          .select('steam_id')
          .orderBy('steam_id')
          .execute()
        return rows.map((row) => row.steam_id)
      }
      await expect.poll(waiting, { timeout: 60_000, interval: 200 }).toEqual(held)
      expect(friends.map(callsFor)).toEqual(friends.map(() => 1))

      // The minute of the lease passes.
      await database.queries.updateTable('refreshes').set({ lease_until: Date.now() }).execute()
      await expect.poll(waiting, { timeout: 30_000, interval: 200 }).toEqual([])
      expect(friends.map(callsFor)).toEqual(friends.map((id) => (held.includes(id) ? 2 : 1)))

      const status = await fetch(`${finisher.url}/api/users/${ada}/sync_status`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(await status.json()).toMatchObject({
        libraries: { total: LIBRARIES, read: LIBRARIES, waiting: 0 },
      })
    },
  )
})

/** A player on Steam with default values. */
function player(steamid: string, games: OwnedGame[] = []): Player {
  return {
    steamid,
    personaname: 'Friend',
    personastate: 0,
    gamesPrivate: false,
    friendsPrivate: false,
    profilePrivate: false,
    playtimePrivate: false,
    games,
    friends: [],
  }
}
