/**
 * Responses for the real libraries of the test data equal those of a naive oracle. Skipped with a warning when the data
 * is missing.
 */
import { describe, expect, test } from 'vitest'
import { comparisonContract } from '#shared/contract/comparison.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { libraryContract } from '#shared/contract/library.ts'
import type { App, Player } from '../../src/simulator/world.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { readRealWorld } from '../support/real-world.ts'

const world = readRealWorld()
if (!world) console.warn('real-world.test.ts: ../shared/data is not there, skipped')

const PAIRS = 200
const GROUPS = 50
const PEOPLE = 120

/** Pseudo-random numbers, the same in every run. */
function* pseudoRandom(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield state / 2 ** 32
  }
}

describe.skipIf(!world).each(engines)('on %s', (engine) => {
  test(
    `${PAIRS} pairs and ${GROUPS} groups of real libraries give the oracle’s results`,
    { timeout: 120_000 },
    async () => {
      const app = await startTestApp({ engine, world: structuredClone(world) })
      const random = pseudoRandom(7)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next().value! * list.length)]!
      const people = [...new Set(Array.from({ length: PEOPLE * 2 }, () => pick(world!.players)))].slice(
        0,
        PEOPLE,
      )
      const signedIn = await signInAll(app, people)
      while ((await app.deps.catalogue.readStoreDetails()) > 0);

      for (let n = 0; n < PAIRS; n++) {
        const me = pick(people)
        const friend = pick(people.filter((person) => person !== me))
        const entries = await signedIn.get(me)!.call(comparisonContract.compare, {
          mySteamId: me.steamid,
          friendSteamId: friend.steamid,
        })
        expect(entries.map((entry) => [entry.appid, entry.user_playtime, entry.friend_playtime])).toEqual(
          compared(me, friend),
        )
      }

      for (let n = 0; n < GROUPS; n++) {
        const members = [...new Set(Array.from({ length: 2 + (n % 5) }, () => pick(people)))]
        const owner = signedIn.get(members[0]!)!
        const group = await owner.call(
          groupsContract.create,
          {},
          { name: `Group ${n}`, owner_steam_id: members[0]!.steamid },
        )
        await owner.call(
          groupsContract.addMembers,
          { id: group.group_id },
          { steam_ids: members.map((member) => member.steamid) },
        )
        const games = await owner.call(groupsContract.sharedGames, { id: group.group_id })
        expect(games.map((game) => [game.appid, game.total_playtime, game.playtimes])).toEqual(
          shared(members),
        )
        const misses = await owner.call(groupsContract.nearMisses, { id: group.group_id })
        expect(
          misses.map((miss) => [miss.appid, miss.total_playtime, miss.playtimes, miss.lacking.toSorted()]),
        ).toEqual(nearMisses(members).slice(0, 100))
      }

      const largest = people.reduce((most, person) =>
        person.games.length > most.games.length ? person : most,
      )
      const { games } = await signedIn.get(largest)!.call(libraryContract.games, { steamId: largest.steamid })
      expect(games).toHaveLength(largest.games.length)
      expect(games.map((game) => game.playtime_minutes)).toEqual(
        largest.games.map((game) => game.minutes).sort((a, b) => b - a),
      )
    },
  )
})

/** Signs people in and reads their libraries; makes all of them friends, so that all may compare. */
async function signInAll(app: TestApp, people: Player[]) {
  const signedIn = new Map<Player, ReturnType<TestApp['callsOf']>>()
  const ids = people.map((person) => person.steamid)
  for (const person of people) {
    app.simulator.updatePlayer(person.steamid, {
      friends: ids.filter((id) => id !== person.steamid).map((steamid) => ({ steamid, since: 1 })),
    })
    signedIn.set(person, app.callsOf(await app.signIn(person.steamid)))
    await app.deps.sync.syncGames(person.steamid, person.steamid)
    await app.deps.sync.syncFriends(person.steamid)
  }
  return signedIn
}

/** Games both own, largest sum first, then by appid; computed naively from the definition. */
function compared(me: Player, friend: Player): [number, number, number][] {
  return me.games
    .flatMap((mine) => {
      const theirs = friend.games.find((game) => game.appid === mine.appid)
      return theirs ? [[mine.appid, mine.minutes, theirs.minutes] as [number, number, number]] : []
    })
    .sort((a, b) => b[1] + b[2] - (a[1] + a[2]) || a[0] - b[0])
}

function shared(members: Player[]): [number, number, Record<string, number>][] {
  return members[0]!.games
    .flatMap(({ appid }) => {
      const minutes = members.map((member) => member.games.find((game) => game.appid === appid)?.minutes)
      if (minutes.some((value) => value === undefined)) return []
      const total = minutes.reduce<number>((sum, value) => sum + value!, 0)
      const each = Object.fromEntries(members.map((member, index) => [member.steamid, minutes[index]!]))
      return [[appid, total, each] as [number, number, Record<string, number>]]
    })
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
}

/** Games for several players that one or two lack and two or more own: fewest lacking first, then largest total. */
function nearMisses(members: Player[]): [number, number, Record<string, number>, string[]][] {
  const apps = new Map(world!.apps.map((app) => [app.appid, app]))
  const appids = new Set(members.flatMap((member) => member.games.map((game) => game.appid)))
  return [...appids]
    .filter((appid) => isForSeveral(apps.get(appid)))
    .map((appid) => {
      const owned = members.flatMap((member) => {
        const game = member.games.find((one) => one.appid === appid)
        return game ? [[member.steamid, game.minutes] as const] : []
      })
      const owners = new Map(owned)
      const lacking = members.map((member) => member.steamid).filter((id) => !owners.has(id))
      const total = owned.reduce((sum, [, minutes]) => sum + minutes, 0)
      return [appid, total, Object.fromEntries(owned), lacking.sort()] as [
        number,
        number,
        Record<string, number>,
        string[],
      ]
    })
    .filter(([, , owners, lacking]) => [1, 2].includes(lacking.length) && Object.keys(owners).length >= 2)
    .sort((a, b) => a[3].length - b[3].length || b[1] - a[1] || a[0] - b[0])
}

/** Whether the store names any way of playing it but alone. */
function isForSeveral(app: App | undefined): boolean {
  return app !== undefined && app.categories.some((category) => category !== 2)
}
