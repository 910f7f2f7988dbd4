/**
 * Two worlds that differ only in the games of somebody who is not in, and whose library the viewer may not see, are the same
 * to the viewer, whatever happens in a night (NIGHT-122, NIGHT-124). NIGHT_SEED: the run to repeat; NIGHT_COUNT: how many
 * nights, 4 by default.
 */
import { describe, expect, test } from 'vitest'
import type { Ballot } from '#shared/nights/entities.ts'
import { randomFrom } from '../../bench/population.ts'
import { changed } from '../../src/server/database/cache-tags.ts'
import { api, type EngineName, engines, startTestApp } from '../support/app.ts'
import { watch } from '../support/events.ts'
import { startReceiver } from '../support/hooks.ts'
import { inNight } from '../support/nights.ts'
import type { TestPlayer } from '../support/product.ts'
import { storeSays } from '../support/store.ts'

const SEED = Number(process.env.NIGHT_SEED ?? Date.now() % 1_000_000)
const NIGHTS = Number(process.env.NIGHT_COUNT ?? 4)
const STEPS = 24
/** According to the store. */
const ONLINE_COOP = [9, 38]
const START = Date.UTC(2026, 5, 1, 12)
const GAMES = Array.from({ length: 30 }, (_, nth) => `Game ${nth}`)

type Library = { games: number[]; hidden: number[] }
type Name = 'host' | 'viewer' | 'other' | 'secret'
type Step = {
  do:
    | 'answer'
    | 'vote'
    | 'own'
    | 'disown'
    | 'conceal'
    | 'sync'
    | 'close'
    | 'draw'
    | 'redraw'
    | 'reopen'
    | 'share'
    | 'title'
  who: Name
  answer: 'in' | 'maybe' | 'out'
  marks: Ballot
  by: 'votes' | 'draw'
  /** A game that one owns elsewhere. */
  appid: number
  visibility: 'connected' | 'nobody'
  /** What the secret library becomes in each of the worlds. */
  library: [Library, Library]
}

/** A server with four players; only the host is connected with the one whose games are secret. */
async function startWorld(engine: EngineName, nth: 0 | 1) {
  const clock = { now: START }
  const receiver = await startReceiver()
  const app = await startTestApp({ engine, clock: () => clock.now, web: receiver.web })
  const owned = (every: number) =>
    Object.fromEntries(GAMES.filter((_, game) => game % every !== 1).map((name, game) => [name, 90 + game]))
  // Numbered by the first who owns them all.
  const steamId = (last: number) => `7656119796030010${last}`
  const host = { steamId: steamId(1), name: 'Host', games: owned(40) }
  // Before the server asks it itself.
  await storeSays(
    app,
    Object.fromEntries(GAMES.map((name, nth) => [name, { categories: ONLINE_COOP, free: nth % 4 === 0 }])),
  )
  const secret = await app.player({ steamId: steamId(4), name: 'Secret', games: owned(40) })
  const viewer = await app.player({ steamId: steamId(2), name: 'Viewer', games: owned(7) })
  const other = await app.player({ steamId: steamId(3), name: 'Other', games: owned(5) })
  const players: Record<Name, TestPlayer> = {
    secret,
    viewer,
    other,
    host: await app.player({ ...host, friends: [secret, viewer, other] }),
  }
  const { group_id } = await app.group({ owner: players.host, members: [viewer, other] })
  await players.host.call(api.groups.addMembers, { id: group_id }, { steam_ids: [secret.steam_id] })
  await players.host.call(api.webhooks.set, { id: group_id }, { url: receiver.url, format: 'json' })
  const appids = GAMES.map((name) => app.appidOf(name))

  /** Gives the secret library its games. */
  async function change({ games, hidden }: Library): Promise<void> {
    const { steam_id } = secret
    app.simulator.setGames(
      steam_id,
      games.map((game) => ({ appid: appids[game]!, minutes: 9 * game, recentMinutes: 0, lastPlayed: 0 })),
    )
    await app.deps.sync.syncGames(steam_id, steam_id)
    for (const gameId of hidden)
      await (
        await secret.attempt(api.privacy.hideGame, { steamId: steam_id, gameId: appids[gameId]! })
      ).text()
  }

  /** A night from its start to its end: what the viewer saw at each step, and the host saw of the list. */
  async function night(library: [Library, Library], steps: readonly Step[]) {
    await change(library[nth])
    clock.now += 13 * 60 * 60_000
    const seen: unknown[] = []
    const seenByHost: unknown[] = []
    const { night_id } = await players.host.call(api.nights.start, {}, { group_id })
    const id = { id: night_id }
    // A draw leaves a new seed for the next one.
    const useSameSeed = () =>
      app.database.transaction((tx) => {
        changed(tx, 'night', [night_id])
        return tx
          .updateTable('nights')
          .set({ seed: '5'.repeat(64) })
          .where('night_id', '=', night_id)
          .execute()
      })
    await useSameSeed()
    const as = (who: Name) => inNight({ night_id }, players[who])
    const stream = await watch(players.viewer)
    for (const step of steps) {
      clock.now += 60_000
      const before = (await as('viewer').read()).version
      const by = players[step.who]
      const marker = step.who === 'secret' ? players.secret : players.other
      const isByViewer = step.who === 'viewer' && ['answer', 'vote', 'disown'].includes(step.do)
      const response = await {
        answer: () => by.attempt(api.nights.answer, id, { answer: step.answer }),
        vote: () => by.attempt(api.nights.vote, id, { marks: step.marks }),
        own: () =>
          marker.attempt(api.privacy.ownElsewhere, { ...marker.user, gameId: step.appid }, { where: 'gog' }),
        disown: () => by.attempt(api.privacy.notElsewhere, { ...by.user, gameId: step.appid }),
        // Whose games are not counted can still own some elsewhere (NIGHT-134).
        conceal: () =>
          players.other.attempt(
            api.privacy.changeSettings,
            { steamId: players.other.steam_id },
            { library_visibility: step.visibility },
          ),
        sync: async () => {
          await change(step.library[nth])
          return undefined
        },
        close: () => players.host.attempt(api.nights.close, id, { by: step.by }),
        draw: () => players.host.attempt(api.nights.draw, id),
        redraw: () => players.host.attempt(api.nights.redraw, id, { reason: 'again' }),
        reopen: () => players.host.attempt(api.nights.reopen, id),
        share: () => players.other.attempt(api.share.create, id),
        title: () => players.host.attempt(api.nights.change, id, { title: `At ${clock.now}` }),
      }[step.do]()
      const body = await response?.text()
      if (['close', 'draw', 'redraw'].includes(step.do)) await useSameSeed()
      const view = await as('viewer').read()
      if (view.version !== before) await stream.until(`night:${night_id}`)
      const shared = await players.viewer.call(api.share.read, id)
      seen.push({
        did: step.do,
        status: response?.status,
        // What others are answered is theirs, unless they are refused.
        body: isByViewer || !response?.ok ? body : undefined,
        view,
        list: await players.viewer.call(api.nights.list, { steamId: players.viewer.steam_id }),
        ofGroup: await players.viewer.call(api.nights.listOfGroup, { id: group_id }),
        page:
          shared && (await (await fetch(shared.url)).text()).replaceAll(shared.url.split('/').at(-1)!, ''),
        isShared: shared !== null,
      })
      seenByHost.push((await as('host').read()).shortlist)
    }
    stream.close()
    await as('host').cancel()
    for (let sent = 1; sent > 0;) sent = await app.deps.messages.runOnce()
    const local = (text: string) =>
      text
        .replaceAll(app.url, 'APP')
        .replaceAll(/localhost:\d+|127\.0\.0\.1:\d+/g, 'PLACE')
        .replaceAll(/UID:[\w-]+|DTSTAMP:\w+|request_id":"[^"]+"/g, '')
    return {
      viewer: local(JSON.stringify(seen)),
      host: local(JSON.stringify(seenByHost)),
      messages: local(JSON.stringify(receiver.bodies())),
    }
  }
  return { night, appids }
}

function randomSteps(
  random: () => number,
  appids: readonly number[],
): { library: Step['library']; steps: Step[] } {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!
  const some = (share: number) => GAMES.map((_, nth) => nth).filter(() => random() < share)
  const library = (): Library => ({ games: some(0.6), hidden: some(0.1) })
  const step = (): Step => {
    const who = pick<Name>(['host', 'viewer', 'viewer', 'other', 'secret'])
    const answer = pick(['in', 'in', 'in', 'maybe', 'out'] as const)
    return {
      do: pick([
        ...(['answer', 'answer', 'answer', 'vote', 'vote', 'vote', 'vote', 'sync', 'title'] as const),
        ...(['own', 'own', 'own', 'own', 'disown', 'conceal', 'conceal'] as const),
        ...(['close', 'draw', 'redraw', 'reopen', 'reopen', 'share'] as const),
      ]),
      who,
      // Who says 'in' opens their library.
      answer: who === 'secret' && answer === 'in' ? pick(['maybe', 'out'] as const) : answer,
      marks: some(0.3).map((nth) => ({ appid: appids[nth]!, mark: pick(['want', 'fine', 'no'] as const) })),
      by: pick(['votes', 'draw'] as const),
      appid: pick(appids),
      visibility: pick(['connected', 'nobody', 'nobody'] as const),
      library: [library(), library()],
    }
  }
  return { library: [library(), library()], steps: Array.from({ length: STEPS }, step) }
}

/** Where two long texts differ, with what is around it. */
function difference(one: string, two: string): [string, string] | undefined {
  if (one === two) return undefined
  let at = 0
  while (one[at] === two[at]) at++
  return [one.slice(at - 200, at + 100), two.slice(at - 200, at + 100)]
}

describe.each(engines)('the games of somebody who is not in (%s)', (engine) => {
  test('NIGHT-122, NIGHT-124, NIGHT-134: change nothing for others', { timeout: 240_000 }, async () => {
    const [one, two] = [await startWorld(engine, 0), await startWorld(engine, 1)]
    expect(one.appids).toEqual(two.appids)
    const random = randomFrom(SEED)
    let differing = 0
    for (let count = 0; count < NIGHTS; count++) {
      const { library, steps } = randomSteps(random, one.appids)
      const first = await one.night(library, steps)
      const second = await two.night(library, steps)
      const where = `seed ${SEED}, night ${count + 1}`
      expect(difference(first.viewer, second.viewer), where).toBeUndefined()
      expect(difference(first.messages, second.messages), where).toBeUndefined()
      if (first.host !== second.host) differing++
    }
    // The host may see them: the worlds are different.
    expect(differing).toBeGreaterThan(0)
  })
})
