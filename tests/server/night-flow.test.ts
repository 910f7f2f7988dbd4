/**
 * Random sequences of calls on game nights, each compared with a naive model of the rules (NIGHT-3 to NIGHT-8, NIGHT-15
 * to NIGHT-19, NIGHT-27 to NIGHT-30). NIGHT_SEED: the run to repeat; NIGHT_COUNT: how many nights, 6 by default.
 */
import { expect, test } from 'vitest'
import { nightsContract } from '#shared/contract/nights.ts'
import type { Ballot, Night } from '#shared/nights/entities.ts'
import { randomFrom } from '../../bench/population.ts'
import { startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { friendsWithGames } from '../support/nights.ts'

const SEED = Number(process.env.NIGHT_SEED ?? Date.now() % 1_000_000)
const NIGHTS = Number(process.env.NIGHT_COUNT ?? 6)
const STEPS = 30
const NAMES = ['Portal', 'Factorio', 'Overcooked']

type Pick = <T>(values: readonly T[]) => T
type Guest = { answer: 'in' | 'maybe' | 'out' | null; since: number; ballot: Ballot | null }

/** The rules, written down as simply as possible; `refusal` is the code of the error, or undefined. */
class Model {
  status: 'open' | 'tied' | 'decided' | 'cancelled' = 'open'
  guests = new Map<string, Guest>()
  host: string | null
  /** Of the group; leads the night like its host. */
  owner: string
  forbids = false
  by: 'votes' | 'draw' = 'votes'
  /** Scores and games ruled out, when the vote ended. */
  scores: Map<number, number> | undefined
  ruledOut: number[] = []
  drawn: number[] = []
  wasDrawn = false
  games: readonly number[]

  constructor(people: readonly string[], games: readonly number[]) {
    this.games = games
    for (const id of people) this.guests.set(id, { answer: null, since: 0, ballot: null })
    this.host = this.owner = people[0]!
    this.guests.get(this.host)!.answer = 'in'
  }

  #refusal(who: string, leadersOnly: boolean): string | undefined {
    if (!this.guests.has(who)) return 'night_not_found'
    if (leadersOnly && this.host !== who && this.owner !== who) return 'not_night_host'
    return undefined
  }

  #coming(): Guest[] {
    return [...this.guests.values()].filter((guest) => guest.answer === 'in')
  }

  answer(who: string, answer: 'in' | 'maybe' | 'out', now: number): string | undefined {
    const refusal = this.#refusal(who, false) ?? (this.status === 'cancelled' ? 'night_has_ended' : undefined)
    if (refusal) return refusal
    const guest = this.guests.get(who)!
    const wasComplete = this.#isComplete()
    if (guest.answer !== answer) Object.assign(guest, { answer, since: now })
    this.#endIfComplete(wasComplete)
  }

  vote(who: string, ballot: Ballot): string | undefined {
    const refusal = this.#refusal(who, false)
    if (refusal) return refusal
    if (this.status !== 'open') return 'night_has_ended'
    const guest = this.guests.get(who)!
    if (guest.answer !== 'in') return 'not_in_night'
    const wasComplete = this.#isComplete()
    guest.ballot = ballot
    this.#endIfComplete(wasComplete)
  }

  reopen(who: string): string | undefined {
    const refusal = this.#refusal(who, true)
    if (refusal) return refusal
    if (this.status === 'cancelled') return 'night_has_ended'
    if (this.status === 'open') return
    if (this.wasDrawn) return 'already_drawn'
    Object.assign(this, { status: 'open', scores: undefined, ruledOut: [], drawn: [] })
  }

  close(who: string, by: 'votes' | 'draw'): string | undefined {
    const refusal = this.#refusal(who, true)
    if (refusal) return refusal
    if (this.status === 'cancelled') return 'night_has_ended'
    if (this.status !== 'open') return
    if (this.#coming().length === 0) return 'no_games_left'
    this.#end(by)
  }

  /** Whether there is something to draw; the test draws. */
  draw(who: string, again: boolean): string | undefined {
    const refusal = this.#refusal(who, true)
    if (refusal) return refusal
    if (this.status === 'decided' && !again) return
    if (this.status === 'cancelled') return 'night_has_ended'
    if (this.status === 'open' || (again && this.status !== 'decided')) return 'vote_is_open'
    if (this.odds().length === 0) return 'no_games_left'
  }

  setForbids(who: string, forbids: boolean): string | undefined {
    const refusal = this.#refusal(who, true)
    if (refusal) return refusal
    if (this.status === 'cancelled') return 'night_has_ended'
    if (forbids === this.forbids) return
    if (this.status !== 'open') return 'night_has_ended'
    if ([...this.guests.values()].some((guest) => guest.ballot)) return 'vote_has_begun'
    this.forbids = forbids
  }

  cancel(who: string): string | undefined {
    const refusal = this.#refusal(who, true)
    if (refusal) return refusal
    this.status = 'cancelled'
  }

  remove(who: string, other: string): string | undefined {
    const refusal = this.#refusal(who, who !== other)
    if (refusal) return refusal
    if (who !== other && other === this.owner) return 'owner_cannot_be_removed'
    if (who !== other && this.status === 'cancelled') return 'night_has_ended'
    const wasComplete = this.#isComplete()
    if (!this.guests.delete(other)) return 'night_person_not_found'
    if (this.host === other) {
      const heirs = (answer: string) =>
        [...this.guests]
          .filter(([, guest]) => guest.answer === answer)
          .sort((a, b) => a[1].since - b[1].since)
          .map(([id]) => id)
      const isPast = this.status === 'cancelled'
      this.host = isPast ? null : ([...heirs('in'), ...heirs('maybe')][0] ?? null)
      if (this.host === null) this.status = 'cancelled'
    }
    this.#endIfComplete(wasComplete)
  }

  #isComplete(): boolean {
    const coming = this.#coming()
    const hasAll = [...this.guests.values()].every((guest) => guest.answer !== null)
    return hasAll && coming.length > 1 && coming.every((guest) => guest.ballot)
  }

  /** A reopened vote may be complete, and stay open. */
  #endIfComplete(wasComplete: boolean): void {
    if (this.status === 'open' && !wasComplete && this.#isComplete()) this.#end('votes')
  }

  #end(by: 'votes' | 'draw'): void {
    this.by = by
    for (const guest of this.guests.values()) if (guest.answer !== 'in') guest.ballot = null
    const marksOf = (appid: number) =>
      this.#coming().flatMap((guest) => (guest.ballot ?? []).filter((mark) => mark.appid === appid))
    this.scores = new Map(
      this.games.map((appid) => {
        let score = 0
        for (const { mark } of marksOf(appid)) score += mark === 'want' ? 2 : mark === 'fine' ? 1 : -3
        return [appid, score]
      }),
    )
    const refused = this.games.filter((appid) => marksOf(appid).some(({ mark }) => mark === 'no'))
    this.ruledOut = this.forbids && refused.length < this.games.length ? refused : []
    this.status = 'tied'
    if (by === 'votes' && this.odds().length === 1) this.decide(this.odds()[0]!.appid, false)
  }

  decide(appid: number, wasDrawn: boolean): void {
    this.wasDrawn = wasDrawn
    this.drawn.push(appid)
    this.status = 'decided'
  }

  odds(): { appid: number; weight: number }[] {
    const left = this.games.filter((appid) => !this.ruledOut.includes(appid) && !this.drawn.includes(appid))
    const scoreOf = (appid: number) => this.scores!.get(appid)!
    const liked = left.filter((appid) => scoreOf(appid) > 0)
    const most = Math.max(...left.map(scoreOf))
    const odds =
      this.by === 'draw' && liked.length > 0
        ? liked.map((appid) => ({ appid, weight: scoreOf(appid) }))
        : left.filter((appid) => scoreOf(appid) === most).map((appid) => ({ appid, weight: 1 }))
    return odds.sort((a, b) => a.appid - b.appid)
  }

  /** What `viewer` sees. */
  seenBy(viewer: string) {
    const me = this.guests.get(viewer)!
    const seesMarks = this.scores !== undefined || (me.answer === 'in' && (me.ballot ?? []).length > 0)
    return {
      status: this.status,
      host_steam_id: this.host,
      forbids: this.forbids,
      people: [...this.guests].map(([steam_id, { answer, ballot }]) => {
        // What counted stays shown.
        const voted = ballot !== null && (this.scores !== undefined || answer === 'in')
        return { steam_id, answer, voted, marks: voted && (seesMarks || steam_id === viewer) ? ballot : null }
      }),
      scores: this.scores ? [...this.scores].map(([appid, score]) => [appid, score]) : null,
      odds: this.scores ? this.odds() : null,
      draws: this.drawn,
      can_reopen: (this.status === 'tied' || this.status === 'decided') && !this.wasDrawn,
    }
  }
}

/** The same of a response. */
function seenIn(night: Night) {
  const byId = (a: { steam_id: string }, b: { steam_id: string }) => (a.steam_id < b.steam_id ? -1 : 1)
  return {
    status: night.status,
    host_steam_id: night.host_steam_id,
    forbids: night.forbids,
    people: night.people
      .map(({ steam_id, answer, voted, marks }) => ({ steam_id, answer, voted, marks }))
      .sort(byId),
    scores: night.scores?.map(({ appid, score }) => [appid, score]) ?? null,
    odds: night.odds,
    draws: night.draws.map((draw) => draw.appid),
    can_reopen: night.can_reopen,
  }
}

test.each(engines)(
  'NIGHT-14, NIGHT-16, NIGHT-126: random calls on %s do what the rules say',
  { timeout: 240_000 },
  async (engine) => {
    const time = { now: Date.now() }
    const app = await startTestApp({
      engine,
      clock: () => ++time.now,
      requestLimits: { perAddress: 1e9, perToken: 1e9 },
    })
    const { host, others, groupId } = await friendsWithGames(app, 4, NAMES)
    const people = [host, ...others]
    const random = randomFrom(SEED)
    const pick: Pick = (values) => values[Math.floor(random() * values.length)]!
    const happened = new Set<string>()

    // The calls must reach all that the model is about, so there are more nights until they have.
    const usual = ['answer', 'vote', 'not_in_night', 'reopen', 'already_drawn', 'vote_is_open', 'decided']
    const missing = () => usual.filter((what) => !happened.has(what))
    for (let count = 0; count < NIGHTS || (missing().length > 0 && count < NIGHTS + 60); count++) {
      const night = await host.call(nightsContract.start, {}, { group_id: groupId })
      const games = night.shortlist.map((game) => game.appid)
      expect(games).toHaveLength(NAMES.length)
      const model = new Model(
        people.map((player) => player.steam_id),
        games,
      )
      const done: string[] = []
      for (let step = 0; step < STEPS && model.guests.size > 0; step++)
        happened.add(await randomCall({ app, night, model, people, pick, done, time }))
      happened.add(model.status)
      // Makes room for the next night.
      await app.database.queries.deleteFrom('used_once').execute()
      const left = people.find((player) => player.steam_id === model.host)
      if (left) await left.call(nightsContract.cancel, { id: night.night_id })
    }
    expect(missing(), `seed ${SEED}`).toEqual([])
  },
)

async function randomCall({
  app,
  night,
  model,
  people,
  pick,
  done,
  time,
}: {
  app: TestApp
  night: Night
  model: Model
  people: TestPlayer[]
  pick: Pick
  done: string[]
  time: { now: number }
}): Promise<string> {
  const [by, other] = [pick(people), pick(people)]
  const id = { id: night.night_id }
  const isHost = people.find((player) => player.steam_id === model.host) ?? by
  // Calls of the host alone would otherwise rarely succeed.
  const host = pick([isHost, isHost, by])
  const kind = pick([
    ...[
      'answer',
      'answer',
      'answer',
      'vote',
      'vote',
      'vote',
      'vote',
      'close',
      'reopen',
      'draw',
      'redraw',
      'forbids',
    ],
    ...(done.length % 10 === 9 ? ['remove', 'leave', 'cancel'] : []),
  ])
  const marks = model.games
    .filter(() => pick([true, true, false]))
    .map((appid) => ({ appid, mark: pick(['want', 'fine', 'no'] as const) }))
  const answer = pick(['in', 'in', 'in', 'maybe', 'out'] as const)
  const how = pick(['votes', 'draw'] as const)
  const forbids = pick([true, false])
  const calls: Record<string, () => [string | undefined, Promise<Response>]> = {
    answer: () => [
      model.answer(by.steam_id, answer, time.now),
      by.attempt(nightsContract.answer, id, { answer }),
    ],
    vote: () => [model.vote(by.steam_id, marks), by.attempt(nightsContract.vote, id, { marks })],
    close: () => [model.close(host.steam_id, how), host.attempt(nightsContract.close, id, { by: how })],
    reopen: () => [model.reopen(host.steam_id), host.attempt(nightsContract.reopen, id)],
    draw: () => [model.draw(host.steam_id, false), host.attempt(nightsContract.draw, id)],
    redraw: () => [
      model.draw(host.steam_id, true),
      host.attempt(nightsContract.redraw, id, { reason: 'another' }),
    ],
    forbids: () => [
      model.setForbids(host.steam_id, forbids),
      host.attempt(nightsContract.change, id, { forbids }),
    ],
    cancel: () => [model.cancel(host.steam_id), host.attempt(nightsContract.cancel, id)],
    remove: () => [
      model.remove(host.steam_id, other.steam_id),
      host.attempt(nightsContract.removePlayer, { ...id, steamId: other.steam_id }),
    ],
    leave: () => [
      model.remove(by.steam_id, by.steam_id),
      by.attempt(nightsContract.removePlayer, { ...id, steamId: by.steam_id }),
    ],
  }
  const oddsBefore = model.scores ? model.odds() : []
  const isDecided = model.status === 'decided'
  const [refusal, sent] = calls[kind]!()
  const response = await sent
  const body = (await response.json()) as { code?: string } & Night
  done.push(`${kind} ${people.indexOf(by)} ${people.indexOf(host)}`)
  const where = `seed ${SEED}, after ${done.join(', ')}`
  expect(response.ok ? undefined : body.code, where).toBe(refusal)

  // Which game a draw gives is the draw's own test; here it must be one of the odds.
  if (refusal === undefined && (kind === 'redraw' || (kind === 'draw' && !isDecided))) {
    const drawn = body.pick!.appid
    expect(
      oddsBefore.map((game) => game.appid),
      where,
    ).toContain(drawn)
    model.decide(drawn, true)
  }
  // A vote that is complete without somebody ends in the background.
  if (kind === 'remove' || kind === 'leave') await app.deps.messages.runOnce()
  const viewer = people.find((player) => model.guests.has(player.steam_id) && pick([true, false]))
  if (viewer)
    expect(seenIn(await viewer.call(nightsContract.read, id)), where).toEqual(
      sorted(model.seenBy(viewer.steam_id)),
    )
  return refusal ?? kind
}

function sorted(seen: ReturnType<Model['seenBy']>) {
  return { ...seen, people: seen.people.toSorted((a, b) => (a.steam_id < b.steam_id ? -1 : 1)) }
}
