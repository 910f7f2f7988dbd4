/** The operator's page: figures, who may sign in, accounts, reported groups and the log. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type InputOf, mutate, query } from './http.ts'
import { keys } from './keys.ts'

export const operatorQueries = {
  overview: () =>
    queryOptions({
      queryKey: keys.operator('overview'),
      queryFn: ({ signal }) => query('GET /api/operator/overview', {}, signal),
    }),
  signIn: () =>
    queryOptions({
      queryKey: keys.operator('sign-in'),
      queryFn: ({ signal }) => query('GET /api/operator/sign_in', {}, signal),
    }),
  blocked: () =>
    queryOptions({
      queryKey: keys.operator('blocked'),
      queryFn: ({ signal }) => query('GET /api/operator/blocked', {}, signal),
    }),
  account: (steamId: string) =>
    queryOptions({
      queryKey: keys.operator('account', steamId),
      queryFn: ({ signal }) => query('GET /api/operator/accounts/:steamId', { params: { steamId } }, signal),
    }),
  reports: () =>
    queryOptions({
      queryKey: keys.operator('reports'),
      queryFn: ({ signal }) => query('GET /api/operator/reports', {}, signal),
    }),
  group: (id: number) =>
    queryOptions({
      queryKey: keys.operator('group', id),
      queryFn: ({ signal }) => query('GET /api/operator/groups/:id', { params: { id } }, signal),
    }),
  log: () =>
    infiniteQueryOptions({
      queryKey: keys.operator('log'),
      queryFn: ({ signal, pageParam }) =>
        query('GET /api/operator/log/:before', { params: { before: pageParam } }, signal),
      initialPageParam: 'newest',
      getNextPageParam: ({ entries, has_more }) => (has_more ? String(entries.at(-1)?.entry_id) : undefined),
    }),
}

type BodyOf<Name extends Parameters<typeof mutate>[0]> =
  InputOf<Name> extends { body: infer Body } ? Body : never
export type AccountChange = BodyOf<'POST /api/operator/accounts/:steamId'>
export type GroupChange = BodyOf<'POST /api/operator/groups/:id'>

/** Everything an operator does; all lists are read again afterwards. */
export function useOperatorActions() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: keys.operator() })
  const setSignIn = useMutation({
    mutationFn: (body: BodyOf<'PUT /api/operator/sign_in'>) => mutate('PUT /api/operator/sign_in', { body }),
    onSuccess: (saved) => client.setQueryData(operatorQueries.signIn().queryKey, saved),
    onSettled,
  })
  const signOutEveryone = useMutation({
    mutationFn: (reason: string) => mutate('POST /api/operator/sign_out', { body: { reason } }),
    onSettled,
  })
  const changeAccount = useMutation({
    mutationFn: ({ steamId, body }: { steamId: string; body: AccountChange }) =>
      mutate('POST /api/operator/accounts/:steamId', { params: { steamId }, body }),
    onSettled,
  })
  const changeGroup = useMutation({
    mutationFn: ({ id, body }: { id: number; body: GroupChange }) =>
      mutate('POST /api/operator/groups/:id', { params: { id }, body }),
    onSettled,
  })
  return { setSignIn, signOutEveryone, changeAccount, changeGroup }
}

/** Reports a group to the operator. */
export function reportGroup(id: number, body: BodyOf<'POST /api/groups/:id/report'>) {
  return mutate('POST /api/groups/:id/report', { params: { id }, body })
}
