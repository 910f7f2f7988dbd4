/** A group with a clock, whose nights propose times, in tests of the server. */
import { startAt, type TestApp, type TestPlayer } from './app.ts'
import { iso } from './dates.ts'
import type { engines } from './databases.ts'
import { friendsWithGames, inNight, startInGroup } from './nights.ts'

export const HOUR = 60 * 60_000
export const DAY = 24 * HOUR
export const NOW = Date.UTC(2026, 5, 1, 12)
export const [MON, TUE, WED] = [NOW + DAY, NOW + 2 * DAY, NOW + 3 * DAY]

/** A group of a host, Ben and Eve, with a clock; `propose` starts a night whose date is to be found. */
export async function beginDates(engine: (typeof engines)[number], options: object = {}) {
  const { app, time: clock } = await startAt(NOW, { engine, ...options })
  const { host, others, groupId } = await friendsWithGames(app, 3)
  const [ben, eve] = others as [TestPlayer, TestPlayer]
  const propose = (times: readonly number[] = [MON, TUE, WED], rest: object = {}) =>
    startInGroup(host, groupId, { times: times.map(iso), ...rest })
  return { app, clock, host, ben, eve, groupId, propose }
}
export const answersIn = async (night: { night_id: number }, player: TestPlayer) =>
  Object.fromEntries(
    (await inNight(night, player).read()).people.map(({ steam_id, answer }) => [steam_id, answer]),
  )
/** Does what is due in the background. */
export const tick = (app: TestApp) => app.deps.messages.runOnce()
