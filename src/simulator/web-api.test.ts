/** The simulated Web API against what is known of the real one (PLAT-12 to PLAT-32). */
import { expect, onTestFinished, test } from 'vitest'
import { startSimulator } from './simulator.ts'
import { newPlayer } from '../../tests/support/product.ts'

const ME = '76561197960265730'

test.each(['friendsPrivate', 'profilePrivate'] as const)(
  'PLAT-19: with %s the friend list is 401 with the JSON body {}',
  async (hidden) => {
    const simulator = await startSimulator({
      world: { players: [{ ...newPlayer(ME), [hidden]: true }], apps: [] },
      apiKey: 'key',
    })
    onTestFinished(simulator.close)
    const response = await fetch(
      `${simulator.apiUrl}/ISteamUser/GetFriendList/v1?${new URLSearchParams({ key: 'key', steamid: ME }).toString()}`,
    )
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.text()).toBe('{}')
  },
)
