/** A year in six pictures, of a user or a group (LATELY-5, LATELY-6). */
import { z } from 'zod'
import { gameSummary, groupIdInPath, player, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'
import { linkTo } from './share.ts'

const inPath = z.string().regex(/^20\d\d$/, 'must be a year')
const ofYear = z.object({ year: inPath.transform(Number) })
const ofUser = ofYear.extend({ steamId })
const ofGroup = ofYear.extend({ id: groupIdInPath })

const year = z.object({
  /** The current one and those of which something is stored, latest first. */
  years: z.array(z.int()),
  /** When my minutes began to be counted by month; null before that, and of a group. */
  since: z.iso.datetime().nullable(),
  /** By month (UTC), up to the current one: my minutes, or a group's nights. Null: not known. */
  months: z.array(z.int().nullable()),
  /** The games played most by my minutes, or picked most by a group, at most five. */
  games: z.array(gameSummary.extend({ amount: z.int() })),
  /** Games that I played, or a group picked, for the first time, and the one with the most minutes or nights. */
  first: z.object({ count: z.int(), most: gameSummary.nullable() }),
  /** Who was in on most nights, at most five: of mine with me, of a group's. */
  people: z.array(player.extend({ nights: z.int() })),
  /** Nights with a pick on which at least two were in, and how many were in on average. */
  nights: z.object({ count: z.int(), people: z.number() }),
  /** Picked most often; of several the one that was picked last. */
  pick: gameSummary.extend({ nights: z.int() }).nullable(),
})
export type Year = z.infer<typeof year>

export const yearContract = {
  mine: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/year/:year',
    summary: 'What I played in a year, and with whom, as far as it is stored',
    access: 'self',
    heavy: true,
    params: ofUser,
    response: year,
  }),
  ofGroup: endpoint({
    method: 'GET',
    path: '/api/groups/:id/year/:year',
    summary: 'The nights of a group in a year; for members who have joined',
    access: 'group_member',
    heavy: true,
    params: ofGroup,
    response: year,
  }),
}

export const yearShareContract = linkTo('/api/users/:steamId/year/:year/share', {
  access: 'self',
  params: ofUser,
  of: 'my year',
  by: 'whose library everyone connected may see',
})

export const groupYearShareContract = linkTo('/api/groups/:id/year/:year/share', {
  access: 'group_member',
  params: ofGroup,
  of: 'the year of a group',
  by: 'members who have joined',
})
