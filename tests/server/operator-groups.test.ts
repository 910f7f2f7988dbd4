/** Reports of groups, and what operators do about them (OPER-13, OPER-14). */
import { describe, expect, test } from 'vitest'
import { REPORTS_PER_DAY } from '#shared/limits.ts'
import { api, engines, startWithOperator, type TestPlayer } from '../support/app.ts'
import { imageOf, upload } from '../support/png.ts'

describe.each(engines)('on %s', (engine) => {
  /** Ada owns a group; Bob has joined it, and Cleo was added. */
  async function cast() {
    const { app, operator } = await startWithOperator({ engine })
    const [bob, cleo] = [await app.player({ name: 'Bob' }), await app.player({ name: 'Cleo' })]
    const ada = await app.player({ name: 'Ada', friends: [bob, cleo] })
    const { group_id: id } = await app.group({ owner: ada, members: [bob], asked: [cleo], name: 'Rude' })
    return { app, operator, ada, bob, cleo, id }
  }
  const report = (player: TestPlayer, id: number, about: 'name' | 'picture' = 'name') =>
    player.call(api.groups.report, { id }, { about, reason: 'It is rude.' })
  const change = (
    operator: TestPlayer,
    id: number,
    body: Parameters<typeof operator.call<typeof api.operator.changeGroup>>[2],
  ) => operator.call(api.operator.changeGroup, { id }, body)

  test('OPER-13, OPER-14: members report a group, also those who were only added; the operator sees why, and not who', async () => {
    const { operator, ada, bob, cleo, id } = await cast()
    await report(cleo, id)
    await report(bob, id, 'picture')
    await ada.call(api.groups.rename, { id }, { name: 'Polite' })
    const reports = await operator.call(api.operator.reports, {})
    expect(reports).toMatchObject([
      {
        group_id: id,
        name: 'Polite',
        owner: { steam_id: ada.steam_id, display_name: 'Ada' },
        member_count: 3,
        candidates: [{ steam_id: bob.steam_id }],
        reports: [
          { about: 'picture', reason: 'It is rude.', name_then: 'Rude' },
          { about: 'name', reason: 'It is rude.', name_then: 'Rude' },
        ],
      },
    ])
    expect(JSON.stringify(reports)).not.toContain(cleo.steam_id)
    // Nothing tells the group.
    for (const path of [
      `/api/groups/${id}`,
      `/api/groups/${id}/members`,
      `/api/users/${ada.steam_id}/export`,
    ])
      expect(await (await ada.request(path)).text()).not.toContain('It is rude.')
  })

  test('OPER-13: one open report per person and group, and ten a day', async () => {
    const { app, operator, bob, id } = await cast()
    await report(bob, id)
    const again = () => bob.refused(api.groups.report, { id }, { about: 'picture', reason: 'Again.' })
    expect(await again()).toMatchObject({ status: 409, code: 'already_reported' })
    await change(operator, id, { action: 'dismiss_reports', reason: 'harmless' })
    expect(await operator.call(api.operator.reports, {})).toEqual([])
    await report(bob, id)
    // A refused report does not count.
    for (let made = 2; made < REPORTS_PER_DAY; made++) {
      const { group_id } = await app.group({ owner: bob })
      await report(bob, group_id)
    }
    const { group_id } = await app.group({ owner: bob })
    const refused = await bob.refused(api.groups.report, { id: group_id }, { about: 'name', reason: 'x' })
    expect(refused).toMatchObject({ status: 429, code: 'report_limit_reached' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
    expect(await again()).toMatchObject({ status: 429 })
  })

  test('OPER-14: the operator renames the group, removes its picture and hands it over to a member who has joined', async () => {
    const { app, operator, ada, bob, cleo, id } = await cast()
    expect((await upload(ada, id, await imageOf('#123456'))).status).toBe(200)
    const shown = (await ada.call(api.groups.read, { id })).picture_image_url!
    expect((await fetch(app.url + shown)).status).toBe(200)
    await report(bob, id)

    await change(operator, id, { action: 'rename_group', name: 'Group', reason: 'rude' })
    await change(operator, id, { action: 'remove_picture', reason: 'rude' })
    expect(await bob.call(api.groups.read, { id })).toMatchObject({
      name: 'Group',
      picture_url: null,
      picture_image_url: null,
    })
    expect((await fetch(app.url + shown)).status).toBe(404)
    const handOver = (to: TestPlayer) =>
      ({ action: 'hand_over', steam_id: to.steam_id, reason: 'rude' }) as const
    expect(await operator.refusedWith(api.operator.changeGroup, { id }, handOver(cleo))).toBe(
      'member_has_not_joined',
    )
    await change(operator, id, handOver(bob))
    expect(await bob.call(api.groups.read, { id })).toMatchObject({ owner_steam_id: bob.steam_id })
    const { entries } = await operator.call(api.operator.log, { before: 'newest' })
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['hand_over', 'Group'],
      ['remove_picture', 'Group'],
      ['rename_group', 'Rude → Group'],
    ])
  })

  test('OPER-14: the operator deletes a group; it does not exist for its members any more', async () => {
    const { operator, bob, id } = await cast()
    await report(bob, id)
    await change(operator, id, { action: 'delete_group', reason: 'rude' })
    expect((await bob.request(`/api/groups/${id}`)).status).toBe(404)
    expect(await operator.call(api.operator.reports, {})).toEqual([])
  })

  test('OPER-14: the group of a blocked owner can be handed over without a report; to nobody who is blocked', async () => {
    const { operator, ada, bob, id } = await cast()
    const block = ({ steam_id }: TestPlayer) =>
      operator.call(api.operator.changeAccount, { steamId: steam_id }, { action: 'block', reason: 'rude' })
    const handOver = { action: 'hand_over', steam_id: bob.steam_id, reason: 'rude' } as const
    expect((await operator.refused(api.operator.changeGroup, { id }, handOver)).status).toBe(404)
    await block(ada)
    await block(bob)
    expect(await operator.call(api.operator.group, { id })).toMatchObject({ candidates: [], reports: [] })
    expect((await operator.refused(api.operator.changeGroup, { id }, handOver)).status).toBe(403)
    await operator.call(api.operator.changeAccount, bob.user, { action: 'unblock', reason: 'fine' })
    await change(operator, id, handOver)
    // It is a group like any other again.
    expect(await operator.refused(api.operator.group, { id })).toMatchObject({ status: 404 })
  })
})
