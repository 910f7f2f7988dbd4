/** Game nights: from 'who is in?' to the pick (NIGHT-1 to NIGHT-19). */
import { describe, expect, test } from 'vitest'
import { checkDraw } from '#shared/nights/draw.ts'
import { api, engines, startTestApp, type TestPlayer } from '../support/app.ts'
import { friendsWithGames, inNight, startInGroup as start } from '../support/nights.ts'

const DAY = 24 * 60 * 60_000

const answersOf = (night: { people: { answer: string | null }[] }) => night.people.map((one) => one.answer)

describe.each(engines)('a game night (%s)', (engine) => {
  test('NIGHT-1: asks every member of a group but whom its host leaves out', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob, groupId } = await friendsWithGames(app, 3)
    const night = await start(host, groupId, { except: [bob.steam_id, bob.steam_id] })
    expect(night.people.map(({ steam_id }) => steam_id).sort()).toEqual([host.steam_id, ada.steam_id].sort())
    const listed = (player: TestPlayer) => player.call(api.nights.list, player.user)
    expect((await listed(ada)).nights).toHaveLength(1)
    expect((await listed(bob)).nights).toEqual([])

    const stranger = await app.player({ name: 'Eve' })
    const field = { status: 400, field: 'except' }
    for (const except of [[host.steam_id], [ada.steam_id, stranger.steam_id]])
      expect(await host.refused(api.nights.start, {}, { group_id: groupId, except })).toMatchObject(field)
    expect(
      await host.refused(api.nights.start, {}, { steam_ids: [ada.steam_id], except: [bob.steam_id] }),
    ).toMatchObject(field)
  })

  test('NIGHT-1, NIGHT-6, NIGHT-12, NIGHT-16, NIGHT-19: goes from a group to a pick when everyone who is in has voted', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 3)
    const [portal, factorio, overcooked] = appids as [number, number, number]

    const night = await start(host, groupId, { title: 'Friday' })
    expect(night).toMatchObject({
      group: { group_id: groupId, name: 'Friday' },
      host_steam_id: host.steam_id,
      title: 'Friday',
      status: 'open',
      planned: false,
      my: { answer: 'in', voted: false },
      pick: null,
      scores: null,
    })
    expect(answersOf(night)).toEqual(['in', null, null])

    expect((await inNight(night, ada).answer('in', ' home at eight ')).my).toMatchObject({
      answer: 'in',
      word: 'home at eight',
    })
    const listed = await inNight(night, bob).read()
    expect(listed.shortlist.map((game) => game.appid)).toEqual([portal, factorio, overcooked])
    expect(listed.shortlist[0]).toMatchObject({
      name: 'Portal',
      features: ['online_coop'],
      // Bob has not answered, but he and the others may see his library.
      facts: { people: 3, known: 3, owners: 3, picked_weeks_ago: null },
    })
    expect(listed.people.find((one) => one.steam_id === ada.steam_id)).toMatchObject({
      display_name: 'Player 1',
      word: 'home at eight',
      personastate: 1,
      library_status: 'ok',
    })

    // Marks are hidden until one has voted; that someone has voted is not.
    await inNight(night, host).vote([
      { appid: factorio, mark: 'want' },
      { appid: portal, mark: 'fine' },
    ])
    // A vote without a mark is none to look at others for.
    await inNight(night, ada).vote([])
    const before = await inNight(night, ada).read()
    expect(before.people[0]).toMatchObject({ voted: true, marks: null })
    expect((await inNight(night, host).read()).my.marks).toHaveLength(2)
    // Bob has not answered, so the vote goes on.
    const voted = await inNight(night, ada).vote([{ appid: factorio, mark: 'fine' }])
    expect(voted).toMatchObject({ status: 'open', my: { voted: true } })
    expect(voted.people[0]!.marks).toHaveLength(2)
    expect((await inNight(night, bob).read()).people[0]!.marks).toBeNull()

    const decided = await inNight(night, bob).answer('out')
    expect(decided).toMatchObject({
      status: 'decided',
      pick: { appid: factorio, name: 'Factorio', by: 'votes', drawn_by: null, number: 1 },
      everything_ruled_out: false,
    })
    expect(decided.scores).toEqual([
      { appid: portal, score: 1, ruled_out: false },
      { appid: factorio, score: 3, ruled_out: false },
      { appid: overcooked, score: 0, ruled_out: false },
    ])
    expect(decided.pick!.ready.toSorted()).toEqual([host.steam_id, ada.steam_id].toSorted())
    expect(decided.people[0]!.marks).toHaveLength(2)
    expect(decided.version).toBeGreaterThan(night.version)

    const { nights } = await bob.call(api.nights.listOfGroup, { id: groupId })
    expect(nights).toMatchObject([
      {
        night_id: night.night_id,
        status: 'decided',
        in: 2,
        out: 1,
        people: 3,
        is_mine: true,
        my_answer: 'out',
      },
    ])
    expect(nights[0]!.came.map((one) => one.display_name)).toEqual(['Host', 'Player 1'])
    expect(nights[0]!.pick).toMatchObject({ appid: factorio })
  })

  test('NIGHT-17: is drawn when several games are best, and the draw can be checked; once more for a reason', async () => {
    const app = await startTestApp({ engine })
    const { host, others, groupId, appids } = await friendsWithGames(app, 2)
    const ada = others[0]!
    const night = await start(host, groupId)
    await inNight(night, ada).answer('in')
    expect(await host.refusedWith(api.nights.draw, { id: night.night_id })).toBe('vote_is_open')
    await inNight(night, host).vote([{ appid: appids[0]!, mark: 'want' }])
    const tied = await inNight(night, ada).vote([{ appid: appids[1]!, mark: 'want' }])
    expect(tied).toMatchObject({ status: 'tied', pick: null })
    expect(tied.odds).toEqual([
      { appid: appids[0]!, weight: 1 },
      { appid: appids[1]!, weight: 1 },
    ])
    expect(await host.refusedWith(api.nights.redraw, { id: night.night_id }, { reason: 'again' })).toBe(
      'vote_is_open',
    )

    const first = await inNight(night, host).draw()
    expect(first).toMatchObject({ status: 'decided', pick: { by: 'draw', odds: tied.odds, reason: null } })
    // Drawing again needs a reason, so a second request changes nothing.
    expect((await inNight(night, host).draw()).draws).toHaveLength(1)
    const other = appids.slice(0, 2).find((appid) => appid !== first.pick!.appid)!
    expect(first.odds).toEqual([{ appid: other, weight: 1 }])
    const second = await inNight(night, host).redraw('Ada has just played it', 1)
    expect(second.pick).toMatchObject({ appid: other, number: 2, reason: 'Ada has just played it' })
    expect((await inNight(night, host).redraw('clicked twice', 1)).draws).toHaveLength(2)
    const third = await inNight(night, host).redraw('No')
    expect(third.pick!.appid).toBe(appids[2])
    expect(third.odds).toEqual([])
    expect(await host.refusedWith(api.nights.redraw, { id: night.night_id }, { reason: 'No' })).toBe(
      'no_games_left',
    )

    // Each hash was shown before the draw.
    expect(third.draws.map((draw) => draw.seed_hash)).toEqual(
      [tied, first, second].map((before) => before.seed_hash),
    )
    expect(tied.seed_hash).toBe(night.seed_hash)
    for (const { seed, ...draw } of third.draws)
      expect(checkDraw(night.night_id, { ...draw, seed: seed! })).toEqual({
        appid: draw.appid,
        hashMatches: true,
      })
    const all = [...third.draws, third].map((one) => one.seed_hash)
    expect(new Set(all).size).toBe(4)
  })

  test('NIGHT-1, NIGHT-3, NIGHT-11, NIGHT-111: of chosen people and a time is planned; the host adds, removes and changes', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob } = await friendsWithGames(app, 3)
    const stranger = await app.player()
    const starts_at = new Date(Date.now() + DAY).toISOString()
    const night = await host.call(api.nights.start, {}, { steam_ids: [ada.steam_id], starts_at })
    expect(night).toMatchObject({ group: null, planned: true, starts_at })
    const id = { id: night.night_id }
    expect(await stranger.refusedWith(api.nights.read, id)).toBe('night_not_found')
    expect(
      await host.refused(api.nights.addPlayers, id, { steam_ids: [bob.steam_id, stranger.steam_id] }),
    ).toMatchObject({ status: 403, code: 'not_connected' })
    expect(answersOf(await inNight(night, host).read())).toEqual(['in', null])
    const added = await host.call(api.nights.addPlayers, id, { steam_ids: [bob.steam_id, ada.steam_id] })
    expect(added.people).toHaveLength(3)
    const later = new Date(Date.now() + 2 * DAY).toISOString()
    expect(
      await host.call(api.nights.change, id, { starts_at: later, title: '  ', forbids: true }),
    ).toMatchObject({ starts_at: later, title: null, forbids: true })

    await inNight(night, host).remove(bob)
    expect(await bob.refusedWith(api.nights.read, id)).toBe('night_not_found')
    expect(await bob.refusedWith(api.nights.answer, id, { answer: 'in' })).toBe('night_not_found')
    expect(await host.refusedWith(api.nights.removePlayer, { ...id, steamId: bob.steam_id })).toBe(
      'night_person_not_found',
    )
    const { nights } = await ada.call(api.nights.list, ada.user)
    expect(nights).toMatchObject([{ night_id: night.night_id, my_answer: null, people: 2 }])
    expect((await inNight(night, host).cancel()).status).toBe('cancelled')
    expect((await inNight(night, host).cancel()).version).toBe((await inNight(night, ada).read()).version)
    expect(await ada.refusedWith(api.nights.answer, id, { answer: 'in' })).toBe('night_has_ended')
  })

  test('NIGHT-1: starts with nobody chosen, now or planned, and people come by its link', async () => {
    const app = await startTestApp({ engine })
    const host = await app.player()
    const night = await host.call(api.nights.start, {}, { steam_ids: [] })
    expect(night).toMatchObject({ group: null, host_steam_id: host.steam_id, status: 'open', planned: false })
    expect(night.people.map(({ steam_id, answer }) => [steam_id, answer])).toEqual([[host.steam_id, 'in']])
    const starts_at = new Date(Date.now() + DAY).toISOString()
    expect((await host.call(api.nights.start, {}, { steam_ids: [], starts_at })).planned).toBe(true)

    const { url } = await host.call(api.invites.renewOfNight, { id: night.night_id })
    const stranger = await app.player()
    await stranger.call(api.invites.accept, { token: url.split('/').at(-1)! }, { answer: 'in' })
    expect(answersOf(await inNight(night, stranger).read())).toEqual(['in', 'in'])
    // Asking more people asks somebody.
    const asking = await host.refused(api.nights.addPlayers, { id: night.night_id }, { steam_ids: [] })
    expect(asking).toMatchObject({ status: 400, field: 'steam_ids' })
  })

  test('LIM-46, NIGHT-1, NIGHT-2: refuses bad starts: past, years ahead, neither or both, not joined, too many', async () => {
    const app = await startTestApp({ engine })
    const { host, others, groupId } = await friendsWithGames(app, 2)
    const invited = await app.player({ friends: [host] })
    await host.call(api.groups.addMembers, { id: groupId }, { steam_ids: [invited.steam_id] })
    const refused = (by: TestPlayer, body: object) => by.refused(api.nights.start, {}, body)
    const at = (ms: number) => ({ group_id: groupId, starts_at: new Date(Date.now() + ms).toISOString() })
    for (const body of [at(-6 * 60_000), at(367 * DAY), { group_id: groupId, starts_at: 'Friday' }])
      expect(await refused(host, body)).toMatchObject({ status: 400, field: 'starts_at' })
    for (const body of [{}, { group_id: groupId, steam_ids: [others[0]!.steam_id] }])
      expect(await refused(host, body)).toMatchObject({ status: 400, field: 'group_id' })
    expect((await refused(host, { group_id: groupId, title: 'x'.repeat(81) })).field).toBe('title')
    expect((await refused(invited, { group_id: groupId })).status).toBe(403)
    const stranger = await app.player()
    expect((await refused(stranger, { group_id: groupId })).code).toBe('group_not_found')
    expect((await refused(stranger, { steam_ids: [host.steam_id] })).code).toBe('not_connected')

    await Promise.all(
      Array.from({ length: 7 }, () => host.attempt(api.nights.start, {}, { group_id: groupId })),
    )
    const { nights } = await host.call(api.nights.listOfGroup, { id: groupId })
    expect(nights).toHaveLength(5)
    expect((await refused(others[0]!, { group_id: groupId })).code).toBe('too_many_nights')
  })

  test('NIGHT-6: a word goes with the answer that it was given with', async () => {
    const app = await startTestApp({ engine })
    const { host, others, groupId } = await friendsWithGames(app, 2)
    const ada = inNight(await start(host, groupId), others[0]!)
    expect((await ada.answer('out', 'kids are ill')).my.word).toBe('kids are ill')
    expect((await ada.answer('out')).my.word).toBe('kids are ill')
    expect((await ada.answer('in')).my.word).toBeNull()
    expect((await ada.answer('maybe', 'from nine')).my.word).toBe('from nine')
  })

  test('NIGHT-3, NIGHT-15: takes votes until the vote ends, but none of who is not in or was removed', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob, eve: cleo, groupId, appids } = await friendsWithGames(app, 4)
    const night = await start(host, groupId)
    const portal = [{ appid: appids[0]!, mark: 'want' as const }]
    expect((await inNight(night, ada).voteRefused(portal)).code).toBe('not_in_night')
    await inNight(night, ada).answer('out')
    expect((await inNight(night, ada).voteRefused(portal)).code).toBe('not_in_night')
    await inNight(night, ada).answer('in')
    expect((await inNight(night, ada).voteRefused([...portal, ...portal])).field).toBe('marks')
    await inNight(night, ada).vote([{ appid: appids[1]!, mark: 'no' }])
    const { version } = await inNight(night, ada).vote(portal)
    // The same vote again changes nothing.
    expect((await inNight(night, ada).vote(portal)).version).toBe(version)
    // A ballot does not count while its person is not in.
    expect((await inNight(night, ada).answer('maybe')).people.some((one) => one.voted)).toBe(false)
    await inNight(night, ada).answer('in')
    expect((await inNight(night, ada).read()).my).toEqual({
      answer: 'in',
      word: null,
      voted: true,
      marks: portal,
      wishes: [],
      has_voted: true,
      leads: false,
      pick_counts: null,
      may_stop_repeating: false,
    })
    expect(await host.refusedWith(api.nights.change, { id: night.night_id }, { forbids: true })).toBe(
      'vote_has_begun',
    )

    // Bob does not own Portal, so it is no longer on the list once he is in; Ada's mark waits.
    await app.owns(bob, { Factorio: 5, Overcooked: 5 })
    const joined = await inNight(night, bob).answer('in')
    expect(joined.shortlist.map((game) => game.appid)).toEqual(appids.slice(1))
    expect(joined.near_misses).toMatchObject([{ appid: appids[0], lacking: [bob.steam_id] }])
    await inNight(night, ada).vote([...portal, { appid: appids[2]!, mark: 'fine' }])
    expect((await inNight(night, ada).read()).my.marks).toHaveLength(2)

    await inNight(night, cleo).answer('in')
    await inNight(night, host).remove(cleo)
    expect((await inNight(night, cleo).voteRefused([])).code).toBe('night_not_found')
    expect(await inNight(night, host).close()).toMatchObject({
      status: 'decided',
      pick: { appid: appids[2]! },
      scores: [
        { appid: appids[1]!, score: 0 },
        { appid: appids[2]!, score: 1 },
      ],
    })
    expect((await inNight(night, bob).voteRefused([])).code).toBe('night_has_ended')
  })

  test('NIGHT-15, NIGHT-16: a ballot of who is not in when the vote ends neither counts nor is shown, also later', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, groupId, appids } = await friendsWithGames(app, 3)
    const night = await start(host, groupId)
    await inNight(night, ada).answer('in')
    await inNight(night, ada).vote([{ appid: appids[0]!, mark: 'want' }])
    await inNight(night, host).vote([{ appid: appids[1]!, mark: 'fine' }])
    await inNight(night, ada).answer('maybe')
    const ended = await inNight(night, host).close()
    expect(ended).toMatchObject({ status: 'decided', pick: { appid: appids[1] } })
    expect(ended.scores!.map(({ score }) => score)).toEqual([0, 1, 0])
    const { people } = await inNight(night, ada).answer('in')
    expect(people.find(({ steam_id }) => steam_id === ada.steam_id)).toMatchObject({
      voted: false,
      marks: null,
    })
  })

  test('NIGHT-7, NIGHT-8: passes to those who are in when the host leaves the group, and follows who joins', async () => {
    const app = await startTestApp({ engine })
    const { host, ada, ben: bob, eve: cleo, groupId } = await friendsWithGames(app, 4)
    const night = await start(ada, groupId)
    await inNight(night, bob).answer('maybe')
    await inNight(night, cleo).answer('in')
    const late = await app.player({ friends: [host] })
    await host.call(api.groups.addMembers, { id: groupId }, { steam_ids: [late.steam_id] })
    expect((await late.refused(api.nights.read, { id: night.night_id })).status).toBe(404)
    await late.call(api.groups.join, { id: groupId })
    expect((await inNight(night, late).read()).people).toHaveLength(5)

    await ada.call(api.groups.leave, { id: groupId })
    const after = await inNight(night, bob).read()
    expect(after.host_steam_id).toBe(cleo.steam_id)
    expect(after.people.map((one) => one.steam_id)).not.toContain(ada.steam_id)
    expect((await ada.refused(api.nights.read, { id: night.night_id })).status).toBe(404)
    await inNight(night, cleo).remove(cleo)
    // Leaving the group changes nothing of a night that one had left before.
    await inNight(night, late).remove(late)
    expect((await inNight(night, bob).read()).host_steam_id).toBe(bob.steam_id)
    await bob.call(api.privacy.deleteAccount, bob.user)
    expect(await inNight(night, host).read()).toMatchObject({ status: 'cancelled', host_steam_id: null })
    for (const act of [api.groups.leave, api.groups.join]) await late.call(act, { id: groupId })
    expect((await inNight(night, host).read()).people.map((one) => one.steam_id)).toEqual([host.steam_id])
  })
})
