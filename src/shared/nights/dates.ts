/** Which of the times proposed for a night is best, and when one is taken without its host (DATE-5 to DATE-7). Pure functions. */

/** Answers to a proposed time: 'Yes', 'If need be' and 'No'. */
export const DATE_ANSWERS = ['yes', 'maybe', 'no'] as const
export type DateAnswer = (typeof DATE_ANSWERS)[number]

/** A proposed time, in milliseconds since 1970, and who has answered what. */
export type ProposedTime<Player extends string = string> = {
  at: number
  answers: ReadonlyMap<Player, DateAnswer>
}

/** How many can come: 'yes' and 'if need be' together. */
export function canCome({ answers }: Pick<ProposedTime, 'answers'>): number {
  return count(answers, 'yes') + count(answers, 'maybe')
}

/** Times that can still be answered and taken. */
export function aheadOf<Time extends { at: number }>(times: readonly Time[], now: number): Time[] {
  return times.filter(({ at }) => at > now)
}

/**
 * Times, best first: those when most can come, of these those with the fewest 'if need be', of these the earliest. Times
 * that have passed come last.
 */
export function bestFirst<Time extends ProposedTime>(times: readonly Time[], now: number): Time[] {
  return times.toSorted(
    (a, b) => Number(a.at <= now) - Number(b.at <= now) || compareAnswers(a, b) || a.at - b.at,
  )
}

/** How many of those asked have answered every time ahead, and how many only some of them. */
export function answersTo(
  times: readonly ProposedTime[],
  asked: readonly string[],
  now: number,
): { answered: number; partly: number; asked: number } {
  const answered = asked.filter((player) => hasAnswered(player, times, now))
  const begun = asked.filter((player) => aheadOf(times, now).some(({ answers }) => answers.has(player)))
  return {
    answered: answered.length,
    partly: begun.filter((player) => !answered.includes(player)).length,
    asked: asked.length,
  }
}

/** Whether a player has answered every time that is still ahead. */
export function hasAnswered(player: string, times: readonly ProposedTime[], now: number): boolean {
  return aheadOf(times, now).every(({ answers }) => answers.has(player))
}

/**
 * The time that is taken by itself: when everyone has answered all times that are ahead, and one of them is better than
 * every other and at least two can come.
 * @param asked who is asked and has not said that they are out
 */
export function agreedTime(
  times: readonly ProposedTime[],
  asked: readonly string[],
  now: number,
): number | undefined {
  const [best, next] = bestFirst(aheadOf(times, now), now)
  if (!best || canCome(best) < 2) return undefined
  if (next && compareAnswers(best, next) === 0) return undefined
  return asked.every((player) => hasAnswered(player, times, now)) ? best.at : undefined
}

/** The time that the deadline takes: the best one ahead, unless nobody can come to any. */
export function timeAtDeadline(times: readonly ProposedTime[], now: number): number | undefined {
  const [best] = bestFirst(aheadOf(times, now), now)
  return best && canCome(best) > 0 ? best.at : undefined
}

function count(answers: ProposedTime['answers'], answer: DateAnswer): number {
  return [...answers.values()].filter((one) => one === answer).length
}

/** Negative when `a` is better, 0 when their answers are equally good. */
function compareAnswers(a: ProposedTime, b: ProposedTime): number {
  return canCome(b) - canCome(a) || count(a.answers, 'maybe') - count(b.answers, 'maybe')
}
