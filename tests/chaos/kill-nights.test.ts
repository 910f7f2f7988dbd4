/**
 * SIGKILL while game nights are answered, voted on and decided, and while their messages are sent: no acknowledged
 * answer, ballot or pick is lost, and each message arrives, more than once only with the same key (NIGHT-14, NIGHT-74).
 * CHAOS_ROUNDS (3) and CHAOS_SEED set how often and when.
 */
import { expect, test } from 'vitest'
import type { Night } from '#shared/nights/entities.ts'
import { randomFrom } from '../../bench/population.ts'
import { engines, freshOptions } from '../support/databases.ts'
import { startReceiver } from '../support/hooks.ts'
import { startSteam } from '../support/empty-steam.ts'
import { startProcess } from '../support/process.ts'
import { newPlayer, nextSteamId } from '../support/product.ts'
import { signInAt } from '../support/sign-in.ts'
import { expectIntact } from './invariants.ts'
import { outcomeOf } from './ledger.ts'
import { call } from './mixed-writes.ts'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 3)
const SEED = Number(process.env.CHAOS_SEED ?? 1)
const PEOPLE = 3
/** Nights of a group at most: two messages each, of 30 that a group may send in an hour. */
const NIGHTS = 8
const [PORTAL, OTHER] = [400, 620]
/** A killed server's messages are sent once its claim on them has ended, after 9 seconds. */
const SENT_WITHIN_MS = 60_000
const MAIN = `${import.meta.dirname}/server-with-receiver.ts`

type Person = { steamId: string; token: string }
/** What was acknowledged of a night, and of which events a message must have been sent. */
type Known = {
  host: Person
  answers: Map<Person, { answer: string; word: string }>
  ballots: Map<Person, number>
  decided: boolean
  events: Set<string>
}

test.each(engines)('NIGHT-74: SIGKILLs on %s', { timeout: 120_000 + ROUNDS * 30_000 }, async (engine) => {
  const place = await freshOptions(engine, { onDisk: true })
  const { simulator, steam } = await startSteam()
  const receiver = await startReceiver()
  const random = randomFrom(SEED)
  const nights = new Map<number, Known>()
  let acknowledged = 0

  const start = () =>
    startProcess({ ...place.env, ...steam, HOOKS_PORT: String(receiver.port) }, { main: MAIN })
  /** The JSON of a success; undefined when the server died or refused. */
  const callAs = async (url: string, by: Person, method: string, path: string, body?: object) => {
    const { outcome, json = {} } = await outcomeOf(call(url, by.token, method, path, body))
    if (outcome !== 'written') return undefined
    acknowledged++
    return json as Record<string, unknown>
  }

  let server = await start()
  const people: Person[] = []
  const ids = Array.from({ length: PEOPLE }, nextSteamId)
  for (const id of ids) {
    simulator.addPlayer(newPlayer(id))
    simulator.setGames(
      id,
      [PORTAL, OTHER].map((appid) => ({ appid, minutes: 60, recentMinutes: 0, lastPlayed: 1_700_000_000 })),
    )
  }
  for (const id of ids) for (const other of ids) if (id < other) simulator.befriend(id, other)
  for (const steamId of ids) {
    const token = await signInAt(server.url, simulator, steamId)
    const person = { steamId, token }
    people.push(person)
    for (const sync of ['fetch_games', 'sync_friends'])
      expect(await callAs(server.url, person, 'POST', `/api/users/${steamId}/${sync}`)).toBeDefined()
  }

  for (let round = 0; round < ROUNDS; round++) {
    const kill = () => server.child.kill('SIGKILL')
    // Every other kill comes between the arrival of a message and its response.
    const dieAt = receiver.received.length + 2 + Math.floor(random() * 5)
    const dieAfter = acknowledged + 45 + Math.floor(random() * 60)
    const diesSending = round % 2 === 0
    receiver.respond(() => {
      if (diesSending && receiver.received.length >= dieAt) kill()
      return { status: 204 }
    })
    await Promise.all(
      people.map((host) => playNights(host, server.url, diesSending ? Infinity : dieAfter, kill)),
    )
    // The other kills come with a message.
    if (!diesSending) kill()
    await server.exit
    expect(server.child.signalCode).toBe('SIGKILL')
    receiver.respond(() => ({ status: 204 }))
    await expectIntact(place, async ({ queries }) => {
      // Limits on calls and starts are not what is tried here.
      for (const table of ['platform_hosts', 'used_once'] as const) await queries.deleteFrom(table).execute()
    })
    server = await start()
    expect(await lostIn(server.url)).toEqual([])
  }

  const expected = [...nights].flatMap(([id, { events }]) => [...events].map((event) => `${id} ${event}`))
  await expect
    .poll(() => expected.filter((one) => !arrived().has(one)), { timeout: SENT_WITHIN_MS, interval: 500 })
    .toEqual([])
  // A server was killed between sending and marking, so something arrives twice, once its lease has ended; never as two
  // messages.
  await expect
    .poll(() => receiver.received.length - arrived().size, { timeout: SENT_WITHIN_MS, interval: 500 })
    .toBeGreaterThan(0)
  for (const [one, keys] of arrived()) expect(keys.size, one).toBe(1)
  console.log(
    `${engine}, ${ROUNDS} kills, seed ${SEED}: ${acknowledged} acknowledged calls in ${nights.size} nights, ` +
      `${arrived().size} messages in ${receiver.received.length} requests, none lost`,
  )

  /** Starts nights of a new group and takes them to a pick, at most until the server dies. */
  async function playNights(host: Person, url: string, until: number, kill: () => void) {
    const send = async (by: Person, method: string, path: string, body?: object) => {
      const json = await callAs(url, by, method, path, body)
      if (acknowledged >= until) kill()
      return json
    }
    const others = people.filter((one) => one !== host)
    const group = await send(host, 'POST', '/api/groups', { name: 'Chaos', owner_steam_id: host.steamId })
    if (!group) return
    const path = `/api/groups/${String(group.group_id)}`
    await send(host, 'POST', `${path}/members`, { steam_ids: others.map((one) => one.steamId) })
    for (const other of others) await send(other, 'POST', `${path}/join`)
    await send(host, 'PUT', `${path}/webhook`, { url: receiver.url, format: 'json' })
    for (let n = 0; n < NIGHTS; n++) {
      const started = await send(host, 'POST', '/api/nights', {
        group_id: group.group_id,
        title: `Night ${n}`,
      })
      if (!started) return
      const id = Number(started.night_id)
      const known: Known = {
        host,
        answers: new Map(),
        ballots: new Map(),
        decided: false,
        events: new Set(['night.started']),
      }
      nights.set(id, known)
      const night = `/api/nights/${id}`
      const answers = others.map((one, nth) => [one, nth === 0 ? 'in' : 'out'] as const)
      const [first, last] = answers as [(typeof answers)[number], (typeof answers)[number]]
      const answer = async ([by, what]: readonly [Person, string]) => {
        const word = `${what} ${n}`
        const json = await send(by, 'PUT', `${night}/answer`, { answer: what, word })
        if (json) known.answers.set(by, { answer: what, word })
        return json
      }
      const vote = async (by: Person, appid: number) => {
        const json = await send(by, 'PUT', `${night}/ballot`, { marks: [{ appid, mark: 'want' }] })
        if (json) known.ballots.set(by, appid)
        return json
      }
      if (!(await answer(first))) return
      if (!(await vote(host, PORTAL)) || !(await vote(first[0], PORTAL))) return
      // With the last answer the vote ends by itself.
      const ended = (await answer(last)) as Partial<Night> | undefined
      if (!ended) return
      expect(ended.status).toBe('decided')
      known.decided = true
      known.events.add('night.decided')
    }
  }

  /** Errors about what was acknowledged and is not there. */
  async function lostIn(url: string): Promise<string[]> {
    const errors: string[] = []
    for (const [id, { host, answers, ballots, decided }] of nights)
      for (const by of [host, ...answers.keys()]) {
        const night = (await callAs(url, by, 'GET', `/api/nights/${id}`)) as Night | undefined
        if (!night) {
          errors.push(`night ${id} cannot be read`)
          continue
        }
        const said = answers.get(by)
        if (said && (night.my.answer !== said.answer || night.my.word !== said.word))
          errors.push(`night ${id}: the answer is ${night.my.answer}, not ${said.answer}`)
        const voted = ballots.get(by)
        if (voted !== undefined && night.my.marks?.[0]?.appid !== voted)
          errors.push(`night ${id}: the ballot of ${by.steamId} is gone`)
        if (decided && night.pick?.appid !== PORTAL) errors.push(`night ${id} has no pick`)
      }
    return errors
  }

  /** Keys of the messages that arrived, by night and event. */
  function arrived(): Map<string, Set<string>> {
    const keys = new Map<string, Set<string>>()
    for (const { headers, body } of receiver.received) {
      const { event, night } = JSON.parse(body) as { event: string; night: { night_id: number } }
      const name = `${night.night_id} ${event}`
      keys.set(name, (keys.get(name) ?? new Set()).add(String(headers['idempotency-key'])))
    }
    return keys
  }
})
