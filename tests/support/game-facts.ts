/** Facts of games for tests. */
import type { GameFacts } from '#shared/nights/facts.ts'

/** The facts of a game that so many people all own, none has played and none has picked. */
export const neverPlayedBy = (players: number): GameFacts => ({
  people: players,
  known: players,
  owners: players,
  played_recently: 0,
  experienced: 0,
  played: 0,
  never_played: players,
  picked_weeks_ago: null,
  picked_last: false,
})
