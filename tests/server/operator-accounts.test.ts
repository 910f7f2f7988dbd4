/** Who may sign in, and blocked accounts (OPER-7 to OPER-11). */
import { describe, expect, test } from 'vitest'
import {
  api,
  engines,
  newPlayer,
  nextSteamId,
  startTestApp,
  startWithOperator,
  type TestApp,
  type TestPlayer,
} from '../support/app.ts'
import { setSignInRule } from '../support/sign-in-rule.ts'

/** Where a sign-in leads; `invite`: the link the visitor came by. */
async function signInTo(app: TestApp, steamId: string, invite?: string): Promise<string> {
  if (!app.simulator.world.players.some((player) => player.steamid === steamId))
    app.simulator.addPlayer(newPlayer(steamId))
  const start = await fetch(`${app.url}/auth/steam${invite === undefined ? '' : `?invite=${invite}`}`, {
    redirect: 'manual',
  })
  const returnTo = new URL(start.headers.get('location')!).searchParams.get('openid.return_to')!
  const cookie = start.headers
    .getSetCookie()
    .map((set) => set.split(';')[0]!)
    .join('; ')
  const back = await fetch(app.simulator.assertionFor(steamId, returnTo), {
    headers: { cookie },
    redirect: 'manual',
  })
  const { pathname, searchParams } = new URL(back.headers.get('location')!)
  return pathname === '/login' ? `refused: ${searchParams.get('reason')}` : pathname
}
const IN = '/steam-auth-success'

describe.each(engines)('on %s', (engine) => {
  /** Two servers of one database, an operator, and Ada, whose friend Bob sees her library. */
  async function cast() {
    const { app, operator } = await startWithOperator({ engine })
    const env = { OPERATORS: operator.steam_id }
    const other = await startTestApp({ engine, env, besides: app })
    const ada = await app.player({ name: 'Ada', games: { Portal: 60 } })
    const bob = await app.player({ friends: [ada] })
    return { app, other, operator, ada, bob }
  }
  const set = (operator: TestPlayer, who: 'anyone' | 'invited' | 'listed', steam_ids: string[] = []) =>
    setSignInRule(operator, { who, steam_ids })
  const change = (
    operator: TestPlayer,
    { steam_id }: { steam_id: string },
    action: 'block' | 'unblock' | 'sign_out' | 'delete_account',
  ) => operator.call(api.operator.changeAccount, { steamId: steam_id }, { action, reason: 'as agreed' })

  test('OPER-7: anyone may sign in unless the operator decides otherwise', async () => {
    const { app, operator } = await cast()
    expect(await operator.call(api.operator.signInRule, {})).toEqual({
      who: 'anyone',
      steam_ids: [],
      deleted: 0,
    })
    expect(await signInTo(app, nextSteamId())).toBe(IN)
  })

  test('OPER-7, OPER-8: invited only: by a valid link, or after an earlier sign-in, on all servers at once', async () => {
    const { app, other, operator, ada, bob } = await cast()
    const { group_id } = await app.group({ owner: ada })
    const { token } = await ada.call(api.invites.renewOfGroup, { id: group_id })
    await set(operator, 'invited')

    const stranger = nextSteamId()
    for (const server of [app, other]) {
      expect(await signInTo(server, stranger)).toBe('refused: not_invited')
      expect(await signInTo(server, stranger, 'A'.repeat(32))).toBe('refused: not_invited')
      expect(await signInTo(server, stranger, 'not a token')).toBe('refused: not_invited')
    }
    const people = () =>
      app.db.selectFrom('people').select('steam_id').where('steam_id', '=', stranger).execute()
    expect(await people(), 'nothing is stored about who was refused').toEqual([])
    expect(await signInTo(other, bob.steam_id)).toBe(IN)
    expect(await signInTo(other, stranger, token)).toBe(IN)
    expect(await signInTo(app, stranger)).toBe(IN)
    // A person who is known only as a friend was never here.
    const [friend] = await app.strangersConnectedWith(ada, 1)
    expect(await signInTo(app, friend!)).toBe('refused: not_invited')
    await ada.call(api.invites.switchOffOfGroup, { id: group_id })
    expect(await signInTo(app, nextSteamId(), token)).toBe('refused: not_invited')
    // Operators do not lock themselves out, and sessions go on.
    expect(await signInTo(app, operator.steam_id)).toBe(IN)
    expect((await bob.request(`/api/users/${bob.steam_id}/games`)).status).toBe(200)
  })

  test('OPER-7: a list: only those on it, not even people who were here before; sessions end when the operator says so', async () => {
    const { app, other, operator, ada, bob } = await cast()
    const listed = nextSteamId()
    await set(operator, 'listed', [listed, ada.steam_id])
    expect(await signInTo(other, bob.steam_id)).toBe('refused: not_listed')
    expect(await signInTo(other, listed)).toBe(IN)
    expect(await signInTo(app, ada.steam_id)).toBe(IN)
    expect(await signInTo(app, operator.steam_id)).toBe(IN)
    const bobElsewhere = other.callsOf(bob.token)
    expect((await bobElsewhere.request(`/api/users/${bob.steam_id}/games`)).status).toBe(200)

    await operator.call(api.operator.signOutEveryone, {}, { reason: 'new rule' })
    expect((await bobElsewhere.request(`/api/users/${bob.steam_id}/games`)).status).toBe(401)
    expect((await other.callsOf(operator.token).request('/api/operator/overview')).status).toBe(200)
    expect(
      await operator.refused(
        api.operator.setSignInRule,
        {},
        { who: 'listed', steam_ids: ['7'], reason: 'x' },
      ),
    ).toMatchObject({ status: 400, field: 'steam_ids.0' })
  })

  test('OPER-9: a blocked account has no session on any server and cannot sign in; nobody sees its library', async () => {
    const { app, other, operator, ada, bob } = await cast()
    const { group_id } = await app.group({ owner: ada })
    const { token } = await ada.call(api.invites.renewOfGroup, { id: group_id })
    const { url } = await ada.call(api.calendar.renewFeed, ada.user)
    const seenBy = async (server: TestApp) =>
      (await server.callsOf(bob.token).call(api.library.games, ada.user)).games.length
    expect([await seenBy(app), await seenBy(other)]).toEqual([1, 1])

    const account = await change(operator, ada, 'block')
    expect(account).toMatchObject({
      sessions: 0,
      blocked: { reason: 'as agreed' },
      owned_groups: [{ group_id, name: 'Friday' }],
    })
    for (const server of [app, other]) {
      expect((await server.callsOf(ada.token).request(`/api/users/${ada.steam_id}/games`)).status).toBe(401)
      expect(await signInTo(server, ada.steam_id)).toBe('refused: account_blocked')
      expect(await seenBy(server)).toBe(0)
    }
    // Neither by her link nor by the address of her calendar.
    expect(await signInTo(app, ada.steam_id, token)).toBe('refused: account_blocked')
    expect((await fetch(new URL(new URL(url).pathname, app.url))).status).toBe(404)
    expect(await operator.call(api.operator.blocked, {})).toMatchObject([{ steam_id: ada.steam_id }])
    // Her group is still there.
    expect(await app.db.selectFrom('groups').select('owner_steam_id').execute()).toEqual([
      { owner_steam_id: ada.steam_id },
    ])

    expect(await change(operator, ada, 'unblock')).toMatchObject({ blocked: null })
    expect(await signInTo(other, ada.steam_id)).toBe(IN)
    expect([await seenBy(app), await seenBy(other)]).toEqual([1, 1])
    expect(await operator.call(api.operator.blocked, {})).toEqual([])
  })

  test('OPER-9: it leaves its game nights that are not past, and the vote ends that is complete without it', async () => {
    const { app, operator, ada } = await cast()
    const [cleo, dora] = [
      await app.player({ games: { Portal: 5 } }),
      await app.player({ games: { Portal: 7 } }),
    ]
    const erin = await app.player({ games: { Portal: 7 }, friends: [ada, cleo, dora] })
    const { group_id } = await app.group({ owner: erin, members: [ada, cleo, dora] })
    const { night_id: id } = await ada.call(api.nights.start, {}, { group_id })
    for (const player of [cleo, dora, erin]) {
      await player.call(api.nights.answer, { id }, { answer: 'in' })
      await player.call(api.nights.vote, { id }, { marks: [] })
    }
    await change(operator, ada, 'block')
    await app.deps.messages.runOnce()
    const night = await cleo.call(api.nights.read, { id })
    expect(night.status).not.toBe('open')
    expect(night.host_steam_id).toBe(cleo.steam_id)
    expect(night.people.map((person) => person.steam_id)).not.toContain(ada.steam_id)
  })

  test('OPER-9: a person who was never here can be blocked, and an operator cannot', async () => {
    const { app, operator } = await cast()
    const stranger = { steam_id: nextSteamId() }
    await change(operator, stranger, 'block')
    expect(await signInTo(app, stranger.steam_id)).toBe('refused: account_blocked')
    for (const action of ['block', 'delete_account'] as const)
      expect(
        await operator.refused(api.operator.changeAccount, operator.user, { action, reason: 'oops' }),
      ).toMatchObject({ status: 409, code: 'is_operator' })
  })

  test('OPER-9: a sign-in and a block at the same moment: the account has no session afterwards', async () => {
    const { app, other, operator, ada } = await cast()
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        signInTo(app, ada.steam_id),
        signInTo(other, ada.steam_id),
        change(operator, ada, 'block'),
        signInTo(other, ada.steam_id),
      ])
      expect((await operator.call(api.operator.account, ada.user)).sessions).toBe(0)
      await change(operator, ada, 'unblock')
    }
  })

  test('OPER-11: the operator can delete an account on request; a blocked one stays blocked', async () => {
    const { app, operator, ada } = await cast()
    await change(operator, ada, 'block')
    expect(await change(operator, ada, 'delete_account')).toMatchObject({
      display_name: null,
      signed_in_at: null,
      blocked: { reason: 'as agreed' },
    })
    expect(
      await app.db.selectFrom('libraries').select('steam_id').where('steam_id', '=', ada.steam_id).execute(),
    ).toEqual([])
    expect(await signInTo(app, ada.steam_id)).toBe('refused: account_blocked')
    expect(
      await operator.refused(api.operator.changeAccount, ada.user, {
        action: 'delete_account',
        reason: 'again',
      }),
    ).toMatchObject({ status: 404 })
    await change(operator, ada, 'unblock')
    // Nothing of the deleted account is back.
    expect(
      (await app.db.selectFrom('people').selectAll().where('steam_id', '=', ada.steam_id).execute()).map(
        (row) => row.library_visibility,
      ),
    ).not.toContain('connected')
    expect(await signInTo(app, ada.steam_id)).toBe(IN)
  })
})
