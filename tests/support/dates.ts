/** Nights whose date is being found, in tests. */
import { nightsContract } from '#shared/contract/nights.ts'
import type { Night } from '#shared/nights/entities.ts'
import type { DateAnswer } from '#shared/nights/dates.ts'
import type { TestPlayer } from './product.ts'

export const iso = (time: number) => new Date(time).toISOString()

/** What a player calls in a night whose date is being found. */
export function findingDate(night: Pick<Night, 'night_id'>, player: TestPlayer) {
  const id = { id: night.night_id }
  const body = (answers: readonly (readonly [number, DateAnswer])[]) => ({
    answers: Object.fromEntries(answers.map(([at, answer]) => [iso(at), answer])),
  })
  return {
    mark: (...answers: (readonly [number, DateAnswer])[]) =>
      player.call(nightsContract.answerTimes, id, body(answers)),
    markRefused: (...answers: (readonly [number, DateAnswer])[]) =>
      player.refused(nightsContract.answerTimes, id, body(answers)),
    take: (at: number) => player.call(nightsContract.takeTime, id, { starts_at: iso(at) }),
    takeRefused: (at: number) => player.refused(nightsContract.takeTime, id, { starts_at: iso(at) }),
  }
}
