/** The webhook of a group, where its game nights are announced (NIGHT-67 to NIGHT-74). */
import { z } from 'zod'
import { groupIdInPath } from '../entities.ts'
import { WEBHOOK_URL_MAX } from '../limits.ts'
import { endpoint } from './endpoint.ts'

const inGroup = z.object({ id: groupIdInPath })
const format = z.enum(['discord', 'json'])
export type WebhookFormat = z.infer<typeof format>

/** As the owner of the group sees it. */
export const webhook = z.object({
  url: z.string(),
  format,
  /** Signs the messages; changes with the address. */
  secret: z.string(),
  /** Whether it gets a message once a week of what happened in the group (LATELY-4). */
  weekly: z.boolean(),
  created_at: z.iso.datetime(),
  /** When a message was last accepted. */
  last_ok_at: z.iso.datetime().nullable(),
  /** Why the last one was not, until one is accepted. */
  last_error: z.string().nullable(),
  last_error_at: z.iso.datetime().nullable(),
  /** Messages that wait to be sent. */
  waiting: z.int(),
})
export type Webhook = z.infer<typeof webhook>

const settings = z.object({
  url: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(WEBHOOK_URL_MAX, `must have at most ${WEBHOOK_URL_MAX} characters`),
  format,
  /** Stays as it is where it is left out; off at first. */
  weekly: z.boolean().optional(),
})

export const webhooksContract = {
  read: endpoint({
    method: 'GET',
    path: '/api/groups/:id/webhook',
    summary: 'The webhook of a group; null when it has none (owner only)',
    access: 'group_owner',
    params: inGroup,
    response: webhook.nullable(),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/groups/:id/webhook',
    summary:
      'Set the webhook of a group: an https address on the public internet, or one that the operator allows (owner only)',
    access: 'group_owner',
    params: inGroup,
    body: settings,
    response: webhook,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/groups/:id/webhook',
    summary: 'Remove the webhook of a group with the messages that wait (owner only)',
    access: 'group_owner',
    params: inGroup,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/groups/:id/webhook/test',
    summary: 'Send a test message soon; the webhook then says whether it was accepted (owner only)',
    access: 'group_owner',
    params: inGroup,
    response: webhook,
  }),
}
