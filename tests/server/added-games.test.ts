/** Games that are not on Steam, which members add to their group (API-56). */
import { describe, expect, test } from 'vitest'
import { ADDED_GAMES_MAX } from '#shared/limits.ts'
import { ADDED_APPIDS_FROM } from '#shared/playable.ts'
import { addGame } from '../../src/server/storage/groups/games.ts'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'

const SKRIBBL = { name: 'skribbl.io', link: 'https://skribbl.io/?room=a' }

describe.each(engines)('games that are not on Steam (%s)', (engine) => {
  /** Ada owns a group of Bob and Cal; Eve was added and has not joined. Dan is Ada's friend. */
  async function cast() {
    const app = await startTestApp({ engine })
    const games = { Portal: 90 }
    const [bob, cal] = [await app.player({ games }), await app.player({ games: {} })]
    const [dan, eve] = [await app.player({ games }), await app.player({ games })]
    const ada = await app.player({ games, friends: [bob, cal, dan, eve] })
    const { group_id: id } = await app.group({ owner: ada, members: [bob, cal], asked: [eve] })
    const shared = async (by: TestPlayer) =>
      (await by.call(api.groups.sharedGames, { id })).map((one) => one.name)
    return { app, ada, bob, cal, dan, eve, id, shared }
  }

  test('API-56, LIM-50: members who have joined add games by name and link; who added one and the owner take it away', async () => {
    const { app, ada, bob, cal, eve, id, shared } = await cast()
    const added = await bob.call(api.addedGames.add, { id }, { name: '  skribbl.io ', link: SKRIBBL.link })
    expect(added).toEqual({ ...SKRIBBL, appid: added.appid, added_by: bob.steam_id })
    const other = { name: 'Gnomes', link: 'http://gnomes.example' }
    const gnomes = await ada.call(api.addedGames.add, { id }, other)
    expect(gnomes.appid).toBe(added.appid + 1)
    const names = (await cal.call(api.addedGames.list, { id })).map(({ name }) => name)
    expect(names).toEqual(['Gnomes', 'skribbl.io'])
    for (const link of [
      'javascript:alert(1)',
      'http:evil',
      'https://steam.com@evil.example',
      'https://',
      'https://a.example/ b',
      'https://a.example/\u202Egpj.exe',
      'x'.repeat(501),
    ])
      expect((await bob.refused(api.addedGames.add, { id }, { name: 'x', link })).field).toBe('link')
    for (const name of ['\u3164', 'x'.repeat(101)])
      expect((await bob.refused(api.addedGames.add, { id }, { name, link: SKRIBBL.link })).field).toBe('name')

    const gameId = added.appid
    expect((await cal.refused(api.addedGames.remove, { id, gameId })).reason).toBe('only_adder_removes')
    await bob.call(api.addedGames.remove, { id, gameId })
    expect(await bob.refusedWith(api.addedGames.remove, { id, gameId })).toBe('game_not_found')
    const again = await bob.call(api.addedGames.add, { id }, SKRIBBL)
    expect(again.appid).toBe(gnomes.appid + 1)
    // Who has left is not named, and keeps nothing.
    await bob.call(api.groups.leave, { id })
    expect((await ada.call(api.addedGames.list, { id }))[1]!.added_by).toBeNull()
    expect(JSON.stringify(await bob.call(api.privacy.exportAll, bob.user))).not.toContain('skribbl')
    expect((await ada.call(api.privacy.exportAll, ada.user)).games_added).toMatchObject([{ name: 'Gnomes' }])
    await ada.call(api.addedGames.remove, { id, gameId: again.appid })
    expect(await shared(ada)).toEqual(['Gnomes'])
    expect(await shared(eve)).toEqual(['Portal'])

    const { database } = app.deps
    await database.transaction(async (tx) => {
      for (let left = ADDED_GAMES_MAX - 1; left > 0; left--)
        await addGame(database, tx, id, { ...SKRIBBL, added_by: ada.steam_id, added_at: 0 })
    })
    expect(await ada.refusedWith(api.addedGames.add, { id }, SKRIBBL)).toBe('too_many_added_games')
    await ada.call(api.groups.remove, { id })
    expect(await app.db.selectFrom('group_games').selectAll().execute()).toEqual([])
  })

  test('API-56: it stands in the lists of the group, in its nights, and is drawn; Steam is not asked about it', async () => {
    const { app, ada, bob, cal, id, shared } = await cast()
    const { appid } = await bob.call(api.addedGames.add, { id }, SKRIBBL)
    const game = { appid, name: SKRIBBL.name, link: SKRIBBL.link, image_url: null }
    const [first] = await cal.call(api.groups.sharedGames, { id })
    expect(first).toMatchObject({ ...game, total_playtime: 0, playtimes: { [ada.steam_id]: 0 } })
    await cal.call(api.wishes.want, { id, gameId: appid })
    expect(await ada.call(api.wishes.list, { id })).toMatchObject([{ game, price: null }])
    await cal.call(api.players.correct, { id, gameId: appid }, { players_max: 2 })
    expect((await ada.call(api.groups.sharedGames, { id }))[0]!.players_max).toBe(2)
    await cal.call(api.players.correct, { id, gameId: appid }, { players_max: null })
    expect(await cal.call(api.games.read, { ...cal.user, gameId: appid })).toMatchObject({
      ...{ ...game, known: true, price: null, wanted_in: [id] },
      groups: [{ group_id: id, counted: 3 }],
    })

    const { night_id } = await ada.call(api.nights.start, {}, { group_id: id })
    for (const one of [bob, cal]) await one.call(api.nights.answer, { id: night_id }, { answer: 'in' })
    const night = await ada.call(api.nights.read, { id: night_id })
    expect(night.shortlist).toMatchObject([{ ...game, lacking: [], facts: { owners: 4, never_played: 0 } }])
    for (const one of [ada, bob, cal])
      await one.call(api.nights.vote, { id: night_id }, { marks: [{ appid, mark: 'want' }] })
    const { pick } = await ada.call(api.nights.close, { id: night_id }, { by: 'votes' })
    expect(pick).toMatchObject({ ...game, lacking: [], ready: [ada, bob, cal].map((one) => one.steam_id) })
    const surprise = await ada.call(api.nights.surprise, { id })
    expect((await ada.call(api.nights.read, { id: surprise.night_id })).pick).toMatchObject(game)

    // What was taken away stays in nights by its name alone, and is wanted by nobody.
    await ada.call(api.addedGames.remove, { id, gameId: appid })
    const past = await cal.call(api.nights.read, { id: night_id })
    expect([past.pick!.name, past.pick!.link, past.shortlist[0]!.name]).toEqual([
      'skribbl.io',
      undefined,
      'skribbl.io',
    ])
    expect(await ada.call(api.wishes.list, { id })).toEqual([])
    expect(await shared(ada)).toEqual([])
    expect(
      await app.db.selectFrom('apps').select('appid').where('appid', '>', ADDED_APPIDS_FROM).execute(),
    ).toEqual([])
    expect(
      await app.db.selectFrom('prices').select('appid').where('appid', '>', ADDED_APPIDS_FROM).execute(),
    ).toEqual([])
  })

  test('API-56: nobody but members who have joined, and who is in a night of theirs, learns that it exists', async () => {
    const { ada, bob, cal, dan, eve, id, shared } = await cast()
    const { appid: gameId } = await bob.call(api.addedGames.add, { id }, SKRIBBL)
    const other = await dan.call(api.groups.create, {}, { name: 'Other', owner_steam_id: dan.steam_id })
    const absent = gameId + 7
    for (const outsider of [dan, eve]) {
      const page = async (appid: number) => {
        const refused = await outsider.refused(api.games.read, { ...outsider.user, gameId: appid })
        return [refused.status, refused.code]
      }
      expect(await page(gameId)).toEqual(await page(absent))
      const marked = { ...outsider.user, gameId }
      expect(await outsider.refusedWith(api.privacy.ownElsewhere, marked, { where: 'gog' })).toBe(
        'game_not_found',
      )
      expect((await outsider.call(api.library.gamePlaytime, marked)).game_name).toBe('')
    }
    expect(await dan.refusedWith(api.wishes.want, { id: other.group_id, gameId })).toBe('game_not_found')
    expect(await eve.refusedWith(api.players.read, { id, gameId })).toBe('game_not_found')
    expect([await shared(eve), await shared(cal)]).toEqual([['Portal'], ['skribbl.io']])

    const { night_id } = await ada.call(api.nights.start, {}, { group_id: id })
    await bob.call(api.nights.answer, { id: night_id }, { answer: 'in' })
    const { token } = await ada.call(api.invites.renewOfNight, { id: night_id })
    expect((await dan.call(api.invites.read, { token })).games).toEqual(['Portal'])
    await dan.call(api.invites.accept, { token }, { answer: 'maybe' })
    const listed = async (by: TestPlayer) =>
      (await by.call(api.nights.read, { id: night_id })).shortlist.map(({ name }) => name).toSorted()
    expect([await listed(dan), await listed(eve)]).toEqual([['Portal'], ['Portal']])
    await dan.call(api.nights.answer, { id: night_id }, { answer: 'in' })
    const both = ['Portal', 'skribbl.io']
    expect([await listed(dan), await listed(cal)]).toEqual([both, both])
    await bob.call(api.nights.vote, { id: night_id }, { marks: [{ appid: gameId, mark: 'want' }] })
    await ada.call(api.nights.close, { id: night_id }, { by: 'draw' })
    const { scores, odds, people } = await eve.call(api.nights.read, { id: night_id })
    expect(JSON.stringify([scores, odds, people])).not.toContain(String(gameId))
    await cal.call(api.groups.leave, { id })
    expect(await cal.refusedWith(api.games.read, { ...cal.user, gameId })).toBe('game_not_found')
  })

  test('API-56: people neither in nor joined read the name of the pick, and nothing of the other games', async () => {
    const { ada, bob, cal, eve, id } = await cast()
    const { appid } = await bob.call(api.addedGames.add, { id }, SKRIBBL)
    const other = await bob.call(
      api.addedGames.add,
      { id },
      { name: 'Gnomes', link: 'http://gnomes.example' },
    )
    const { night_id } = await ada.call(api.nights.start, {}, { group_id: id })
    for (const one of [bob, cal]) await one.call(api.nights.answer, { id: night_id }, { answer: 'in' })
    for (const one of [ada, bob, cal])
      await one.call(
        api.nights.vote,
        { id: night_id },
        { marks: [appid, other.appid].map((each) => ({ appid: each, mark: 'want' as const })) },
      )
    await ada.call(api.nights.close, { id: night_id }, { by: 'draw' })
    const { pick } = await ada.call(api.nights.draw, { id: night_id })
    expect(pick!.link).toMatch(/^http/)
    const { people, draws, ...seen } = await eve.call(api.nights.read, { id: night_id })
    const hidden = pick!.appid === appid ? other : { ...SKRIBBL, appid }
    const said = JSON.stringify({ people, draws, ...seen })
    expect(said).toContain(pick!.name)
    for (const text of [hidden.name, String(hidden.appid), 'https?://(skribbl|gnomes)'])
      expect(said).not.toMatch(new RegExp(text))
  })

  test('API-56, DEL-2: a game taken away meanwhile is wanted by nobody; a deleted account added nothing', async () => {
    const { app, ada, bob, cal, id } = await cast()
    const { appid: gameId } = await bob.call(api.addedGames.add, { id }, SKRIBBL)
    await bob.call(api.addedGames.add, { id }, SKRIBBL)
    await Promise.allSettled([
      ada.call(api.addedGames.remove, { id, gameId }),
      cal.call(api.wishes.want, { id, gameId }),
      cal.call(api.players.correct, { id, gameId }, { players_max: 2 }),
    ])
    expect(await cal.call(api.wishes.list, { id })).toEqual([])
    expect(await app.db.selectFrom('group_game_players').selectAll().execute()).toEqual([])
    await bob.call(api.privacy.deleteAccount, bob.user)
    expect(await ada.call(api.addedGames.list, { id })).toMatchObject([{ added_by: null }])
  })
})
