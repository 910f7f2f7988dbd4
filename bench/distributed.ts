/**
 * `node bench/distributed.ts URL URL…`: what calls of storage cost on each database, one after another, in milliseconds.
 * Each database must be empty; one with Citus is distributed first. Runs in turns, so that a busy machine is so for all.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { packFriends, packLibrary } from '../src/server/library/packed.ts'
import { libraryFrom } from '../src/server/library/library.ts'
import { distribute } from '../src/server/database/several/distribute.ts'
import type { Database } from '../src/server/database/database.ts'
import { openDatabase } from '../src/server/database/open.ts'
import { listFriendIds } from '../src/server/storage/players/friends.ts'
import { changeGroup, createGroup, listGroupsOf, lockGroup } from '../src/server/storage/groups/groups.ts'
import { writeLibrary } from '../src/server/storage/players/libraries.ts'
import { addMembers, listMembers } from '../src/server/storage/groups/memberships.ts'
import {
  ensurePlayers,
  readPlayersWithGames,
  readPlayersWithLibraries,
  saveProfiles,
} from '../src/server/storage/players/players.ts'
import { listNights } from '../src/server/storage/nights/lists.ts'
import { addPlayers, createNight } from '../src/server/storage/nights/nights.ts'
import { claimRefresh, enqueueRefreshes } from '../src/server/storage/players/refreshes.ts'
import { createSession, findSession } from '../src/server/storage/accounts/sessions.ts'
import { connectedWith, writeRows } from '../tests/support/rows.ts'

const PLAYERS = 3000
const FRIENDS = 50
const GAMES = 150
const ROUNDS = Number(process.env.ROUNDS ?? 200)
const ids = Array.from({ length: PLAYERS }, (_, nth) => String(76561198000000000n + BigInt(nth) * 7919n))
const NOW = 1_700_000_000_000
const friendsOf = (nth: number) =>
  Array.from({ length: FRIENDS }, (_, at) => ids[(nth + 1 + at * 37) % PLAYERS]!)
const packed = packLibrary(
  libraryFrom(
    Array.from({ length: GAMES }, (_, at) => ({
      appid: 10 * at + 10,
      minutes: 60 * at,
      recentMinutes: 0,
      lastPlayed: 1_700_000_000,
    })),
  ),
)

async function fill(database: Database): Promise<void> {
  await database.transaction((tx) => ensurePlayers(tx, ids))
  for (let start = 0; start < PLAYERS; start += 500) {
    const some = ids.slice(start, start + 500)
    await writeRows(database, async (tx) => {
      await tx
        .insertInto('libraries')
        .values(
          some.map((steam_id) => ({
            steam_id,
            version: 1,
            status: 'ok' as const,
            packed,
            game_count: GAMES,
            total_minutes: 1,
            synced_at: 1,
            checked_at: 1,
          })),
        )
        .execute()
      await tx
        .insertInto('friend_lists')
        .values(
          some.map((steam_id, at) => ({
            steam_id,
            packed: packFriends(friendsOf(start + at)),
          })),
        )
        .execute()
    })
  }
  for (let nth = 0; nth < PLAYERS; nth += 10)
    await database.transaction(async (tx) => {
      const group = await createGroup(tx, { name: 'Group', owner: ids[nth]!, at: 1 })
      const others = ids.slice(nth + 1, nth + 6)
      await addMembers(tx, group, others, { by: ids[nth]!, at: 1 })
      const night = await createNight(tx, {
        ...{ group_id: group, host_steam_id: ids[nth]!, title: null, starts_at: NOW, created_at: NOW },
        ...{ planned: 0, forbids: 0, seed: '' },
      })
      await addPlayers(tx, night, [ids[nth]!, ...others], { by: ids[nth]!, at: NOW })
      await createSession(tx, {
        steam_id: ids[nth]!,
        token_hash: `hash ${nth}`,
        kind: 'lasting',
        created_at: 1,
        last_used_at: 1,
        expires_at: 9,
        user_agent: '',
      })
      await enqueueRefreshes(tx, [ids[nth]!], { by: ids[nth]!, priority: 1, at: 1 })
    })
}

const calls: Record<string, (database: Database, nth: number) => Promise<unknown>> = {
  'poll of changes': async (database) => database.changesSince(undefined),
  'session of a token': ({ queries }, nth) => findSession(queries, `hash ${10 * (nth % 300)}`, 2),
  'friends of a person': ({ queries }, nth) => listFriendIds(queries, ids[nth]!),
  '50 friends with library status': ({ queries }, nth) => readPlayersWithLibraries(queries, friendsOf(nth)),
  '50 libraries of 150 games': ({ queries }, nth) => readPlayersWithGames(queries, friendsOf(nth)),
  'whether two people are connected': ({ queries }, nth) =>
    connectedWith(queries, ids[nth]!, [ids[nth + 1]!]),
  'groups of a person': ({ queries }, nth) => listGroupsOf(queries, ids[10 * (nth % 300)]!),
  'nights of a person': ({ queries }, nth) => {
    const person = ids[10 * (nth % 300)]!
    return listNights(queries, { steam_id: person }, person, NOW)
  },
  'members of a group': ({ queries }, nth) => listMembers(queries, 1 + (nth % 300)),
  'rename a group': (database, nth) =>
    database.transaction(async (tx) => {
      await lockGroup(tx, 1 + (nth % 300))
      await changeGroup(tx, 1 + (nth % 300), { name: `Name ${nth}` })
    }),
  'store a library': (database, nth) =>
    database.transaction((tx) =>
      writeLibrary(tx, ids[nth]!, { packed, gameCount: GAMES, totalMinutes: 1, at: nth }),
    ),
  'presence of 50 friends': (database, nth) =>
    database.transaction((tx) =>
      saveProfiles(
        tx,
        friendsOf(nth).map((steamId) => ({
          steamId,
          displayName: `Name ${nth}`,
          avatarUrl: null,
          personastate: nth % 2,
          playing: null,
          playingAppid: null,
        })),
        nth,
      ),
    ),
  'claim of the refresh list': (database, nth) =>
    claimRefresh(database, { owner: 'bench', now: 10 + nth, leaseMs: 0 }),
}

/** The number of shards that an address asks for, as in `?options=-c citus.shard_count=16 -c search_path=s16`. */
const shardsOf = (at: number) =>
  /shard_count=(\d+)/.exec(decodeURIComponent(process.argv[2 + at]!))?.[1] ?? ''

const databases: Database[] = []
for (const databaseUrl of process.argv.slice(2)) {
  const database = await openDatabase({ dataDir: '', databaseUrl })
  if (database.isDistributed) await distribute(database)
  await fill(database)
  databases.push(database)
}
await pause(1000)
console.log(
  `call | ${databases.map(({ isDistributed }, at) => (isDistributed ? `Citus ${shardsOf(at)}`.trim() : 'PostgreSQL')).join(' | ')} (median, p90 in ms)`,
)
for (const [name, call] of Object.entries(calls)) {
  const times = databases.map((): number[] => [])
  for (let nth = 0; nth < ROUNDS; nth++)
    for (const [at, database] of databases.entries()) {
      const start = performance.now()
      await call(database, nth)
      if (nth >= 20) times[at]!.push(performance.now() - start)
    }
  const shown = times.map((list) => {
    list.sort((a, b) => a - b)
    return `${list[Math.floor(list.length / 2)]!.toFixed(2)}, ${list[Math.floor(list.length * 0.9)]!.toFixed(2)}`
  })
  console.log(`${name} | ${shown.join(' | ')}`)
}
for (const database of databases) await database.close()
