/** What is known of a shortlisted game, from which its rank and its reasons follow (NIGHT-20, NIGHT-24). */
import { z } from 'zod'

export const gameFacts = z.object({
  /** How many people the list is for; how many of them have a known library; and how many of those own the game. */
  people: z.int(),
  known: z.int(),
  owners: z.int(),
  /** Owners who played it in the last 30 days, as far as is known. */
  played_recently: z.int(),
  /** Owners who have played it for two hours or more, who have ever played it, and who never have. */
  experienced: z.int(),
  played: z.int(),
  never_played: z.int(),
  /** Whole weeks since the group last picked it; null when it never did. */
  picked_weeks_ago: z.int().nullable(),
  /** Whether it is the game that the group picked last. */
  picked_last: z.boolean(),
})
export type GameFacts = z.infer<typeof gameFacts>
