/** Groups, their members, pictures, common games and order (DASH-10, DASH-26). */
import {
  queryOptions,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { messages } from 'virtual:texts'
import { failureText, isNotFound, mutate, query } from './http.ts'
import { keys } from './keys.ts'
import { librariesChanged } from './library.ts'
import type { Group } from '#shared/entities.ts'
import type { NightSummary } from '#shared/nights/entities.ts'
import { compareNames } from '#shared/names.ts'

/**
 * When common games without store details are requested again. The server asks the store about games that are new to it,
 * a hundred at a time, every two seconds; some the store does not know.
 */
const STORE_ANSWERS_AFTER_MS = [2_000, 6_000, 14_000, 30_000, 62_000]

/** My groups and those I left, in one request. */
const groupList = (steamId: string) =>
  queryOptions({
    queryKey: keys.groupList(steamId),
    queryFn: ({ signal }) => query('GET /api/users/:steamId/groups', { params: { steamId } }, signal),
  })

export const groupsQueries = {
  /** My groups, newest first. */
  list: (steamId: string) => queryOptions({ ...groupList(steamId), select: ({ groups }) => groups }),

  /** Groups I left or declined and can come back to, latest first (MEM-12). */
  left: (steamId: string) => queryOptions({ ...groupList(steamId), select: ({ left }) => left }),

  /** Former members of a group I own, latest first (MEM-13). */
  formerMembers: (groupId: number) =>
    queryOptions({
      queryKey: keys.formerMembers(groupId),
      queryFn: ({ signal }) =>
        query('GET /api/groups/:id/former_members', { params: { id: groupId } }, signal),
    }),

  /** One group. */
  detail: (groupId: number) =>
    queryOptions({
      queryKey: keys.group(groupId),
      queryFn: ({ signal }) => query('GET /api/groups/:id', { params: { id: groupId } }, signal),
    }),

  /** Members, owner first, each with their library status. */
  members: (groupId: number) =>
    queryOptions({
      queryKey: keys.groupMembers(groupId),
      queryFn: ({ signal }) => query('GET /api/groups/:id/members', { params: { id: groupId } }, signal),
    }),

  /** Games that every member with a known library owns, largest total first. */
  sharedGames: (groupId: number) =>
    queryOptions({
      queryKey: keys.sharedGames(groupId),
      queryFn: ({ signal }) => query('GET /api/groups/:id/shared_games', { params: { id: groupId } }, signal),
    }),

  /** What members want to play, most wanted first. */
  wanted: (groupId: number) =>
    queryOptions({
      queryKey: keys.wanted(groupId),
      queryFn: ({ signal }) => query('GET /api/groups/:id/wanted', { params: { id: groupId } }, signal),
    }),

  /** Games for several players that one or two members lack: free ones first, then those that fewest lack (API-44). */
  nearMisses: (groupId: number) =>
    queryOptions({
      queryKey: keys.nearMisses(groupId),
      queryFn: ({ signal }) => query('GET /api/groups/:id/near_misses', { params: { id: groupId } }, signal),
    }),
}

/**
 * The common games of a group. While some have no store details, they and the near misses on the screen are requested
 * again (GPAGE-34).
 */
export function useSharedGames(groupId: number, enabled = true) {
  const client = useQueryClient()
  const query = useQuery({ ...groupsQueries.sharedGames(groupId), enabled })
  const withoutDetails = query.data?.filter(({ kind }) => kind === null).length ?? 0
  useEffect(() => {
    if (withoutDetails === 0) return
    const timers = STORE_ANSWERS_AFTER_MS.map((ms) =>
      setTimeout(() => {
        for (const queryKey of [keys.sharedGames(groupId), keys.nearMisses(groupId)])
          void client.invalidateQueries({ queryKey })
      }, ms),
    )
    return () => timers.forEach(clearTimeout)
  }, [withoutDetails, client, groupId])
  return query
}

/** Creates a group that I own; resolves with its id and name. */
export function useCreateGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => mutate('POST /api/groups', { body: { name, owner_steam_id: me } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
  })
}

/** Adds people to a group; adds nobody if one of them may not be added. */
export function useAddMembers(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamIds }: { groupId: number; steamIds: string[] }) =>
      mutate('POST /api/groups/:id/members', { params: { id: groupId }, body: { steam_ids: steamIds } }),
    onSuccess: (_, { groupId }) =>
      Promise.all([membersChanged(client, me, groupId), formerMembersChanged(client, groupId)]),
    onError: (error, { groupId }) => refetchIfGone(client, me, groupId, error),
  })
}

/** Removes another member. */
export function useRemoveMember(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamId }: { groupId: number; steamId: string }) =>
      mutate('DELETE /api/groups/:id/members/:steamId', { params: { id: groupId, steamId } }),
    onSuccess: (_, { groupId }) =>
      Promise.all([membersChanged(client, me, groupId), formerMembersChanged(client, groupId)]),
    onError: (error, { groupId }) => refetchIfGone(client, me, groupId, error),
  })
}

/** Accepts an invitation, or rejoins a group that the user left. */
export function useJoinGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (groupId: number) => mutate('POST /api/groups/:id/join', { params: { id: groupId } }),
    // Joining may make libraries visible, which changes comparisons and friends too.
    onSuccess: (_, groupId) =>
      Promise.all([
        membersChanged(client, me, groupId),
        ...[keys.libraries(), keys.comparisons(), keys.friends(me), keys.allSharedGames()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ]),
    onError: (error, groupId) => refetchIfGone(client, me, groupId, error),
  })
}

/** Leaves a group or declines. Its queries are not refetched, because that would be refused; see `useForgetGroup`. */
export function useLeaveGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (groupId: number) => mutate('POST /api/groups/:id/leave', { params: { id: groupId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
    onError: (error, groupId) => refetchIfGone(client, me, groupId, error),
  })
}

/** Sets whether a former member of a group I own may come back (MEM-13). */
export function useSetMayReturn(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamId, mayReturn }: { groupId: number; steamId: string; mayReturn: boolean }) =>
      mutate('PUT /api/groups/:id/former_members/:steamId', {
        params: { id: groupId, steamId },
        body: { may_return: mayReturn },
      }),
    onSuccess: (_, { groupId }) => formerMembersChanged(client, groupId),
    onError: (error, { groupId }) => {
      refetchIfGone(client, me, groupId, error)
      // The person may have come back in the meantime.
      if (isNotFound(error)) void formerMembersChanged(client, groupId)
    },
  })
}

/** Joins or declines an invitation; each resolves with why it failed, or undefined on success. */
export function useInvitationActions(me: string) {
  const joining = useJoinGroup(me)
  const leaving = useLeaveGroup(me)
  return {
    join: (groupId: number) => reasonOf(joining.mutateAsync(groupId)),
    decline: (groupId: number) => reasonOf(leaving.mutateAsync(groupId)),
  }
}

/** Renames a group that I own. */
export function useRenameGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, name }: { groupId: number; name: string }) =>
      mutate('PATCH /api/groups/:id', { params: { id: groupId }, body: { name } }),
    onSuccess: (_, { groupId }) => membersChanged(client, me, groupId),
    onError: (error, { groupId }) => refetchIfGone(client, me, groupId, error),
  })
}

/** Makes a member who has joined the owner of a group that I own. */
export function useHandOverGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamId }: { groupId: number; steamId: string }) =>
      mutate('POST /api/groups/:id/owner', { params: { id: groupId }, body: { steam_id: steamId } }),
    onSuccess: (_, { groupId }) => membersChanged(client, me, groupId),
    onError: (error, { groupId }) => refetchIfGone(client, me, groupId, error),
  })
}

/** Deletes a group that I own, for all its members. */
export function useDeleteGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (groupId: number) => mutate('DELETE /api/groups/:id', { params: { id: groupId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
    onError: (error, groupId) => refetchIfGone(client, me, groupId, error),
  })
}

/** Drops cached data of a group that the user left, once no component shows it. */
export function useForgetGroup() {
  const client = useQueryClient()
  return (groupId: number) => {
    client.removeQueries({ queryKey: keys.group(groupId) })
    client.removeQueries({ queryKey: keys.sharedGames(groupId) })
    client.removeQueries({ queryKey: keys.formerMembers(groupId) })
  }
}

/** Sets a group's picture, by URL or by uploading an image file. */
export function useSetGroupPicture(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, picture }: { groupId: number; picture: string | File }) =>
      mutate('POST /api/groups/:id/picture', {
        params: { id: groupId },
        body: typeof picture === 'string' ? { picture_url: picture } : uploadOf(picture),
      }),
    onSuccess: (_, { groupId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.group(groupId), exact: true }),
        client.invalidateQueries({ queryKey: keys.groupList(me) }),
      ]),
    onError: (error, { groupId }) => refetchIfGone(client, me, groupId, error),
  })
}

/**
 * Syncs the libraries of a group's members; one of the ten daily syncs. Resolves with one result for each person. It
 * takes the members' ids where they are known.
 */
export function useSyncGroupGames(me: string, groupId: number) {
  const client = useQueryClient()
  const mutationKey = ['sync-group', groupId]
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: (steamIds: string[] | undefined) =>
      mutate('POST /api/sync_group_games', {
        body: { group_id: groupId, ...(steamIds && { steam_ids: steamIds }) },
      }),
    onSettled: (response) =>
      librariesChanged(client, me, response?.synced.map(({ steam_id }) => steam_id) ?? []),
  })
  return { mutateAsync, isPending: useIsMutating({ mutationKey }) > 0 }
}

/** Resolves with the text of the failure, or undefined on success. */
function reasonOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => failureText(error, messages.somethingWrong),
  )
}

function membersChanged(client: QueryClient, me: string, groupId: number): Promise<unknown> {
  return Promise.all(
    [keys.group(groupId), keys.sharedGames(groupId), keys.groupList(me)].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )
}

function formerMembersChanged(client: QueryClient, groupId: number): Promise<void> {
  return client.invalidateQueries({ queryKey: keys.formerMembers(groupId) })
}

/** Refetches what the screen shows when the group or the member no longer exists. */
function refetchIfGone(client: QueryClient, me: string, groupId: number, error: Error): void {
  if (isNotFound(error)) void membersChanged(client, me, groupId)
}

function uploadOf(file: File): FormData {
  const form = new FormData()
  form.append('picture', file)
  return form
}

export type GroupSort = 'size' | 'newest' | 'oldest' | 'alpha'

/** Newest first: a higher id is newer (ENT-7). Also breaks ties, so that the order is stable. */
const newest = (a: Group, b: Group) => b.group_id - a.group_id

const orders: Record<GroupSort, (a: Group, b: Group) => number> = {
  // The count may be missing in a response (DASH-7).
  size: (a, b) => (b.member_count ?? 0) - (a.member_count ?? 0) || newest(a, b),
  newest,
  oldest: (a, b) => newest(b, a),
  alpha: (a, b) => compareNames(a.name, b.name) || newest(a, b),
}

/** The groups in the chosen order, as a new list. */
export function sortedGroups(groups: readonly Group[], sort: GroupSort): Group[] {
  return groups.toSorted(orders[sort])
}

/** For whom Top Common Games answers first (DASH-42): the group of the next night, then by members; a group of one last. */
export function groupsToAnswer(groups: readonly Group[], nights: readonly NightSummary[]): Group[] {
  const next = nights.find(({ group }) => groups.some(({ group_id }) => group_id === group?.group_id))?.group
  const isNext = ({ group_id }: Group) => Number(group_id === next?.group_id)
  return sortedGroups(groups, 'size').sort((a, b) => isNext(b) - isNext(a))
}

/** The index after an arrow was pressed, wrapping around at both ends. `by` is 1 or -1, `count` at least 1. */
export function neighbour(index: number, by: 1 | -1, count: number): number {
  return (index + by + count) % count
}
