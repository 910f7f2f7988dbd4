/** What happened lately among friends and groups (LATELY-1). */
import { z } from 'zod'
import { gameSummary, group, player, price, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const user = z.object({ steamId })
const at = z.iso.datetime()
const inGroup = group.pick({ group_id: true, name: true })

const lately = z.discriminatedUnion('kind', [
  /** A player has games that were not in their library before, or played them again after a year. */
  z.object({
    kind: z.enum(['got', 'again']),
    at,
    player,
    games: z.array(gameSummary),
    /** Further games. */
    more: z.int(),
  }),
  /** All members of a group own a game, since a player got it. */
  z.object({ kind: z.literal('all_own'), at, player, group: inGroup, game: gameSummary, members: z.int() }),
  /** A night that I was in on. */
  z.object({
    kind: z.literal('night'),
    at,
    night_id: z.int(),
    title: z.string().nullable(),
    group: inGroup.nullable(),
    game: gameSummary,
  }),
  /** The last of three members of a group, or of more, has come to want a game; `members`: how many want it. */
  z.object({ kind: z.literal('wish'), at, player, group: inGroup, game: gameSummary, members: z.int() }),
  /** A game is on sale that only one member of a group lacks. */
  z.object({ kind: z.literal('sale'), at, player, group: inGroup, game: gameSummary, price }),
])
export type Lately = z.infer<typeof lately>

const page = z.object({
  /** Latest first. */
  entries: z.array(lately),
  /** Where the next page begins; null after the last one. */
  next: z.int().nullable(),
})

export const latelyContract = {
  read: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/lately',
    summary: 'What happened in the last 30 days among my friends and in my groups',
    access: 'self',
    heavy: true,
    params: user,
    response: page,
  }),
  more: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/lately/:from',
    summary: 'A further page of what happened lately',
    access: 'self',
    heavy: true,
    params: user.extend({
      from: z
        .string()
        .regex(/^\d{1,4}$/, 'must be a whole number')
        .transform(Number),
    }),
    response: page,
  }),
}
