/** A user's settings (API-40); tests/server/library.test.ts has what the visibility does. */
import { describe, expect, test } from 'vitest'
import { privacyContract } from '#shared/contract/privacy.ts'
import { startTestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'

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
    const mine = { steamId: ada.steam_id }
    expect(await ada.call(privacyContract.settings, mine)).toMatchObject({ theme: 'system' })

    const notifications = { ...NOTIFICATIONS, vote: false, discreet: true }
    const changed = {
      library_visibility: 'groups',
      theme: 'light',
      language: 'de',
      country: 'JP',
      wishlist: false,
      notifications,
    }
    await ada.call(privacyContract.changeSettings, mine, { theme: 'light' })
    await ada.call(privacyContract.changeSettings, mine, { language: 'de' })
    await ada.call(privacyContract.changeSettings, mine, { country: 'JP' })
    for (const some of [{ vote: false, asked: false }, { discreet: true }, { asked: true }])
      await ada.call(privacyContract.changeSettings, mine, { notifications: some })
    expect(await ada.call(privacyContract.changeSettings, mine, { library_visibility: 'groups' })).toEqual(
      changed,
    )
    expect(await ada.call(privacyContract.changeSettings, mine, {})).toEqual(changed)
    expect(await ada.call(privacyContract.settings, mine)).toEqual({
      ...changed,
      wishlist_state: null,
      wishlist_games: 0,
      is_operator: false,
      server_country: 'US',
    })
    expect(await ada.call(privacyContract.exportAll, mine)).toMatchObject({
      person: { theme: 'light', language: 'de', country: 'JP', notifications },
    })
    expect(await bob.call(privacyContract.settings, { steamId: bob.steam_id })).toMatchObject({
      theme: 'system',
      language: null,
      country: null,
      notifications: NOTIFICATIONS,
    })
    const refused = { theme: 'mauve' as 'dark' }
    expect(await ada.refused(privacyContract.changeSettings, mine, refused)).toMatchObject({
      status: 400,
      error: 'theme: must be one of system, light, dark',
    })

    for (const country of ['DEU', 'de', 'XX', ''])
      expect(await ada.refused(privacyContract.changeSettings, mine, { country })).toMatchObject({
        status: 400,
        error: 'country: must be the code of a country, such as DE',
      })

    await ada.call(privacyContract.deleteAccount, mine)
    const back = app.callsOf(await app.signIn(ada.steam_id))
    expect(await back.call(privacyContract.settings, mine)).toMatchObject({ theme: 'system' })
  })
})
