/** Links by which people join a group or a game night (NIGHT-94 to NIGHT-98). */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Invitation } from '#shared/contract/invites.ts'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { mutate, query } from './http.ts'
import { keys } from './keys.ts'

export type InviteTarget = { kind: 'group' | 'night'; id: number }

/** The link of a group or a night; null when there is none. Another member may have renewed it, so it is always read. */
export const inviteQuery = ({ kind, id }: InviteTarget) =>
  queryOptions({
    queryKey: keys.invite(kind, id),
    queryFn: ({ signal }) =>
      kind === 'group'
        ? query('GET /api/groups/:id/invite', { params: { id } }, signal)
        : query('GET /api/nights/:id/invite', { params: { id } }, signal),
    staleTime: 0,
  })

/** Creates a link, which replaces the one before. */
export function useCreateInvite() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, id }: InviteTarget) =>
      kind === 'group'
        ? mutate('POST /api/groups/:id/invite', { params: { id } })
        : mutate('POST /api/nights/:id/invite', { params: { id } }),
    onSuccess: (invite, { kind, id }) => client.setQueryData(keys.invite(kind, id), invite),
  })
}

/** Switches the link off. */
export function useSwitchOffInvite({ kind, id }: InviteTarget) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      kind === 'group'
        ? mutate('DELETE /api/groups/:id/invite', { params: { id } })
        : mutate('DELETE /api/nights/:id/invite', { params: { id } }),
    onSuccess: () => client.setQueryData(keys.invite(kind, id), null),
  })
}

/**
 * What a link invites to; works without a session.
 * @throws ApiError
 */
export function readInvitation(token: string, signal: AbortSignal): Promise<Invitation> {
  return query('GET /api/invites/:token', { params: { token } }, signal)
}

/**
 * Accepts a link, that of a night with an answer; resolves with the page of what was joined. Load that page as a new one:
 * joining may make libraries visible, which changes nearly everything that was read before.
 * @throws ApiError
 */
export async function acceptInvitation(token: string, answer: NightAnswer | undefined): Promise<string> {
  const joined = await mutate('POST /api/invites/:token/accept', {
    params: { token },
    body: answer === undefined ? {} : { answer },
  })
  return 'group_id' in joined ? `/groups/${joined.group_id}` : `/nights/${joined.night_id}`
}
