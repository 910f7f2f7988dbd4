/** Links by which players join a group or a game night (NIGHT-50 to NIGHT-58). */
import { z } from 'zod'
import { groupIdInPath, player } from '../entities.ts'
import { nightAnswer, nightIdInPath } from '../nights/entities.ts'
import { endpoint } from './endpoint.ts'

const ofGroup = z.object({ id: groupIdInPath })
const ofNight = z.object({ id: nightIdInPath })
/** Any text: a token of the wrong form is refused like one that does not exist. */
const ofToken = z.object({ token: z.string() })

/** A link as the people see who may pass it on. */
export const invite = z.object({
  token: z.string(),
  /** The page that opens it: `/join/{token}` on this server. */
  url: z.string(),
  expires_at: z.iso.datetime(),
  created_by: z.object({ steam_id: z.string(), display_name: z.string().nullable() }),
})
export type Invite = z.infer<typeof invite>

/** All that a link shows to people who are not signed in (NIGHT-52). */
export const invitation = z.object({
  kind: z.enum(['group', 'night']),
  /** The group's name, or the night's title if it has one. */
  name: z.string().nullable(),
  /** As `name`, of a night; null of a group. */
  title: z.string().nullable(),
  invited_by: z.string().nullable(),
  /** Null of a group, and of a night whose date is being found. */
  starts_at: z.iso.datetime().nullable(),
  /** IANA name of the time zone that the night's time was chosen in; null of a group, and when it is not known. */
  zone: z.string().nullable(),
  /** How many are in, or have joined the group. */
  in_count: z.int(),
  /** Whether who leads the night has switched faces on; false of a group. */
  faces_shown: z.boolean(),
  /** Who is in, if so. */
  faces: z.array(player.pick({ display_name: true, avatar_url: true })),
  /** At most three names of games that all who are in own, best first. */
  games: z.array(z.string()),
})
export type Invitation = z.infer<typeof invitation>

/** What accepting a link joined. */
export const joined = z.union([
  z.object({ group_id: z.int().positive() }),
  z.object({ night_id: z.int().positive() }),
])

export const invitesContract = {
  ofGroup: endpoint({
    method: 'GET',
    path: '/api/groups/:id/invite',
    summary: 'The link by which people join a group; null when there is none (members who have joined)',
    access: 'group_member',
    params: ofGroup,
    response: invite.nullable(),
  }),
  renewOfGroup: endpoint({
    method: 'POST',
    path: '/api/groups/:id/invite',
    summary:
      'Create a link for a group, valid for 14 days; it replaces the one before (members who have joined)',
    access: 'group_member',
    params: ofGroup,
    response: invite,
  }),
  switchOffOfGroup: endpoint({
    method: 'DELETE',
    path: '/api/groups/:id/invite',
    summary: 'Switch the link of a group off (members who have joined)',
    access: 'group_member',
    params: ofGroup,
  }),
  ofNight: endpoint({
    method: 'GET',
    path: '/api/nights/:id/invite',
    summary: 'The link by which people come to a game night; null when there is none (host, in or maybe)',
    access: 'night_player',
    params: ofNight,
    response: invite.nullable(),
  }),
  renewOfNight: endpoint({
    method: 'POST',
    path: '/api/nights/:id/invite',
    summary: 'Create a link for a game night; it replaces the one before (host, in or maybe)',
    access: 'night_player',
    params: ofNight,
    response: invite,
  }),
  switchOffOfNight: endpoint({
    method: 'DELETE',
    path: '/api/nights/:id/invite',
    summary: 'Switch the link of a game night off (host, in or maybe)',
    access: 'night_player',
    params: ofNight,
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/invites/:token',
    summary: 'What a link invites to, and who invites',
    access: 'anyone',
    params: ofToken,
    response: invitation,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/invites/:token/accept',
    summary: 'Join the group or game night of a link, a night with an answer',
    access: 'signed_in',
    heavy: true,
    params: ofToken,
    body: z.object({ answer: nightAnswer.optional() }),
    response: joined,
  }),
}
