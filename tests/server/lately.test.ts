/** What happened lately among friends and groups (LATELY-1, LATELY-2). */
import { describe, expect, test } from 'vitest'
import type { Lately } from '#shared/contract/lately.ts'
import type { WebAccess } from '../../src/server/pictures/public-request.ts'
import { api, startAt, type TestPlayer } from '../support/app.ts'
import { type EngineName, engines } from '../support/databases.ts'
import { inNight, startInGroup } from '../support/nights.ts'
import { startReceiver } from '../support/hooks.ts'

const DAY = 24 * 60 * 60_000
const START = Date.UTC(2026, 10, 2, 12)
const NAMES = ['Base', 'Raiders', 'Solo', 'Extra', 'Secret', 'Old', 'Sale']

/** Ada is a friend of all, has a group with Bob and Cal, and none with Dan. */
async function crew(engine: EngineName, options: { web?: WebAccess } = {}) {
  const { app, time } = await startAt(START, {
    engine,
    ...options,
    oneServer: 'what was looked at is in the memory of a server',
  })
  for (const [nth, name] of NAMES.entries())
    app.simulator.addApp({
      appid: 800_001 + nth,
      name,
      iconHash: '',
      kind: 0,
      categories: [name === 'Solo' ? 2 : 38],
      price: 1999,
      ...(name === 'Sale' && { sale: { percent: 75 } }),
    })
  const games = { Base: 60, Sale: 5 }
  const libraries = { bob: games, cal: { Base: 60, Raiders: 5, Old: 60 }, dan: games }
  const bob = await app.player({ name: 'Bob', games })
  const cal = await app.player({ name: 'Cal', games: libraries.cal })
  const dan = await app.player({ name: 'Dan', games })
  const ada = await app.player({ name: 'Ada', games: { ...games, Raiders: 90 }, friends: [bob, cal, dan] })
  const { group_id: id } = await app.group({ owner: ada, members: [bob, cal], name: 'Friday' })
  // Who has not joined counts for nobody, and sees nothing.
  const eve = await app.player({ name: 'Eve', games: { Solo: 5 } })
  app.simulator.befriend(ada.steam_id, eve.steam_id)
  await app.deps.sync.syncFriends(eve.steam_id)
  await ada.call(api.groups.addMembers, { id }, { steam_ids: [eve.steam_id] })
  while ((await app.deps.catalogue.readStoreDetails()) > 0);
  /** A day later somebody has another library. */
  const own = async (who: TestPlayer, library: Record<string, number>, lastPlayed?: number) => {
    time.now += DAY
    app.giveGames(who, library, lastPlayed)
    await app.deps.sync.syncGames(who.steam_id, who.steam_id)
    await app.database.queries.deleteFrom('syncs').execute()
    while ((await app.deps.catalogue.readStoreDetails()) > 0);
  }
  /** Ada and Bob play a game. */
  const play = async (name: string) => {
    const night = await startInGroup(ada, id)
    await inNight(night, bob).answer('in')
    await inNight(night, bob).vote([{ appid: app.appidOf(name), mark: 'want' }])
    await inNight(night, ada).decide(app.appidOf(name))
  }
  return { app, time, ada, bob, cal, dan, eve, id, libraries, own, play }
}

const readLately = async (me: TestPlayer) => (await me.call(api.lately.read, me.user)).entries
/** In a few words. */
const words = async (me: TestPlayer) => (await readLately(me)).map(inWords)
function inWords(entry: Lately): string {
  if (entry.kind === 'night') return `night: ${entry.game.name}`
  const who = entry.player.display_name
  if ('games' in entry)
    return `${who} ${entry.kind} ${entry.games.map(({ name }) => name).join(', ')} +${entry.more}`
  return `${entry.kind} ${entry.game.name} ${who} in ${entry.group.name}`
}

describe.each(engines)('lately (%s)', (engine) => {
  test('LATELY-1: what friends got or played again, what all own now, nights with their picks, and sales', async () => {
    const { app, time, ada, bob, cal, dan, eve, id, libraries, own, play } = await crew(engine)
    expect(await words(ada)).toEqual([])
    await app.deps.prices.readWanted()
    expect(await words(ada)).toEqual(['sale Sale Cal in Friday'])
    expect((await readLately(ada))[0]).toMatchObject({
      at: new Date(START).toISOString(),
      price: { formatted: '$5.00', discount_percent: 75, country: 'US' },
    })

    await play('Base')
    await own(dan, { ...libraries.dan, Solo: 0, Extra: 0, Secret: 0, Old: 0, Raiders: 0 })
    await own(bob, { ...libraries.bob, Raiders: 30, Solo: 0 })
    // Last played in 2023 before.
    await own(cal, { ...libraries.cal, Old: 90 }, Math.floor(time.now / 1000) + 3600)
    time.now += DAY
    expect(await words(ada)).toEqual([
      'Cal again Old +0',
      'all_own Raiders Bob in Friday',
      'Bob got Solo +0',
      'Dan got Raiders, Solo, Extra +2',
      'night: Base',
    ])
    expect((await readLately(ada))[1]).toMatchObject({
      members: 3,
      group: { group_id: id },
      player: { steam_id: bob.steam_id },
    })
    // Bob and Cal are no friends, but in a group; Dan is a stranger to both.
    expect(await words(cal)).toEqual(['all_own Raiders Bob in Friday', 'Bob got Solo +0'])
    // What a user got is news to the others alone.
    expect(await words(dan)).toEqual([])
    expect(await words(eve)).toEqual([])

    // A session ends that is not used for so long.
    time.now += 16 * DAY
    expect(await words(ada)).toHaveLength(5)
    time.now += 15 * DAY
    expect(await words(ada)).toEqual([])
  })

  test('LATELY-1: a page at a time', async () => {
    const { ada, bob, libraries, own, time } = await crew(engine)
    for (let nth = 0; nth < 23; nth++) {
      time.now -= DAY - 60_000
      const more = Object.fromEntries(Array.from({ length: nth + 1 }, (_, one) => [900_100 + one, 0]))
      await own(bob, { ...libraries.bob, ...more })
    }
    const steamId = ada.steam_id
    const first = await ada.call(api.lately.read, { steamId })
    expect([first.entries.length, first.next]).toEqual([20, 20])
    const second = await ada.call(api.lately.more, { steamId, from: '20' })
    expect([second.entries.length, second.next]).toEqual([3, null])
    expect(new Set([...first.entries, ...second.entries].map(({ at }) => at)).size).toBe(23)
    expect((await ada.call(api.lately.more, { steamId, from: '40' })).entries).toEqual([])
  })

  test('LATELY-1, VIS-8: a wish that three of a group share, since the third one, without who hides the game', async () => {
    const { app, time, ada, bob, cal, dan, eve, id } = await crew(engine)
    const gameId = app.appidOf('Raiders')
    for (const one of [bob, ada, cal]) {
      expect((await words(ada)).join()).not.toContain('wish')
      time.now += DAY
      await one.call(api.wishes.want, { id, gameId })
    }
    const third = new Date(time.now).toISOString()
    time.now += DAY
    const wishOf = async (one: TestPlayer) => (await readLately(one)).find(({ kind }) => kind === 'wish')
    for (const one of [ada, bob, cal])
      expect(await wishOf(one)).toMatchObject({
        at: third,
        members: 3,
        player: { steam_id: cal.steam_id },
        group: { group_id: id },
        game: { name: 'Raiders' },
      })
    for (const one of [dan, eve]) expect(await wishOf(one)).toBeUndefined()
    await bob.call(api.privacy.hideGame, { ...bob.user, gameId })
    expect(await wishOf(ada)).toBeUndefined()
    expect(await wishOf(bob)).toMatchObject({ members: 3 })
    await bob.call(api.privacy.unhideGame, { ...bob.user, gameId })
    expect(await wishOf(ada)).toMatchObject({ members: 3 })
    await cal.call(api.wishes.unwant, { id, gameId })
    expect(await wishOf(ada)).toBeUndefined()
  })

  test('LATELY-2, VIS-8, VIS-1: nothing of hidden games and libraries, of strangers, or of whoever has left', async () => {
    const [hiding, without] = [await crew(engine), await crew(engine)]
    for (const { app, bob } of [hiding, without])
      for (const name of ['Secret', 'Extra'])
        await bob.call(api.privacy.hideGame, { ...bob.user, gameId: app.appidOf(name) })
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [900_100 + nth, 0]))
    await hiding.own(hiding.bob, { ...hiding.libraries.bob, ...many, Secret: 30, Extra: 0, Raiders: 9 })
    await without.own(without.bob, { ...without.libraries.bob, ...many, Raiders: 9 })
    await hiding.own(hiding.bob, { ...hiding.libraries.bob, Secret: 60, Extra: 0, Raiders: 9, Solo: 0 })
    await without.own(without.bob, { ...without.libraries.bob, Raiders: 9, Solo: 0 })
    const seen = async ({ ada, cal }: typeof hiding) => [await words(ada), await words(cal)]
    expect(await seen(hiding)).toEqual(await seen(without))
    expect((await words(hiding.ada)).join()).toContain('Bob got Solo +0')
    // More than 20 new games, so none is news.
    expect((await words(hiding.ada)).join()).not.toContain('Raiders')

    const { ada, bob, cal, dan, id, own, libraries } = without
    await own(dan, { ...libraries.dan, Solo: 1 })
    expect(await words(ada)).toContain('Dan got Solo +0')
    await dan.call(api.privacy.changeSettings, dan.user, { library_visibility: 'nobody' })
    expect((await words(ada)).join()).not.toContain('Dan')
    expect((await words(cal)).join()).toContain('Bob')
    await bob.call(api.groups.leave, { id })
    expect(await words(cal)).toEqual([])
    // Ada is still a friend.
    expect((await words(ada)).join()).toContain('Bob')
    await bob.call(api.privacy.deleteAccount, bob.user)
    expect((await words(ada)).join()).not.toContain('Bob')
  })
})

describe.each(engines)('the message of the week (%s)', (engine) => {
  const WEEK = 7 * DAY

  test('LATELY-4: is sent once a week with news, names nobody, and says nothing that a member hides', async () => {
    const receiver = await startReceiver()
    const { app, time, ada, bob, cal, id, own, play } = await crew(engine, { web: receiver.web })
    const { url } = receiver
    const set = (rest: object) => ada.call(api.webhooks.set, { id }, { url, format: 'json', ...rest })
    expect((await set({})).weekly).toBe(false)
    expect((await set({ weekly: true })).weekly).toBe(true)
    // Kept where it is left out.
    expect((await set({})).weekly).toBe(true)
    const games = { Base: 60, Sale: 5 }
    await own(bob, { ...games, Raiders: 1, Secret: 1 })
    await own(cal, { Base: 60, Raiders: 5, Old: 60, Secret: 1 })
    await own(ada, { ...games, Raiders: 90, Secret: 1 })
    await bob.call(api.privacy.hideGame, { ...bob.user, gameId: app.appidOf('Secret') })
    for (const who of [ada, bob, cal])
      for (const name of ['Old', 'Secret']) await who.call(api.wishes.want, { id, gameId: app.appidOf(name) })
    const game = { name: 'Sketching', link: 'https://skribbl.io' }
    const { appid } = await ada.call(api.addedGames.add, { id }, game)
    for (const who of [ada, bob, cal]) await who.call(api.wishes.want, { id, gameId: appid })
    await play('Base')
    const sent = async () => {
      while ((await app.deps.messages.runOnce()) > 0);
      return receiver.bodies().filter(({ event }) => event === 'week')
    }
    expect(await sent()).toEqual([])

    time.now = START + WEEK + DAY / 2
    const [message, ...more] = await sent()
    expect(more).toEqual([])
    expect(message).toMatchObject({
      group: { group_id: id, name: 'Friday' },
      night: null,
      week: { owned: [{ name: 'Raiders' }], wanted: [{ name: 'Old' }], played: [{ name: 'Base' }] },
    })
    expect(message!.text).toBe(
      'This week in your group. Now all of you own Raiders. Three or more of you want to play Old. You played Base.',
    )
    expect(JSON.stringify(message)).not.toMatch(/Ada|Bob|Cal|Secret/)

    // What was picked is hidden then, too, and so is what waited for an hour.
    await play('Raiders')
    const hidden = { gameId: app.appidOf('Raiders') }
    await cal.call(api.privacy.hideGame, { steamId: cal.steam_id, ...hidden })
    time.now = START + 2 * WEEK + DAY
    expect(await sent()).toHaveLength(1)
    await cal.call(api.privacy.unhideGame, { steamId: cal.steam_id, ...hidden })
    time.now += 60_000
    await play('Raiders')
    receiver.respond(() => ({ status: 503 }))
    // A server that was off tells of all that happened since.
    time.now = START + 4 * WEEK
    expect((await sent()).slice(1)).toMatchObject([{ week: { played: [{ name: 'Raiders' }] } }])
    receiver.respond(() => ({ status: 204 }))
    time.now += 61 * 60_000
    expect(await sent()).toHaveLength(2)

    // A library for groups only does not count in what leaves them.
    await own(ada, { ...games, Raiders: 90, Old: 1 })
    await own(bob, { ...games, Raiders: 1, Old: 1 })
    await cal.call(api.privacy.changeSettings, cal.user, { library_visibility: 'groups' })
    time.now = START + 6 * WEEK
    expect(await sent()).toHaveLength(2)
    expect((await set({ weekly: false })).weekly).toBe(false)
  })
})
