/**
 * Users with libraries of realistic sizes for the benchmarks, from the test data if it is available, else from a
 * similar log-normal distribution. Written directly to the database; the same in every run.
 */
import { writeRows } from '../tests/support/rows.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { hashOfToken } from '../src/server/sessions/sessions.ts'
import { type Library, libraryFrom, type OwnedGame, totalMinutes } from '../src/server/library/library.ts'
import { packFriends, packLibrary } from '../src/server/library/packed.ts'
import type { Database } from '../src/server/database/database.ts'

const DATA = join(import.meta.dirname, '../../shared/data/playtime/au_libraries.csv.gz')
const GAMES_IN_STORE = 5000
const DAYS_30 = 30 * 24 * 60 * 60 * 1000
/** Rows per insert; below the parameter limit of both engines. */
const CHUNK = 500

export type Population = {
  /** Steam ids, the measured users first. */
  ids: string[]
  /** Bearer tokens of the measured users, in the order of `ids`. */
  tokens: string[]
  /** Groups of six, one owned by each measured user. */
  groups: number[]
  /** A member of each group who does not own it, by index in `ids`. */
  guests: number[]
}

const FIRST_ID = 76561197960265729n
/** Steam id of the n-th user. */
export const idOf = (n: number) => String(FIRST_ID + BigInt(n))

/** Pseudo-random numbers from 0 to 1 (a linear congruential generator), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Libraries that are assigned to people in turn. */
export function sampleLibraries(): Library[] {
  if (!existsSync(DATA)) return generatedLibraries()
  const byUser = new Map<string, OwnedGame[]>()
  const [, ...lines] = gunzipSync(readFileSync(DATA)).toString().trim().split('\n')
  for (const line of lines) {
    const [user = '', appid, minutes, recentMinutes] = line.split(',')
    const games = byUser.get(user) ?? []
    const played = Number(minutes) > 0
    games.push({
      appid: Number(appid),
      minutes: Number(minutes),
      recentMinutes: Number(recentMinutes),
      lastPlayed: played ? 1_470_000_000 - (Number(appid) % 50_000_000) : 0,
    })
    byUser.set(user, games)
  }
  return [...byUser.values()].map(libraryOf)
}

/** A game that was drawn twice is there once. */
const libraryOf = (games: readonly OwnedGame[]) =>
  libraryFrom(new Map(games.map((game) => [game.appid, game])).values())

function generatedLibraries(): Library[] {
  const random = randomFrom(3)
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: 900 }, () =>
    libraryOf(
      Array.from({ length: Math.min(3000, Math.ceil(Math.exp(4.2 + normal()))) }, () => ({
        appid: 10 * Math.ceil(GAMES_IN_STORE * random() ** 2.5),
        minutes: random() < 0.3 ? 0 : Math.ceil(Math.exp(5.3 + 2.3 * normal())),
        recentMinutes: 0,
        lastPlayed: 1_600_000_000,
      })),
    ),
  )
}

/** Libraries that have little in common: 156 games each, of `games` different ones that are equally popular. */
export function diverseLibraries(count: number, games: number): Library[] {
  const random = randomFrom(5)
  return Array.from({ length: count }, () =>
    libraryOf(
      Array.from({ length: 156 }, () => ({
        appid: 10 * Math.ceil(games * random()),
        minutes: random() < 0.3 ? 0 : Math.ceil(5000 * random()),
        recentMinutes: 0,
        lastPlayed: 1_600_000_000,
      })),
    ),
  )
}

/**
 * Fills an empty database with `players` users who have a library each, of `libraries` in turn. The first `measured` of
 * them have a session, 150 friends, evenly spread over all, and a group of six.
 */
export async function populate(
  database: Database,
  {
    players,
    measured,
    friends = 150,
    libraries: samples = sampleLibraries(),
  }: { players: number; measured: number; friends?: number; libraries?: Library[] },
): Promise<Population> {
  const packed = samples.map((library) => ({
    packed: packLibrary(library),
    game_count: library.length,
    total_minutes: totalMinutes(library),
  }))
  const now = Date.now()
  const random = randomFrom(players)
  const ids = Array.from({ length: players }, (_, n) => idOf(n))

  await inTransactions(database, players, async (tx, from, to) => {
    const chunk = ids.slice(from, to)
    await tx
      .insertInto('people')
      .values(
        chunk.map((steam_id, n) => ({
          steam_id,
          display_name: `Player ${from + n}`,
          avatar_url: `https://avatars.steamstatic.com/${steam_id}.jpg`,
          personastate: (from + n) % 3 === 0 ? 1 : 0,
          playing: null,
          profile_at: now,
          friends_status: 'ok' as const,
          friends_at: now,
          signed_in_at: from + n < measured ? now : null,
          library_visibility: 'connected' as const,
        })),
      )
      .execute()
    await tx
      .insertInto('libraries')
      .values(
        chunk.map((steam_id, n) => ({
          steam_id,
          version: 1,
          status: 'ok' as const,
          ...packed[(from + n) % packed.length]!,
          synced_at: now,
          checked_at: now,
        })),
      )
      .execute()
  })

  await inTransactions(database, measured, (tx, from, to) => befriend(tx, { from, to, players, friends }))

  const tokens = ids
    .slice(0, measured)
    .map((_, n) => Buffer.from(`bench-token-${n}`.padEnd(32, '.')).toString('base64url'))
  const guests = tokens.map((_, n) => (n + 1 + Math.floor(random() * (measured - 1))) % measured)
  const groups = new Array<number>(measured)
  await inTransactions(database, measured, async (tx, from, to) => {
    const owners = Array.from({ length: to - from }, (_, n) => from + n)
    await tx
      .insertInto('sessions')
      .values(
        owners.map((n) => ({
          steam_id: ids[n]!,
          token_hash: hashOfToken(tokens[n]!),
          kind: 'lasting',
          created_at: now,
          last_used_at: now,
          expires_at: now + DAYS_30,
          user_agent: 'bench',
        })),
      )
      .execute()
    const created = await tx
      .insertInto('groups')
      .values(
        owners.map((n) => ({
          name: `Group ${n}`,
          owner_steam_id: ids[n]!,
          picture_url: null,
          picture_key: null,
          created_at: now,
          synced_at: null,
        })),
      )
      .returning(['group_id', 'owner_steam_id'])
      .execute()
    const members = created.flatMap(({ group_id, owner_steam_id }) => {
      const owner = Number(BigInt(owner_steam_id) - FIRST_ID)
      groups[owner] = group_id
      const others = Array.from({ length: 4 }, () => Math.floor(random() * players))
      return [...new Set([owner, guests[owner]!, ...others])].map((member) => ({
        group_id,
        steam_id: ids[member]!,
        added_at: now,
        joined_at: now,
        added_by: null,
      }))
    })
    await tx.insertInto('group_members').values(members).execute()
  })

  const appids = [...new Set(samples.flatMap((library) => [...library.appids]))]
  await inTransactions(database, appids.length, async (tx, from, to) => {
    await tx
      .insertInto('apps')
      .values(
        appids.slice(from, to).map((appid) => ({
          appid,
          name: `Game number ${appid}`,
          kind: 0,
          icon_hash: '6b0312cda02f5f777efa2f3318c307ff9acafbb5',
          header_url: null,
          categories: '2,1,9',
          store_due_at: now + DAYS_30,
        })),
      )
      .execute()
  })
  return { ids, tokens, groups, guests }
}

/** Gives the users `from` to `to` their friends. */
async function befriend(
  tx: Tx,
  { from, to, players, friends }: { from: number; to: number; players: number; friends: number },
): Promise<void> {
  // Different friends by construction: each is one step further around the circle of all users.
  const step = Math.max(1, Math.floor((players - 2) / friends))
  const lists = Array.from({ length: to - from }, (_, nth) => ({
    steam_id: idOf(from + nth),
    packed: packFriends(
      Array.from({ length: friends }, (_, place) => idOf((from + nth + 1 + place * step) % players)),
    ),
  }))
  await tx.insertInto('friend_lists').values(lists).execute()
}

type Tx = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Runs `work` over 0..count in chunks, 40 per transaction, so that a million rows take only seconds. */
async function inTransactions(
  database: Database,
  count: number,
  work: (tx: Tx, from: number, to: number) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < count; start += CHUNK * 40)
    await writeRows(database, async (tx) => {
      for (let from = start; from < Math.min(count, start + CHUNK * 40); from += CHUNK)
        await work(tx, from, Math.min(count, from + CHUNK))
    })
}
