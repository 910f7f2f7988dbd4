/** Links by which people join a group or a game night (NIGHT-50 to NIGHT-59). */
import { z } from 'zod'
import { groupIdInPath } from '../entities.ts'
import { nightIdInPath } from '../nights/entities.ts'
import { endpoint } from './endpoint.ts'

const none = z.undefined()
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

/** All that a link tells to people who are not signed in. */
export const invitation = z.object({
  kind: z.enum(['group', 'night']),
  /** The group's name, or the night's title if it has one. */
  name: z.string().nullable(),
  invited_by: z.string().nullable(),
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
    body: none,
    response: invite.nullable(),
  }),
  renewOfGroup: endpoint({
    method: 'POST',
    path: '/api/groups/:id/invite',
    summary:
      'Create a link for a group, valid for 14 days; it replaces the one before (members who have joined)',
    access: 'group_member',
    params: ofGroup,
    body: none,
    response: invite,
  }),
  switchOffOfGroup: endpoint({
    method: 'DELETE',
    path: '/api/groups/:id/invite',
    summary: 'Switch the link of a group off (members who have joined)',
    access: 'group_member',
    status: 204,
    params: ofGroup,
    body: none,
    response: none,
  }),
  ofNight: endpoint({
    method: 'GET',
    path: '/api/nights/:id/invite',
    summary: 'The link by which people come to a game night; null when there is none (host, in or maybe)',
    access: 'night_person',
    params: ofNight,
    body: none,
    response: invite.nullable(),
  }),
  renewOfNight: endpoint({
    method: 'POST',
    path: '/api/nights/:id/invite',
    summary: 'Create a link for a game night; it replaces the one before (host, in or maybe)',
    access: 'night_person',
    params: ofNight,
    body: none,
    response: invite,
  }),
  switchOffOfNight: endpoint({
    method: 'DELETE',
    path: '/api/nights/:id/invite',
    summary: 'Switch the link of a game night off (host, in or maybe)',
    access: 'night_person',
    status: 204,
    params: ofNight,
    body: none,
    response: none,
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/invites/:token',
    summary: 'What a link invites to, and who invites',
    access: 'anyone',
    params: ofToken,
    body: none,
    response: invitation,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/invites/:token/accept',
    summary: 'Join the group or game night of a link',
    access: 'signed_in',
    params: ofToken,
    body: none,
    response: joined,
  }),
}
