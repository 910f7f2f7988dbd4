import { nightsContract } from '#shared/contract/nights.ts'
import { friendsWithGames, startInGroup } from '../support/nights.ts'
import { dialog, startButton } from './night-page.ts'
import { DESK, PHONE, test } from './support.ts'

for (const language of ['en', 'de'] as const)
  test(`shots ${language}`, async ({ page, product, signInAs }) => {
    test.setTimeout(240_000)
    const zone = await page.context().newCDPSession(page)
    await zone.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' })
    const { host, groupId } = await friendsWithGames(product, 3, ['Portal', 'Factorio', 'Overcooked', 'Portal 2', 'Terraria'])
    await signInAs(host)
    await page.addInitScript((l) => localStorage.setItem('language', l), language)
    await host.call((await import('#shared/contract/index.ts')).contract.groups.rename, { id: groupId }, { name: 'W'.repeat(60) + ' <b>x</b>' })
    const night = await startInGroup(host, groupId, { title: 'Ein sehr langer Titel mit '.repeat(3), starts_at: new Date(Date.now() + 26 * 3600_000).toISOString(), repeat: { every: 'two_weeks', zone: 'Europe/Berlin' } })
    const shot = async (name: string) => {
      for (const [s, size] of [['desk', DESK], ['phone', PHONE]] as const)
        for (const scheme of ['dark', 'light'] as const) {
          if (scheme === 'light' && s === 'desk' && language === 'en') continue
          await page.setViewportSize(size)
          await page.emulateMedia({ colorScheme: scheme })
          await page.waitForTimeout(400)
          await page.screenshot({ path: `/tmp/shots/${name}-${language}-${s}-${scheme}.png` })
        }
      await page.emulateMedia({ colorScheme: 'dark' })
    }
    await page.goto(`/nights/${night.night_id}`)
    await page.waitForTimeout(1500)
    await shot('night')
    await page.getByRole('button', { name: /Host menu|Gastgeber|Ausrichter|Menü/ }).first().click()
    await page.waitForTimeout(300)
    await page.getByRole('button', { name: /Cancel this night|Abend absagen/ }).scrollIntoViewIfNeeded()
    await shot('menu')
    await page.getByRole('button', { name: /Stop repeating|Nicht mehr wiederholen/ }).click()
    await shot('stop')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Cancel this night|Abend absagen/ }).click()
    await shot('cancel')
    await page.goto('/nights')
    await page.waitForTimeout(1200)
    await shot('list')
    await page.setViewportSize(DESK)
    await page.goto(`/groups/${groupId}`)
    await page.getByRole('main').getByRole('button', { name: /Start a game night|Spieleabend starten/ }).first().click()
    await dialog(page).getByRole('radio').nth(1).check()
    await dialog(page).getByLabel(/Repeats|Wiederholung/).selectOption({ index: 1 })
    await shot('dialog')
    void startButton; void nightsContract
  })
