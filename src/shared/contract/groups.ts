/** Groups, their members, pictures and common games (API-19 to API-31). */
import { z } from 'zod'
import {
  formerMember,
  group,
  groupIdInPath,
  groupMember,
  leftGroup,
  nearMiss,
  sharedGame,
  steamId,
} from '../entities.ts'
import { GROUP_MEMBERS_MAX, GROUP_NAME_MAX, GROUP_SYNC_MAX_IDS, REPORT_REASON_MAX } from '../limits.ts'
import type { ErrorCode } from '../errors.ts'
import { visibleName } from '../names.ts'
import { endpoint } from './endpoint.ts'

const inGroup = z.object({ id: groupIdInPath })
const GROUP_NAME_REQUIRED: ErrorCode = 'group_name_required'
/** Text that is pasted from a table has tabs; in a text of one line they are blanks. */
export const tabsToBlanks = (text: string) => text.replaceAll('\t', ' ')

/** A blank name is refused with a code of its own, and so with the fixed text 'Group name required.' (LIM-4). */
export const groupName = z
  .string({
    error: ({ input }) => (input === undefined || input === null ? GROUP_NAME_REQUIRED : undefined),
  })
  .overwrite(tabsToBlanks)
  .trim()
  .min(1, GROUP_NAME_REQUIRED)
  .refine((name) => visibleName(name) !== undefined, GROUP_NAME_REQUIRED)
  .max(GROUP_NAME_MAX, `must have at most ${GROUP_NAME_MAX} characters`)
  .regex(/^\P{Cc}*$/u, 'must not have control characters')

/** A text of one line that is not blank. */
export function shortText(max: number) {
  return z
    .string()
    .overwrite(tabsToBlanks)
    .trim()
    .min(1, 'must not be blank')
    .max(max, `must have at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must not have control characters')
}

/** What became of one library in a group sync. */
const librarySyncCode = z.enum([
  'synced',
  'private',
  'hidden',
  'not_joined',
  'no_time',
  'steam_unavailable',
  'steam_timeout',
  'steam_refuses',
  'steam_key_refused',
  'steam_rate_limited',
])
export type LibrarySyncCode = z.infer<typeof librarySyncCode>

export const groupsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/groups',
    summary:
      'Groups I am a member of, newest first; "left" has those I left and can come back to, latest first',
    access: 'self',
    params: z.object({ steamId }),
    response: z.object({ groups: z.array(group), left: z.array(leftGroup) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/groups',
    summary: 'Create a group; its owner is its first member',
    access: 'owner_is_self',
    status: 201,
    body: z.object({
      name: groupName,
      owner_steam_id: steamId,
    }),
    response: z.object({ group_id: z.int(), name: z.string() }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/groups/:id',
    summary: 'One group',
    access: 'group_member',
    params: inGroup,
    response: group,
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/groups/:id',
    summary: 'Rename a group (owner only)',
    access: 'group_owner',
    params: inGroup,
    body: z.object({ name: groupName }),
    response: group,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/groups/:id',
    summary: 'Delete a group (owner only)',
    access: 'group_owner',
    params: inGroup,
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/api/groups/:id/owner',
    summary: 'Hand the group over to a member who has joined (owner only)',
    access: 'group_owner',
    params: inGroup,
    body: z.object({ steam_id: steamId }),
    response: group,
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/groups/:id/join',
    summary: 'Join a group I was added to, or come back after leaving; responds with the member list',
    access: 'group_member_or_left',
    params: inGroup,
    response: z.array(groupMember),
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/groups/:id/leave',
    summary: 'Leave or decline; the group of an owner passes to the longest-standing member who has joined',
    access: 'group_member',
    params: inGroup,
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/groups/:id/members',
    summary: 'Members of a group, owner first, with whether they have joined and their library status',
    access: 'group_member',
    params: inGroup,
    response: z.array(groupMember),
  }),
  addMembers: endpoint({
    method: 'POST',
    path: '/api/groups/:id/members',
    summary: 'Add people I am connected with; fails as a whole if one of them is not',
    access: 'group_member',
    params: inGroup,
    body: z.object({ steam_ids: z.array(steamId).min(1).max(GROUP_MEMBERS_MAX) }),
    response: z.array(groupMember),
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/groups/:id/members/:steamId',
    summary: 'Remove a member (owner only), or leave',
    access: 'group_member',
    params: inGroup.extend({ steamId }),
    response: z.object({ removed: steamId }),
  }),
  formerMembers: endpoint({
    method: 'GET',
    path: '/api/groups/:id/former_members',
    summary: 'People who left or were removed, latest first, and whether they may come back (owner only)',
    access: 'group_owner',
    params: inGroup,
    response: z.array(formerMember),
  }),
  setMayReturn: endpoint({
    method: 'PUT',
    path: '/api/groups/:id/former_members/:steamId',
    summary: 'Set whether a person who left or was removed may come back (owner only)',
    access: 'group_owner',
    params: inGroup.extend({ steamId }),
    body: z.object({ may_return: z.boolean() }),
  }),
  report: endpoint({
    method: 'POST',
    path: '/api/groups/:id/report',
    summary: 'Report the name or picture of a group to the operator; the group is not told who did',
    access: 'group_member',
    params: inGroup,
    body: z.object({
      about: z.enum(['name', 'picture']),
      reason: shortText(REPORT_REASON_MAX),
    }),
  }),
  setPicture: endpoint({
    method: 'POST',
    path: '/api/groups/:id/picture',
    summary: 'Set the picture by URL, or upload one as multipart in the field "picture"',
    access: 'group_member',
    params: inGroup,
    body: z.object({ picture_url: z.string() }),
    upload: 'picture',
    response: z.object({
      group_id: z.int(),
      picture_url: z.string().nullable(),
      picture_image_url: z.string().nullable(),
    }),
  }),
  sharedGames: endpoint({
    method: 'GET',
    path: '/api/groups/:id/shared_games',
    summary: 'Games that every member with a known library owns, largest total first',
    access: 'group_member',
    heavy: true,
    params: inGroup,
    response: z.array(sharedGame),
  }),
  nearMisses: endpoint({
    method: 'GET',
    path: '/api/groups/:id/near_misses',
    summary:
      'Games for several players that all but one or two members with a readable library own; fewest lacking first',
    access: 'group_member',
    heavy: true,
    params: inGroup,
    response: z.array(nearMiss),
  }),
  syncGames: endpoint({
    method: 'POST',
    path: '/api/sync_group_games',
    summary:
      'Sync several libraries from Steam, of a group or one by one; counts as one sync, whatever their number',
    access: 'group_member_or_every_id_connected',
    body: z.object({
      /** With `group_id` those of its members alone. */
      steam_ids: z.array(steamId).min(1).max(GROUP_SYNC_MAX_IDS).optional(),
      group_id: z.int().positive().optional(),
    }),
    response: z.object({
      synced: z.array(
        z.object({
          steam_id: steamId,
          success: z.boolean(),
          message: z.string(),
          code: librarySyncCode,
          /** How many games were read and are shown to the caller. */
          count: z.int().optional(),
        }),
      ),
    }),
  }),
}
