/**
 * Responses for the real libraries of the test data equal a naive oracle's. Skipped with a warning when the data
 * is missing.
 */
import { describe, expect, test } from 'vitest'
import { comparisonContract } from '#shared/contract/comparison.ts'
import { friendsContract } from '#shared/contract/friends.ts'
import { gamesContract } from '#shared/contract/games.ts'
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
const GAME_PAGES = 100

/** Pseudo-random numbers, the same in every run. */
function* pseudoRandom(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield state / 2 ** 32
  }
}

describe.skipIf(!world).each(engines)('on %s', (engine) => {
  test(
    `API-44, API-47 to API-50: ${PAIRS} pairs and ${GROUPS} groups of real libraries give the oracle’s results`,
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
        expect(fieldsOf(entries)).toEqual(expectedFields(entries))
        const { overlap } = await signedIn.get(me)!.call(comparisonContract.overlap, {
          mySteamId: me.steamid,
          friendSteamId: friend.steamid,
        })
        expect(overlap).toEqual({
          mine: me.games.length - entries.length,
          both: entries.length,
          theirs: friend.games.length - entries.length,
          played_by_neither: entries.filter((entry) => entry.user_playtime + entry.friend_playtime === 0)
            .length,
          alike: likeness(me, friend),
        })
      }

      for (const me of people.slice(0, 5)) {
        const overlaps = await signedIn.get(me)!.call(friendsContract.overlaps, { steamId: me.steamid })
        expect(overlaps).toEqual(
          people
            .filter((person) => person !== me)
            .map((person) => ({
              steam_id: person.steamid,
              common: compared(me, person).length,
              alike: likeness(me, person),
            }))
            .sort((a, b) => b.common - a.common || (a.steam_id < b.steam_id ? -1 : 1)),
        )
      }

      const groups: { id: number; members: Player[] }[] = []

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
        groups.unshift({ id: group.group_id, members })
        const games = await owner.call(groupsContract.sharedGames, { id: group.group_id })
        expect(fieldsOf(games)).toEqual(expectedFields(games))
        expect(games.map((game) => [game.appid, game.total_playtime, game.playtimes])).toEqual(
          shared(members),
        )
        const misses = await owner.call(groupsContract.nearMisses, { id: group.group_id })
        expect(
          misses.map((miss) => [miss.appid, miss.total_playtime, miss.playtimes, miss.lacking.toSorted()]),
        ).toEqual(nearMisses(members).slice(0, 100))
        expect(fieldsOf(misses)).toEqual(expectedFields(misses))
        const overlap = await owner.call(groupsContract.overlap, { id: group.group_id })
        const inOrder = overlap.members.map(({ steam_id }) =>
          members.find((member) => member.steamid === steam_id)!,
        )
        expect(new Set(inOrder)).toEqual(new Set(members))
        expect(overlap.members.map(({ games: own }) => own)).toEqual(
          inOrder.map((member) => member.games.length),
        )
        expect(overlap.common).toEqual(
          inOrder.map((one) => inOrder.map((other) => compared(one, other).length)),
        )
      }

      for (let n = 0; n < GAME_PAGES; n++) {
        // Half of the games are ones that all members of a group own.
        const { members } = pick(groups)
        const appid = n % 2 === 0 ? pick(shared(members))?.[0] : pick(pick(people).games)?.appid
        if (appid === undefined) continue
        const me = members[0]!
        const page = await signedIn.get(me)!.call(gamesContract.read, { steamId: me.steamid, gameId: appid })
        const others = people.filter((person) => person !== me)
        expect(page.friends.map((friend) => [friend.steam_id, friend.playtime_minutes])).toEqual(
          owners(others, appid),
        )
        expect([page.known, page.counted, page.uncounted]).toEqual([true, others.length, 0])
        expect(page.mine?.playtime_minutes).toBe(me.games.find((game) => game.appid === appid)?.minutes)
        // Only the owner has joined a group.
        expect(page.groups.map((group) => [group.group_id, group.counted])).toEqual(
          groups
            .filter((group) => group.members[0] === me && group.members.length > 1)
            .filter((group) => owners(group.members, appid).length === group.members.length)
            .map((group) => [group.id, group.members.length]),
        )
        expect(fieldsOf([page])).toEqual(expectedFields([page]))
      }

      const largest = people.reduce((most, person) =>
        person.games.length > most.games.length ? person : most,
      )
      const { games } = await signedIn.get(largest)!.call(libraryContract.games, { steamId: largest.steamid })
      expect(games).toHaveLength(largest.games.length)
      expect(fieldsOf(games)).toEqual(expectedFields(games))
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
  const apps = appById()
  const appids = new Set(members.flatMap((member) => member.games.map((game) => game.appid)))
  return [...appids]
    .map((appid) => apps.get(appid))
    .filter((app) => app !== undefined && isForSeveral(app) && kindOf(app) === 'game')
    .map((app) => app!.appid)
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
function isForSeveral(app: App): boolean {
  return app.categories.some((category) => category !== 2)
}

function kindOf({ kind, name }: App): string {
  const kinds: Record<number, string> = { 0: 'game', 4: 'dlc', 6: 'software', 7: 'video', 10: 'other' }
  const ends = [
    [/\b(sdk|dedicated servers?)$/i, 'tool'],
    [/\b(soundtrack|ost)$/i, 'other'],
    [/\bplaytest$/i, 'beta'],
  ] as const
  return (kind === 0 && ends.find(([end]) => end.test(name))?.[1]) || kinds[kind]!
}

/** Those of `people` who own a game, most played first, with their minutes. */
function owners(people: Player[], appid: number): [string, number][] {
  return people
    .flatMap((person) => {
      const game = person.games.find((one) => one.appid === appid)
      return game ? [[person.steamid, game.minutes] as [string, number]] : []
    })
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** The smaller of the two shares of each game, added up as fractions of whole numbers, in percent. */
function likeness(me: Player, friend: Player): number | null {
  const total = (person: Player) => BigInt(person.games.reduce((sum, game) => sum + game.minutes, 0))
  const whole = total(me) * total(friend)
  if (whole === 0n) return null
  let part = 0n
  for (const [, mine, theirs] of compared(me, friend)) {
    const [a, b] = [BigInt(mine) * total(friend), BigInt(theirs) * total(me)]
    part += a < b ? a : b
  }
  const percent = (100n * part) / whole
  return Number(percent) + (2n * (100n * part - percent * whole) >= whole ? 1 : 0)
}

type Listed = { appid: number; kind: string | null; features: string[] }
const fieldsOf = (games: Listed[]) => games.map(({ appid, kind, features }) => ({ appid, kind, features }))

/** What a page filters by, as the store's numbers define it. */
function expectedFields(games: Listed[]): Listed[] {
  const numbers: Record<string, number[]> = {
    online_coop: [38],
    online_versus: [36],
    same_screen: [24, 37, 39],
    remote_play: [44],
    cross_platform: [27],
  }
  return games.map(({ appid }) => {
    const app = appById().get(appid)
    const features = Object.keys(numbers).filter((feature) =>
      numbers[feature]!.some((number) => app?.categories.includes(number)),
    )
    return { appid, kind: app ? kindOf(app) : null, features }
  })
}

let appsById: Map<number, App> | undefined
function appById(): Map<number, App> {
  return (appsById ??= new Map(world!.apps.map((app) => [app.appid, app])))
}
