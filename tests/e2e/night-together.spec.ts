/** LIVE-2 and NIGHT-79: five people in five browsers, on two servers, decide in a game night together. */
import type { Browser, Page } from '@playwright/test'
import type { Product } from '../support/product.ts'
import { dialog } from './group-page.ts'
import { chooseAccount } from './newcomers.ts'
import { answer, bar, game, mark, openedNight, part, pickName } from './night-page.ts'
import { expect, expectNoSidewaysScroll } from './support.ts'
import { gather, measure, type Person, test } from './together.ts'

/** What a page may lag behind, from the response to the one who acted (LIVE-2). */
const LAG_MS = 1000

type Crew = Awaited<ReturnType<typeof gather>>
type Marks = Record<string, 'Want' | 'Fine' | 'Not tonight'>

test(
  'LIVE-2, NIGHT-79: five browsers on two servers see who is in, who has voted and the pick within a second',
  { tag: '@timed' },
  async ({ browser, servers, consoleErrors }) => {
    // Two nights, each with five sign-ins.
    test.setTimeout(180_000)
    const first = await decide(browser, servers, consoleErrors)
    // Other work on the machine may delay one night; a second one that is late too is the product's fault.
    const slowest = first.ms <= LAG_MS ? first : await decide(browser, servers, consoleErrors)
    expect(slowest.ms, slowest.what).toBeLessThanOrEqual(LAG_MS)
  },
)

/** One whole night with a tie and a draw; returns the change that took the longest to reach the last page. */
async function decide(browser: Browser, servers: [Product, Product], consoleErrors: string[]) {
  const crew = await gather(browser, servers, consoleErrors)
  const { mira, theo, ada, ben, eve, all } = crew
  const lags: { what: string; ms: number }[] = []
  const seen = async (person: Person, call: string, said: string, act: () => Promise<void>) => {
    const others = all.filter((other) => other !== person)
    lags.push(await measure(person, others, { act, call, said }))
  }

  await mira.page.goto(`/groups/${crew.groupId}`)
  await start(crew)
  const link = await invite(mira)
  await signInAndJoin(crew, link)
  for (const person of [theo, ada, ben]) await openFromDashboard(person)
  for (const { page } of all) await expect(page.getByText('Voting is open')).toBeVisible()
  // NIGHT-79: the group does not exist to Eve, who joined this night alone.
  for (const { page } of [mira, theo, ada, ben])
    await expect(page.getByRole('main').getByRole('link', { name: 'Friday' })).toBeVisible()
  await expect(eve.page.getByRole('main').getByText('Friday')).toBeVisible()
  await expect(eve.page.getByRole('main').getByRole('link', { name: 'Friday' })).toHaveCount(0)

  // NIGHT-82, NIGHT-81: everyone says in.
  for (const person of [theo, ada, ben, eve])
    await seen(person, '/answer', `${person.name} is in`, () => sayIn(person))
  // Ben does not own it; Mira has marked nothing, so her list follows at once (NIGHT-84).
  await expect(game(mira.page, 'Terraria')).toHaveCount(0)
  for (const { page } of all) {
    for (const name of ['Portal', 'Factorio', 'Overcooked'])
      await expect(game(page, name)).toContainText('all 5 own it')
  }
  for (const { page } of [mira, theo, ben])
    await expect(part(page, 'In').getByRole('listitem')).toHaveCount(5)

  // NIGHT-85, NIGHT-16: everyone marks and votes; marks are hidden from who has not voted. Portal and Factorio tie.
  const ballots: [Person, Marks][] = [
    [theo, { Portal: 'Want', Factorio: 'Fine', Overcooked: 'Not tonight' }],
    [ada, { Portal: 'Fine', Factorio: 'Want', Overcooked: 'Fine' }],
    [eve, { Portal: 'Want', Factorio: 'Want' }],
    [mira, { Portal: 'Want', Factorio: 'Fine' }],
    [ben, { Portal: 'Fine', Factorio: 'Want', Overcooked: 'Not tonight' }],
  ]
  for (const [nth, [person, marks]] of ballots.entries()) {
    await seen(person, '/ballot', `${person.name} has voted`, () => vote(person, marks))
    if (nth === ballots.length - 1) continue
    for (const [voter] of ballots.slice(0, nth + 1)) {
      const names = ballots.slice(0, nth + 1).map(([one]) => (one === voter ? 'You' : one.name))
      const portal = game(voter.page, 'Portal')
      for (const name of names)
        await expect(portal.getByText(new RegExp(`(Want|Fine with) it: .*${name}`))).toBeVisible()
    }
    for (const [{ page }] of ballots.slice(nth + 1))
      await expect(page.getByText(/Want it|Fine with it/)).toHaveCount(0)
  }

  // NIGHT-86: the same odds on all pages, and only the host draws.
  for (const { page } of all)
    await expect(tie(page).getByRole('listitem')).toHaveText([/1 in 2 \(50 %\)/, /1 in 2 \(50 %\)/])
  const odds = await Promise.all(all.map(({ page }) => tie(page).getByRole('listitem').allTextContents()))
  for (const others of odds) expect(others).toEqual(odds[0])
  for (const person of all) await expect(drawNow(person)).toHaveCount(person === mira ? 1 : 0)
  await seen(mira, '/draw', 'You are playing', () => mira.press(drawNow(mira)))

  // NIGHT-87: the same pick on all pages, each fitting its screen.
  const pick = (await pickName(mira.page).textContent())!
  expect(pick).toMatch(/^You are playing (Portal|Factorio)$/)
  for (const { page } of all) {
    await expect(pickName(page)).toHaveText(pick)
    await expectNoSidewaysScroll(page)
  }

  // NIGHT-91: on the other server than the one that drew.
  await theo.press(theo.page.getByText('How it was decided'))
  await theo.press(theo.page.getByRole('link', { name: 'Check the draw' }))
  await expect(theo.page.getByText('The seed belongs to the hash.')).toBeVisible()
  await expect(theo.page.getByText('This is the game that was drawn.')).toBeVisible()
  await expect(theo.page.getByText('NOT')).toHaveCount(0)
  for (const { page } of all) await page.context().close()

  // Four others say in, five vote, one draws.
  expect(lags).toHaveLength(10)
  const slowest = lags.reduce((one, other) => (other.ms > one.ms ? other : one))
  console.log(
    `slowest of ${lags.length} changes on the last of five pages: ${slowest.ms} ms, '${slowest.what}'`,
  )
  return slowest
}

const tie = (page: Page) => page.getByRole('region', { name: 'It’s a tie' })
const drawNow = ({ page }: Person) => tie(page).getByRole('button', { name: 'Draw now' })

/** NIGHT-92: the host starts a night from the group's page. */
async function start({ mira }: Crew): Promise<void> {
  const { page } = mira
  await mira.press(page.getByRole('main').getByRole('button', { name: 'Start a game night', exact: true }))
  await mira.press(dialog(page).getByRole('button', { name: 'Start now', exact: true }))
  await openedNight(page)
}

/** NIGHT-95: makes the link of the night one is looking at. */
async function invite(person: Person): Promise<string> {
  const { page } = person
  await person.press(page.getByRole('main').getByRole('button', { name: 'Tell the others', exact: true }))
  const field = dialog(page).getByRole('textbox', { name: 'Link', exact: true })
  await expect(field).toHaveValue(/\/join\/[\w-]{32}$/)
  const link = await field.inputValue()
  await person.press(dialog(page).getByRole('button', { name: 'Close', exact: true }))
  return link
}

/** NIGHT-99: who was never here answers on the link's page and signs in at Steam, which joins the night. */
async function signInAndJoin({ eve, eveSteamId }: Crew, link: string): Promise<void> {
  await eve.page.goto(link)
  await eve.press(eve.page.getByRole('button', { name: 'Maybe', exact: true }))
  await eve.press(await chooseAccount(eve.page, eveSteamId))
  await expect(eve.page).toHaveURL(/\/nights\/\d+$/)
}

/** NIGHT-103: who is asked finds the night on the dashboard. */
async function openFromDashboard(person: Person): Promise<void> {
  const { page } = person
  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: 'Game night', exact: true })
  await person.press(card.getByRole('link').first())
  await expect(page).toHaveURL(/\/nights\/\d+$/)
}

async function sayIn(person: Person): Promise<void> {
  await person.press(answer(person.page, 'In'))
  await expect(answer(person.page, 'In')).toBeChecked()
}

async function vote(person: Person, marks: Marks): Promise<void> {
  for (const [name, how] of Object.entries(marks)) await person.press(mark(person.page, name, how))
  await person.press(bar(person.page).getByRole('button', { name: 'Vote' }))
}
