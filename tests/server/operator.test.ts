/** The operator's page: figures and the log (OPER-1 to OPER-4, OPER-17). */
import { describe, expect, test } from 'vitest'
import { purgeExpired } from '../../src/server/sync/engine.ts'
import { api, engines, startWithOperator, type TestApp, type TestPlayer } from '../support/app.ts'
import { setSignInRule } from '../support/sign-in-rule.ts'

const DAY = 24 * 60 * 60_000
const purge = ({ database, deps }: TestApp, clock: () => number) =>
  purgeExpired({ database, pictures: deps.pictures, clock })

describe.each(engines)('on %s', (engine) => {
  const cast = (options: Parameters<typeof startWithOperator>[0] = {}) =>
    startWithOperator({ engine, ...options })
  const logOf = async (operator: TestPlayer, before = 'newest') => operator.call(api.operator.log, { before })

  test('OPER-17: only operators are told that they are', async () => {
    const { app, operator } = await cast()
    const ada = await app.player()
    const isOperator = async (one: TestPlayer) => (await one.call(api.privacy.settings, one.user)).is_operator
    expect([await isOperator(operator), await isOperator(ada)]).toEqual([true, false])
  })

  test('OPER-2: an operator sees no library and no group that they could not see otherwise', async () => {
    const { app, operator } = await cast()
    const ada = await app.player({ games: { Portal: 60 } })
    const { group_id } = await app.group({ owner: ada })
    expect((await operator.request(`/api/users/${ada.steam_id}/games`)).status).toBe(403)
    expect((await operator.request(`/api/groups/${group_id}`)).status).toBe(404)
    expect(await operator.refusedWith(api.operator.group, { id: group_id })).toBe('group_not_found')
  })

  test('OPER-4: the overview has the figures of the installation', async () => {
    const { app, operator } = await cast({ callLimits: { perDay: 500, perSecond: 1000 } })
    const bob = await app.player()
    const ada = await app.player({ games: { Portal: 60 }, friends: [bob] })
    const { group_id } = await app.group({ owner: ada, members: [bob] })
    const now = Date.now()
    const refresh = { requested_by: ada.steam_id, priority: 1, lease_owner: null, lease_until: 0 }
    const due = { games_due: 1, friends_due: 0, next_attempt_at: now } as const
    await app.write((tx) => tx.deleteFrom('refreshes').execute())
    await app.write((tx) =>
      tx
        .insertInto('refreshes')
        .values([
          { ...refresh, ...due, steam_id: ada.steam_id, requested_at: now - 5000, attempts: 2 },
          { ...refresh, ...due, steam_id: bob.steam_id, requested_at: now - 1000, attempts: 0 },
        ])
        .execute(),
    )
    const webhook = { group_id, url: 'https://hooks.example.org/1', format: 'json', secret: 's' } as const
    await app.db
      .insertInto('webhooks')
      .values({
        ...webhook,
        webhook_id: 1,
        created_by: ada.steam_id,
        created_at: 1,
        last_ok_at: null,
        last_error: null,
        last_error_at: null,
      })
      .execute()
    const message = { webhook_id: 1, event: 'test', body: '{}', next_attempt_at: now, created_at: now }
    await app.db
      .insertInto('messages')
      .values([message, { ...message, done_at: now }])
      .execute()
    // Bob has not been here for ten days.
    await app.write((tx) =>
      tx
        .updateTable('sessions')
        .set({ last_used_at: now - 10 * DAY, expires_at: now + 20 * DAY })
        .where('steam_id', '=', bob.steam_id)
        .execute(),
    )

    const seen = await operator.call(api.operator.overview, {})
    expect(seen).toMatchObject({
      platform: { blocked_until: null },
      refresh_list: {
        waiting: 2,
        failing: 1,
        oldest_at: new Date(now - 5000).toISOString(),
      },
      outbox: 1,
      people: { signed_in: 3, active_7_days: 2, active_30_days: 3 },
      groups: 1,
      nights: 0,
    })
    expect(seen.platform.used_today).toBeGreaterThan(0)
    expect(seen.platform.used_today + seen.platform.left_today).toBe(500)
  })

  test('OPER-17: the log has everything that operators did, newest first, a page at a time, for a year', async () => {
    const { app, operator } = await cast()
    const ada = await app.player({ name: 'Ada' })
    await operator.call(api.operator.changeAccount, ada.user, { action: 'sign_out', reason: 'asked' })
    await setSignInRule(operator, { who: 'invited', reason: 'full' })
    const { entries } = await logOf(operator)
    expect(entries).toMatchObject([
      {
        operator: { steam_id: operator.steam_id, display_name: 'Olga' },
        action: 'set_sign_in',
        account: null,
        detail: 'invited',
        reason: 'full',
      },
      { action: 'sign_out', account: { steam_id: ada.steam_id, display_name: 'Ada' }, reason: 'asked' },
    ])
    for (let times = 0; times < 50; times++)
      await operator.call(api.operator.changeAccount, ada.user, {
        action: 'sign_out',
        reason: `no. ${times}`,
      })
    const first = await logOf(operator)
    expect([first.entries.length, first.has_more, first.entries[0]!.reason]).toEqual([50, true, 'no. 49'])
    const second = await logOf(operator, String(first.entries.at(-1)!.entry_id))
    expect(second).toEqual({ entries, has_more: false })

    await purge(app, () => Date.now() + 364 * DAY)
    expect((await app.db.selectFrom('operator_log').select('at').execute()).length).toBe(52)
    await purge(app, () => Date.now() + 366 * DAY)
    expect(await app.db.selectFrom('operator_log').select('at').execute()).toEqual([])
  })

  test('OPER-17: every action needs a reason, and one that is refused is not logged', async () => {
    const { app, operator } = await cast()
    const ada = await app.player()
    const { group_id } = await app.group({ owner: ada })
    await ada.call(api.groups.report, { id: group_id }, { about: 'name', reason: 'rude' })
    const { changeAccount, changeGroup } = api.operator
    const missing = { status: 400, field: 'reason' }
    const blocked = await operator.refused(changeAccount, ada.user, { action: 'block', reason: ' ' })
    expect(blocked).toMatchObject(missing)
    const id = { id: group_id }
    const deleted = await operator.refused(changeGroup, id, { action: 'delete_group', reason: '' })
    expect(deleted).toMatchObject(missing)
    const mine = { action: 'hand_over', steam_id: operator.steam_id, reason: 'mine' } as const
    const handedOver = await operator.refused(changeGroup, id, mine)
    expect(handedOver).toMatchObject({ status: 404, code: 'member_not_found' })
    expect((await logOf(operator)).entries).toEqual([])
  })

  test('OPER-11: a deleted account is not named in the log or on the list; it may still sign in', async () => {
    const { app, operator } = await cast()
    const ada = await app.player({ name: 'Ada' })
    await setSignInRule(operator, { who: 'listed', steam_ids: [ada.steam_id] })
    await operator.call(api.operator.changeAccount, ada.user, {
      action: 'sign_out',
      reason: `asked as ${ada.steam_id}`,
    })
    await operator.call(api.operator.changeAccount, ada.user, {
      action: 'delete_account',
      reason: `asked as ${ada.steam_id}`,
    })

    const { entries } = await logOf(operator)
    expect(entries).toMatchObject([
      { action: 'delete_account', account: null, reason: 'asked as …' },
      { action: 'sign_out', account: null, reason: 'asked as …' },
      { action: 'set_sign_in', detail: 'listed: 1; added …' },
    ])
    expect(await operator.call(api.operator.signInRule, {})).toEqual({
      who: 'listed',
      steam_ids: [],
      deleted: 1,
    })
    expect(JSON.stringify(await app.db.selectFrom('installation').selectAll().execute())).not.toContain(
      ada.steam_id,
    )
    expect((await app.returnFromPlatform(ada.steam_id)).landing).toContain('/steam-auth-success')
  })
})
