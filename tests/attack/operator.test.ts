/** Attacks on the operator's page: who gets past a block or a rule, and what is left of people in its log and list. */
import { describe, expect, test } from 'vitest'
import { blockAccount } from '../../src/server/storage/accounts/accounts.ts'
import { changeSignInRule } from '../../src/server/storage/operator.ts'
import { deleteOtherSessions, swapHandover } from '../../src/server/storage/accounts/sessions.ts'
import { hashOfToken, newToken } from '../../src/server/sessions/sessions.ts'
import {
  api,
  engines,
  nextSteamId,
  startTestApp,
  startWithOperator,
  type TestApp,
  type TestPlayer,
} from '../support/app.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { setSignInRule } from '../support/sign-in-rule.ts'
import { allRows } from '../support/all-rows.ts'

const { calendar, groups, invites, nights, operator: page, privacy, webhooks } = api

describe.each(engines)('on %s', (engine) => {
  const cast = (options: Parameters<typeof startTestApp>[0] = {}) => startWithOperator({ engine, ...options })
  const change = (
    operator: TestPlayer,
    steamId: string,
    action: 'block' | 'unblock' | 'sign_out' | 'delete_account',
    reason = 'as agreed',
  ) => operator.call(page.changeAccount, { steamId }, { action, reason })

  /** Responses of requests that were let in before the block of their sender, and carried out after it. */
  async function duringBlock(app: TestApp, player: TestPlayer, send: () => Promise<Response>[]) {
    let sent: Promise<Response>[] = []
    await app.database.transaction(async (tx) => {
      await blockAccount(app.database, tx, player.steam_id, { at: app.deps.clock(), reason: 'as agreed' })
      sent = send()
      // Requests sent later have been authenticated and served when these are.
      for (let nth = 0; nth < 40; nth++) await player.request(`/api/users/${player.steam_id}/settings`)
    })
    return Promise.all(sent)
  }

  describe('who is blocked', () => {
    test('OPER-9: has no calendar, link, night, group or webhook afterwards, also by requests already let in', async () => {
      const receiver = await startReceiver()
      const { app } = await cast({ web: receiver.web })
      const { host: ada, others, groupId: id } = await friendsWithGames(app, 3)
      const bob = others[0]!
      const { group_id: left } = await app.group({ owner: bob, members: [ada], name: 'Left' })
      await ada.call(groups.leave, { id: left })
      const { token } = await bob.call(invites.renewOfGroup, {
        id: (await app.group({ owner: bob })).group_id,
      })
      const { night_id } = await bob.call(nights.start, {}, { steam_ids: [ada.steam_id] })
      await inNight({ night_id }, ada).answer('in')

      const responses = await duringBlock(app, ada, () => [
        ada.attempt(calendar.renewFeed, ada.user),
        ada.attempt(invites.renewOfGroup, { id }),
        ada.attempt(invites.renewOfNight, { id: night_id }),
        ada.attempt(invites.accept, { token }),
        ada.attempt(nights.start, {}, { group_id: id }),
        ada.attempt(groups.create, {}, { name: 'New', owner_steam_id: ada.steam_id }),
        ada.attempt(groups.join, { id: left }),
        ada.attempt(groups.rename, { id }, { name: 'Rude' }),
        ada.attempt(groups.report, { id }, { about: 'name', reason: 'x' }),
        ada.attempt(webhooks.set, { id }, { url: receiver.url, format: 'json' }),
      ])
      expect(responses.map((response) => response.status)).toEqual(responses.map(() => 401))
      const { queries } = app.database
      expect(await queries.selectFrom('calendar_feeds').selectAll().execute()).toEqual([])
      expect(await queries.selectFrom('webhooks').selectAll().execute()).toEqual([])
      expect(
        (await queries.selectFrom('invites').select('created_by').execute()).map((row) => row.created_by),
      ).toEqual([bob.steam_id])
      expect(
        await queries
          .selectFrom('nights')
          .select('night_id')
          .where('host_steam_id', '=', ada.steam_id)
          .execute(),
      ).toEqual([])
    })

    test('OPER-9: is told nothing more by a webhook of their own', async () => {
      const receiver = await startReceiver()
      const { app, operator } = await cast({ web: receiver.web })
      const { host: ada, others, groupId: id } = await friendsWithGames(app, 2)
      await ada.call(webhooks.set, { id }, { url: receiver.url, format: 'json' })
      await others[0]!.call(nights.start, {}, { group_id: id, title: 'Before' })
      await change(operator, ada.steam_id, 'block')
      await others[0]!.call(nights.start, {}, { group_id: id, title: 'After' })
      await app.deps.messages.runOnce()
      expect(receiver.bodies()).toEqual([])
    })

    test('OPER-9: is not asked to new game nights, so votes end without them', async () => {
      const { app, operator } = await cast()
      const { host, ada, ben: bob, groupId, appids } = await friendsWithGames(app, 3)
      await change(operator, ada.steam_id, 'block')
      const night = await host.call(nights.start, {}, { group_id: groupId })
      expect(night.people.map((person) => person.steam_id)).toEqual([host.steam_id, bob.steam_id])
      await inNight(night, bob).answer('in')
      await inNight(night, host).vote([{ appid: appids[0]!, mark: 'want' }])
      expect((await inNight(night, bob).vote([{ appid: appids[0]!, mark: 'want' }])).status).toBe('decided')

      const refusal = { status: 403, code: 'forbidden', error: 'Player 1 cannot be asked at the moment.' }
      expect(await host.refused(nights.start, {}, { steam_ids: [ada.steam_id] })).toMatchObject(refusal)
      const { night_id: id } = await host.call(nights.start, {}, { steam_ids: [bob.steam_id] })
      expect(await host.refused(nights.addPlayers, { id }, { steam_ids: [ada.steam_id] })).toMatchObject(
        refusal,
      )
      await change(operator, ada.steam_id, 'unblock')
      await host.call(nights.addPlayers, { id }, { steam_ids: [ada.steam_id] })
    })
  })

  test('OPER-9: a blocked user who becomes an operator is not locked out', async () => {
    const { app, operator } = await cast()
    const ada = await app.player()
    await change(operator, ada.steam_id, 'block')
    const restarted = await startTestApp({ engine, besides: app, env: { OPERATORS: ada.steam_id } })
    const named = restarted.callsOf(await restarted.signIn(ada.steam_id))
    await named.call(groups.create, {}, { name: 'New', owner_steam_id: ada.steam_id })
    expect(await named.call(page.account, ada.user)).toMatchObject({ blocked: null })
  })

  test('OPER-2: to others malformed calls of the page do not exist either', async () => {
    const { app } = await cast()
    const ada = await app.player()
    const unknown = await (await ada.request('/api/operator/nothing')).text()
    const json = { 'content-type': 'application/json' }
    for (const [method, path, body] of [
      ['GET', 'accounts/x', undefined],
      ['GET', 'groups/x', undefined],
      ['GET', 'log/x', undefined],
      ['PUT', 'sign_in', '{'],
      ['PUT', 'sign_in', '{"who":7}'],
      ['POST', 'sign_out', '{}'],
      ['POST', `accounts/${ada.steam_id}`, '{"action":"rule"}'],
      ['POST', 'groups/1', 'x'.repeat(50_000)],
    ] as const) {
      const response = await ada.request(`/api/operator/${path}`, {
        method,
        ...(body !== undefined && { body, headers: json }),
      })
      expect([method, path, response.status, await response.text()]).toEqual([method, path, 404, unknown])
    }
  })

  test('OPER-17: the log says who was put on the list and taken off it, until they delete their account', async () => {
    const { app, operator } = await cast()
    const ada = await app.player()
    const ids = Array.from({ length: 12 }, nextSteamId)
    const save = (steam_ids: string[]) => setSignInRule(operator, { who: 'listed', steam_ids })
    const details = async () =>
      (await operator.call(page.log, { before: 'newest' })).entries.map((entry) => entry.detail)
    await save([ada.steam_id, ids[0]!])
    await save([ada.steam_id, ids[1]!])
    await save([ada.steam_id, ids[1]!])
    await save([ada.steam_id, ...ids])
    const added = (some: string[], more = '') => `added ${some.join(', ')}${more}`
    expect(await details()).toEqual([
      `listed: 13; ${added([ids[0]!, ...ids.slice(2, 11)], ' and 1 more')}`,
      'listed: 2',
      `listed: 2; ${added([ids[1]!])}; removed ${ids[0]}`,
      `listed: 2; ${added([ada.steam_id, ids[0]!])}`,
    ])
    await ada.call(privacy.deleteAccount, ada.user)
    expect((await details()).at(-1)).toBe(`listed: 2; added …, ${ids[0]}`)
  })

  describe('of a deleted account', () => {
    /** Everything stored that has this text. */
    const rowsWith = async (app: TestApp, text: string) =>
      Object.values(await allRows(app.place))
        .flat()
        .filter((row) => row.includes(text))

    test('OPER-11: nothing is left in reasons, also in those about others', async () => {
      const { app, operator } = await cast()
      const [ada, bob] = [await app.player(), await app.player()]
      const reason = `asked by ${ada.steam_id}`
      await change(operator, bob.steam_id, 'block', reason)
      await change(operator, ada.steam_id, 'block', reason)
      await change(operator, ada.steam_id, 'delete_account', reason)
      expect(await rowsWith(app, ada.steam_id)).toEqual([])
    })

    test('OPER-11: later actions of operators name nobody', async () => {
      const { app, operator } = await cast()
      const ada = await app.player()
      await ada.call(privacy.deleteAccount, ada.user)
      for (const action of ['block', 'sign_out', 'unblock'] as const)
        await change(operator, ada.steam_id, action, `${action} ${ada.steam_id}`)
      expect(await rowsWith(app, ada.steam_id)).toEqual([])
      expect((await operator.call(page.log, { before: 'newest' })).entries).toMatchObject([
        { action: 'unblock', account: null, reason: 'unblock …' },
        { action: 'sign_out', account: null },
        { action: 'block', account: null },
      ])
    })

    test('OPER-11: a list that an operator had open before does not bring the id back', async () => {
      const { app, operator } = await cast()
      const ada = await app.player()
      const [bob, cleo] = [nextSteamId(), nextSteamId()]
      const save = (steam_ids: string[]) => setSignInRule(operator, { who: 'listed', steam_ids })
      await save([ada.steam_id, bob])
      await ada.call(privacy.deleteAccount, ada.user)
      const shown = await save([ada.steam_id, bob, cleo])
      expect(shown).toEqual({
        who: 'listed',
        steam_ids: [bob, cleo],
        deleted: 1,
      })
      expect(await rowsWith(app, ada.steam_id)).toEqual([])
      // They may still come back.
      await app.signIn(ada.steam_id)
    })
  })

  test('OPER-7: no session survives Sign everyone out, nor is one opened by the rule before', async () => {
    const { app, operator } = await cast()
    const ada = await app.player()
    const now = app.deps.clock()
    const { token, cookie } = await app.handover(ada.steam_id)
    const sessionsOf = async (steamId: string) =>
      (await app.db.selectFrom('sessions').select('kind').where('steam_id', '=', steamId).execute()).length

    // The new session of a swap is not visible to a statement that began before its commit.
    let everyoneOut: Promise<unknown> = Promise.resolve()
    await app.database.transaction(async (tx) => {
      const swapped = await swapHandover(app.database, tx, {
        handoverHash: hashOfToken(token),
        browserHash: hashOfToken(cookie.split('=')[1]!),
        tokenHash: hashOfToken(newToken()),
        now,
        expiresAt: now + 60_000,
      })
      expect(swapped).toBe(true)
      everyoneOut = operator.call(page.signOutEveryone, {}, { reason: 'new rule' })
      for (let nth = 0; nth < 5; nth++) await operator.request('/api/operator/sign_in')
    })
    await everyoneOut
    expect(await sessionsOf(ada.steam_id)).toBe(0)

    // A sign-in that is confirmed by Steam while the rule changes waits for it.
    let signIn: Promise<unknown> = Promise.resolve()
    await app.database.transaction(async (tx) => {
      await changeSignInRule(app.database, tx, {
        who: 'listed',
        steamIds: [],
      })
      await deleteOtherSessions(app.database, tx, operator.steam_id)
      signIn = app.returnFromPlatform(ada.steam_id).catch(() => {})
      for (let nth = 0; nth < 20; nth++) await operator.request('/api/operator/sign_in')
    })
    await signIn
    expect(await sessionsOf(ada.steam_id)).toBe(0)
  })
})
