/** A user's settings (API-40); tests/server/library.test.ts has what the visibility does. */
import { describe, expect, test } from 'vitest'
import { api, engines, startTestApp } from '../support/app.ts'

/** As for everybody at first. */
const NOTIFICATIONS = {
  asked: true,
  moved: true,
  vote: true,
  picked: true,
  starting: true,
  discreet: false,
}

describe.each(engines)('settings (%s)', (engine) => {
  test('API-40, LOOK-36, LANG-1, PUSH-7: each can be changed alone; theme, language, country and notifications are stored, exported, and gone with the account', async () => {
    const app = await startTestApp({ engine })
    const [ada, bob] = [await app.player(), await app.player()]
    const mine = ada.user
    expect(await ada.call(api.privacy.settings, mine)).toMatchObject({ theme: 'system' })

    const notifications = { ...NOTIFICATIONS, vote: false, discreet: true }
    const changed = {
      library_visibility: 'groups',
      theme: 'light',
      language: 'de',
      country: 'JP',
      wishlist: false,
      notifications,
    }
    await ada.call(api.privacy.changeSettings, mine, { theme: 'light' })
    await ada.call(api.privacy.changeSettings, mine, { language: 'de' })
    await ada.call(api.privacy.changeSettings, mine, { country: 'JP' })
    for (const some of [{ vote: false, asked: false }, { discreet: true }, { asked: true }])
      await ada.call(api.privacy.changeSettings, mine, { notifications: some })
    expect(await ada.call(api.privacy.changeSettings, mine, { library_visibility: 'groups' })).toEqual(
      changed,
    )
    expect(await ada.call(api.privacy.changeSettings, mine, {})).toEqual(changed)
    expect(await ada.call(api.privacy.settings, mine)).toEqual({
      ...changed,
      wishlist_state: null,
      wishlist_games: 0,
      is_operator: false,
      server_country: 'US',
    })
    expect(await ada.call(api.privacy.exportAll, mine)).toMatchObject({
      person: { theme: 'light', language: 'de', country: 'JP', notifications },
    })
    expect(await bob.call(api.privacy.settings, bob.user)).toMatchObject({
      theme: 'system',
      language: null,
      country: null,
      notifications: NOTIFICATIONS,
    })
    const refused = { theme: 'mauve' as 'dark' }
    expect((await ada.refused(api.privacy.changeSettings, mine, refused)).error).toBe(
      'theme: must be one of system, light, dark',
    )

    for (const country of ['DEU', 'de', 'XX', ''])
      expect((await ada.refused(api.privacy.changeSettings, mine, { country })).error).toBe(
        'country: must be the code of a country, such as DE',
      )

    await ada.call(api.privacy.deleteAccount, mine)
    const back = app.callsOf(await app.signIn(ada.steam_id))
    expect(await back.call(api.privacy.settings, mine)).toMatchObject({ theme: 'system' })
  })
})
