/** How marks become scores and scores become odds (NIGHT-27 to NIGHT-30). Pure functions. */

/** Marks of a game in a vote: 'Want', 'Fine' and 'Not tonight'. */
export const MARKS = ['want', 'fine', 'no'] as const
export type Mark = (typeof MARKS)[number]

/** All marks of a player. A game without a mark counts neither for nor against; of one marked twice the last counts. */
export type Ballot = readonly { appid: number; mark: Mark }[]

/** What a mark adds to a game's score (NIGHT-27). */
export const MARK_SCORES: Readonly<Record<Mark, number>> = { want: 2, fine: 1, no: -3 }

export type Tally = {
  /** Score of each game of the list, in its order. */
  scores: ReadonlyMap<number, number>
  /** Games that a 'no' rules out; none when it only weighs. */
  ruledOut: ReadonlySet<number>
  /** 'No' forbids, but would leave no game, so that it only weighs (NIGHT-28). */
  everythingRuledOut: boolean
  /** Games that may be picked and have the highest score, in the order of the list. */
  best: readonly number[]
}

/**
 * Counts the ballots of those who are in, for the games on the list; marks of other games do not count.
 * @param forbids whether a single 'no' rules a game out (NIGHT-28)
 */
export function tally(
  ballots: Iterable<Ballot>,
  appids: readonly number[],
  { forbids }: { forbids: boolean },
): Tally {
  const scores = new Map(appids.map((appid) => [appid, 0]))
  const refused = new Set<number>()
  for (const ballot of ballots)
    for (const [appid, mark] of new Map(ballot.map((one) => [one.appid, one.mark]))) {
      const score = scores.get(appid)
      if (score === undefined) continue
      scores.set(appid, score + MARK_SCORES[mark])
      if (mark === 'no') refused.add(appid)
    }
  const everythingRuledOut = forbids && scores.size > 0 && refused.size === scores.size
  const ruledOut = forbids && !everythingRuledOut ? refused : new Set<number>()
  return { scores, ruledOut, everythingRuledOut, best: highest(candidates(scores, ruledOut)) }
}

/** A game that may be drawn. Its chance is its weight divided by the sum of all weights. */
export type Odds = readonly { appid: number; weight: number }[]

/**
 * The odds of the next draw, by ascending appid; empty when no game is left. By 'votes' the best games have equal odds;
 * by 'draw' each game has its score, and games at 0 or below have no chance, unless all are, when the best have equal
 * odds (NIGHT-30).
 * @param drawn games that were drawn before in this night, which are left out
 */
export function oddsOf(
  { scores, ruledOut }: Pick<Tally, 'scores' | 'ruledOut'>,
  by: 'votes' | 'draw',
  drawn: Iterable<number> = [],
): Odds {
  const left = candidates(scores, new Set([...ruledOut, ...drawn]))
  const positive = by === 'draw' ? left.filter(([, score]) => score > 0) : []
  const odds =
    positive.length > 0
      ? positive.map(([appid, weight]) => ({ appid, weight }))
      : highest(left).map((appid) => ({ appid, weight: 1 }))
  return odds.sort((a, b) => a.appid - b.appid)
}

type Scored = [appid: number, score: number]

function candidates(scores: ReadonlyMap<number, number>, without: ReadonlySet<number>): Scored[] {
  return [...scores].filter(([appid]) => !without.has(appid))
}

function highest(games: readonly Scored[]): number[] {
  const most = Math.max(...games.map(([, score]) => score))
  return games.filter(([, score]) => score === most).map(([appid]) => appid)
}
