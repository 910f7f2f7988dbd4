/** NIGHT-137: what is new shows by itself, wherever one looks. */
import { inNight, startInGroup } from '../support/nights.ts'
import { api, expect, test } from './support.ts'

/** Within which news must show, with the time of a slow machine to draw it. */
const SOON = { timeout: 8_000 }

test('NIGHT-137: a night shows wherever one looks', async ({ page, openTab, product, signInAs }) => {
  const games = { Portal: 60 }
  const [ada, cal] = [
    await product.player({ name: 'Ada', games }),
    await product.player({ name: 'Cal', games }),
  ]
  const host = await product.player({ name: 'Host', games, friends: [ada, cal] })
  const { group_id: groupId } = await product.group({ owner: host, members: [ada] })
  await signInAs(ada)
  const tabs = { dashboard: page, group: await openTab(), games: await openTab() }
  await tabs.dashboard.goto('/dashboard')
  await tabs.group.goto(`/groups/${groupId}`)
  await tabs.games.goto('/my_games')
  const nightsOf = (name: string, of = page) => of.getByRole('region', { name, exact: true })
  await expect(nightsOf('Game night')).toContainText('Nothing is planned')
  await expect(nightsOf('Game nights', tabs.group)).toContainText('No game nights yet')
  await expect(tabs.games).toHaveTitle('My Games · Shelfmates')

  const night = await startInGroup(host, groupId)
  await expect(nightsOf('Game night')).toContainText('needs your answer', SOON)
  await expect(nightsOf('Game nights', tabs.group)).toContainText('Answer', SOON)
  await expect(tabs.games).toHaveTitle('(1) My Games · Shelfmates', SOON)
  await inNight(night, ada).answer('in')
  await expect(tabs.games).toHaveTitle('My Games · Shelfmates', SOON)

  await host.call(api.groups.addMembers, { id: groupId }, { steam_ids: [cal.steam_id] })
  await expect(tabs.group.getByRole('region', { name: 'Members', exact: true })).toContainText('Cal', SOON)
  await expect(nightsOf('Groups')).toContainText('3 members', SOON)
})
