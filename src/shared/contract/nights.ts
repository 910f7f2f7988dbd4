/** Game nights: who is in, what to play, and the pick (NIGHT-1 to NIGHT-91). */
import { z } from 'zod'
import { groupIdInPath, steamId } from '../entities.ts'
import {
  GROUP_MEMBERS_MAX,
  NIGHT_PLAYERS_MAX,
  NIGHT_TIMES_MAX,
  NIGHT_TIMES_MIN,
  NIGHT_TITLE_MAX,
  NIGHT_WORD_MAX,
  REDRAW_REASON_MAX,
} from '../limits.ts'
import {
  ballot,
  dateAnswer,
  night,
  nightAnswer,
  heldNight,
  nightIdInPath,
  nightSummary,
  repeat,
  seriesIdInPath,
} from '../nights/entities.ts'
import { visibleName } from '../names.ts'
import { isTimeZone } from '../nights/repeats.ts'
import { endpoint } from './endpoint.ts'
import { tabsToBlanks } from './groups.ts'

const inNight = z.object({ id: nightIdInPath })
const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u
const NO_CONTROL_CHARACTERS = 'must not have control characters'

/** A text that may be left out; a blank one counts as none. */
const shortText = (max: number) =>
  z
    .string()
    .overwrite(tabsToBlanks)
    .trim()
    .max(max, `must have at most ${max} characters`)
    .regex(oneLine, NO_CONTROL_CHARACTERS)
    .nullable()
    .transform((text) => visibleName(text) ?? null)
const title = shortText(NIGHT_TITLE_MAX)
const startsAt = z.iso.datetime()
/** As a browser says it, which nobody types: one that is not known here (`Etc/Unknown`, or newer) counts as left out. */
const zone = z.string().transform((name) => (isTimeZone(name) ? name : undefined))
/** A night that repeats needs one. */
const zoneOfRepeats = zone.transform((name) => name ?? 'UTC')
const steamIds = z.array(steamId).max(NIGHT_PLAYERS_MAX)
const nightList = z.object({ nights: z.array(nightSummary) })

export const nightsContract = {
  start: endpoint({
    method: 'POST',
    path: '/api/nights',
    summary:
      'Start a game night of a group I have joined, or with people I am connected with, or with nobody yet; now or at a time',
    access: 'signed_in',
    status: 201,
    heavy: true,
    body: z.object({
      /** Either this or `steam_ids`. */
      group_id: z.int().positive().optional(),
      /** Nobody when empty: players come by its link. */
      steam_ids: steamIds.optional(),
      /** Members of the group who are not asked. */
      except: z.array(steamId).max(GROUP_MEMBERS_MAX).optional(),
      /** Now when left out. */
      starts_at: startsAt.optional(),
      /** Times to choose from, instead of `starts_at`. */
      times: z.array(startsAt).min(NIGHT_TIMES_MIN).max(NIGHT_TIMES_MAX).optional(),
      /** When the best of `times` is taken; never when left out. */
      close_times_at: startsAt.optional(),
      /** The time zone that `starts_at` was chosen in; invitations name it. */
      zone: zone.optional(),
      /** Whether it repeats, at the local time of a zone that `starts_at` is. */
      repeat: z.object({ every: repeat, zone: zoneOfRepeats }).optional(),
      title: title.optional(),
      /** Whether a 'not tonight' rules a game out; as the group has chosen when left out. */
      forbids: z.boolean().optional(),
    }),
    response: night,
  }),
  surprise: endpoint({
    method: 'POST',
    path: '/api/groups/:id/surprise',
    summary:
      'Draw a game at once for all who have joined a group, among those that they all have: a decided game night',
    access: 'group_member',
    status: 201,
    heavy: true,
    params: z.object({ id: groupIdInPath }),
    response: night,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/nights',
    summary: 'My game nights: current ones first, then the last past ones',
    access: 'self',
    params: z.object({ steamId }),
    response: nightList,
  }),
  listOfGroup: endpoint({
    method: 'GET',
    path: '/api/groups/:id/nights',
    summary: 'Game nights of a group, in the order and number of my game nights',
    access: 'group_member',
    params: z.object({ id: groupIdInPath }),
    response: nightList,
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/nights/:id/history',
    summary: 'When the people of a night last played before, who came, and what was picked',
    access: 'night_player',
    params: inNight,
    response: z.object({ last: heldNight.nullable() }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/nights/:id',
    summary: 'One game night: people, shortlist, votes and pick',
    access: 'night_player',
    heavy: true,
    params: inNight,
    response: night,
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/nights/:id',
    summary:
      'Change the time, the title, what may be picked, when the vote ends by itself, or whether its link shows faces (its host, or the owner of its group)',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    body: z.object({
      starts_at: startsAt.optional(),
      zone: zone.optional(),
      title: title.optional(),
      forbids: z.boolean().optional(),
      /** Whether the page of its link shows names and pictures of those who are in. */
      faces: z.boolean().optional(),
      /** While the vote is open: whether games may be picked that somebody lacks who has not said no. */
      any_owner: z.boolean().optional(),
      /** When the vote ends by itself; null for not at a time. */
      vote_closes_at: startsAt.nullable().optional(),
    }),
    response: night,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/nights/:id/cancel',
    summary: 'Cancel a game night (its host, or the owner of its group)',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    response: night,
  }),
  stopRepeating: endpoint({
    method: 'DELETE',
    path: '/api/night_series/:id',
    summary: 'Stop a game night from repeating (its host, or the owner of its group); nights that exist stay',
    access: 'series_leader',
    params: z.object({ id: seriesIdInPath }),
  }),
  answer: endpoint({
    method: 'PUT',
    path: '/api/nights/:id/answer',
    summary:
      'Say in, maybe or out, with a short message, which another answer clears; "in" agrees that its people see which games of the list I own',
    access: 'night_player',
    heavy: true,
    params: inNight,
    body: z.object({ answer: nightAnswer, word: shortText(NIGHT_WORD_MAX).optional() }),
    response: night,
  }),
  answerTimes: endpoint({
    method: 'PUT',
    path: '/api/nights/:id/times',
    summary: 'Answer proposed times, all or some, with yes, maybe or no',
    access: 'night_player',
    heavy: true,
    params: inNight,
    body: z.object({ answers: z.record(startsAt, dateAnswer) }),
    response: night,
  }),
  takeTime: endpoint({
    method: 'POST',
    path: '/api/nights/:id/time',
    summary:
      'Take one of the proposed times: it is an ordinary planned night then (its host, or the owner of its group)',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    body: z.object({ starts_at: startsAt }),
    response: night,
  }),
  vote: endpoint({
    method: 'PUT',
    path: '/api/nights/:id/ballot',
    summary:
      'Mark games, all at once; replaces my marks until the vote ends, and those of games that are not on the list wait',
    access: 'night_player',
    heavy: true,
    params: inNight,
    body: z.object({ marks: ballot }),
    response: night,
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/nights/:id/close',
    summary:
      'End the vote (its host, or the owner of its group): the best game is picked, or the odds of a draw are shown',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    body: z.object({ by: z.enum(['votes', 'draw']) }),
    response: night,
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/nights/:id/reopen',
    summary:
      'Reopen the vote, with its votes (its host, or the owner of its group), until a pick has been drawn, or for an hour when the vote picked a game',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    response: night,
  }),
  draw: endpoint({
    method: 'POST',
    path: '/api/nights/:id/draw',
    summary: 'Draw the pick with the odds shown (its host, or the owner of its group)',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    response: night,
  }),
  redraw: endpoint({
    method: 'POST',
    path: '/api/nights/:id/redraw',
    summary:
      'Draw again without the games drawn before, for a reason that is shown (its host, or the owner of its group)',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    body: z.object({
      reason: z
        .string()
        .trim()
        .min(1, 'is required')
        .max(REDRAW_REASON_MAX, `must have at most ${REDRAW_REASON_MAX} characters`)
        .regex(oneLine, NO_CONTROL_CHARACTERS),
      /** Number of the draw that this one replaces; nothing happens when there is a later one. */
      replaces: z.int().positive().optional(),
    }),
    response: night,
  }),
  addPlayers: endpoint({
    method: 'POST',
    path: '/api/nights/:id/people',
    summary: 'Ask more people I am connected with; for nights that are not a group’s (host only)',
    access: 'night_leader',
    heavy: true,
    params: inNight,
    body: z.object({ steam_ids: steamIds.min(1) }),
    response: night,
  }),
  removePlayer: endpoint({
    method: 'DELETE',
    path: '/api/nights/:id/people/:steamId',
    summary: 'Remove a person (its host, or the owner of its group), or leave',
    access: 'night_player',
    params: inNight.extend({ steamId }),
    response: z.object({ removed: steamId }),
  }),
}
