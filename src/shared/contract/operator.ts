/** The operator's page (OPER-1 to OPER-19): figures, who may sign in, accounts, reported groups, and the log. */
import { z } from 'zod'
import { groupIdInPath, player, steamId } from '../entities.ts'
import { OPERATOR_REASON_MAX, SIGN_IN_LIST_MAX } from '../limits.ts'
import { endpoint } from './endpoint.ts'
import { groupName, shortText } from './groups.ts'

const time = z.iso.datetime()
const reason = shortText(OPERATOR_REASON_MAX)

const overview = z.object({
  platform: z.object({ used_today: z.int(), left_today: z.int(), blocked_until: time.nullable() }),
  refresh_list: z.object({ waiting: z.int(), failing: z.int(), oldest_at: time.nullable() }),
  outbox: z.int(),
  people: z.object({ signed_in: z.int(), active_7_days: z.int(), active_30_days: z.int() }),
  groups: z.int(),
  nights: z.int(),
})
export type Overview = z.infer<typeof overview>

/** Anybody; players with a valid link or who have signed in before; or players on a list (OPER-7). */
export const whoSignsIn = z.enum(['anyone', 'invited', 'listed'])
export type WhoSignsIn = z.infer<typeof whoSignsIn>

const signInRule = z.object({ who: whoSignsIn, steam_ids: z.array(steamId).max(SIGN_IN_LIST_MAX) })
const signInRuleShown = signInRule.extend({
  /** Listed accounts that were deleted here; they may still sign in. */
  deleted: z.int(),
})
export type SignInRuleShown = z.infer<typeof signInRuleShown>

const namedGroup = z.object({ group_id: z.int(), name: z.string() })

const account = player.extend({
  /** First sign-in; null for those who never signed in or have deleted their account. */
  signed_in_at: time.nullable(),
  sessions: z.int(),
  is_operator: z.boolean(),
  blocked: z.object({ at: time, reason: z.string() }).nullable(),
  /** Of a blocked account, so that they can be handed over. */
  owned_groups: z.array(namedGroup),
})
export type OperatorAccount = z.infer<typeof account>

const report = z.object({
  about: z.enum(['name', 'picture']),
  reason: z.string(),
  /** The name of the group when it was reported. */
  name_then: z.string(),
  at: time,
})

const moderatedGroup = namedGroup.extend({
  picture_image_url: z.string().nullable(),
  owner: player,
  member_count: z.int(),
  /** Who may become the owner: members who have joined and are not blocked. */
  candidates: z.array(player),
  reports: z.array(report),
})
export type ModeratedGroup = z.infer<typeof moderatedGroup>

/** What the log calls the actions. */
export const operatorAction = z.enum([
  'set_sign_in',
  'sign_out_everyone',
  'block',
  'unblock',
  'sign_out',
  'delete_account',
  'rename_group',
  'remove_picture',
  'hand_over',
  'delete_group',
  'dismiss_reports',
])
export type OperatorAction = z.infer<typeof operatorAction>

const logEntry = z.object({
  entry_id: z.int(),
  at: time,
  /** Null when the account was deleted. */
  operator: player.nullable(),
  action: operatorAction,
  account: player.nullable(),
  group_id: z.int().nullable(),
  detail: z.string().nullable(),
  reason: z.string(),
})
export type LogEntry = z.infer<typeof logEntry>

const ofAccount = z.object({ steamId })
const ofGroup = z.object({ id: groupIdInPath })

export const operatorContract = {
  overview: endpoint({
    method: 'GET',
    path: '/api/operator/overview',
    summary: 'Figures of the installation (operators only)',
    access: 'operator',
    response: overview,
  }),
  signInRule: endpoint({
    method: 'GET',
    path: '/api/operator/sign_in',
    summary: 'Who may sign in (operators only)',
    access: 'operator',
    response: signInRuleShown,
  }),
  setSignInRule: endpoint({
    method: 'PUT',
    path: '/api/operator/sign_in',
    summary: 'Set who may sign in; sessions go on (operators only)',
    access: 'operator',
    body: signInRule.extend({
      reason,
    }),
    response: signInRuleShown,
  }),
  signOutEveryone: endpoint({
    method: 'POST',
    path: '/api/operator/sign_out',
    summary: 'End all sessions but the caller’s own (operators only)',
    access: 'operator',
    body: z.object({ reason }),
  }),
  blocked: endpoint({
    method: 'GET',
    path: '/api/operator/blocked',
    summary: 'Blocked accounts that are not deleted, latest first (operators only)',
    access: 'operator',
    response: z.array(player.extend({ at: time })),
  }),
  account: endpoint({
    method: 'GET',
    path: '/api/operator/accounts/:steamId',
    summary: 'An account: its sign-in and block, but none of its data (operators only)',
    access: 'operator',
    params: ofAccount,
    response: account,
  }),
  changeAccount: endpoint({
    method: 'POST',
    path: '/api/operator/accounts/:steamId',
    summary: 'Block, unblock, sign out or delete an account (operators only)',
    access: 'operator',
    params: ofAccount,
    body: z.object({ action: z.enum(['block', 'unblock', 'sign_out', 'delete_account']), reason }),
    response: account,
  }),
  reports: endpoint({
    method: 'GET',
    path: '/api/operator/reports',
    summary: 'Reported groups, latest report first (operators only)',
    access: 'operator',
    response: z.array(moderatedGroup),
  }),
  group: endpoint({
    method: 'GET',
    path: '/api/operator/groups/:id',
    summary: 'A group that was reported or whose owner is blocked (operators only)',
    access: 'operator',
    params: ofGroup,
    response: moderatedGroup,
  }),
  changeGroup: endpoint({
    method: 'POST',
    path: '/api/operator/groups/:id',
    summary:
      'Rename such a group, remove its picture, hand it over, delete it or dismiss its reports (operators only)',
    access: 'operator',
    params: ofGroup,
    body: z.discriminatedUnion('action', [
      z.object({ action: z.literal('rename_group'), name: groupName, reason }),
      z.object({ action: z.literal('hand_over'), steam_id: steamId, reason }),
      z.object({ action: z.enum(['remove_picture', 'delete_group', 'dismiss_reports']), reason }),
    ]),
  }),
  log: endpoint({
    method: 'GET',
    path: '/api/operator/log/:before',
    summary: 'What operators did, newest first, from before an entry or from the "newest" (operators only)',
    access: 'operator',
    params: z.object({
      before: z.string().regex(/^(newest|[1-9]\d{0,14})$/, 'must be "newest" or an entry'),
    }),
    response: z.object({ entries: z.array(logEntry), has_more: z.boolean() }),
  }),
}
