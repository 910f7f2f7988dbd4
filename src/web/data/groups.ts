/** Groups, their members, pictures and common games. */
import {
  queryOptions,
  useIsMutating,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { messages } from '../messages.ts'
import { change, failureText, isNotFound, load } from './http.ts'
import { keys } from './keys.ts'
import { librariesChanged } from './library.ts'
import { listOf } from './list-of.ts'

/** My groups, and those I left: one request for both. */
const groupList = (steamId: string) =>
  queryOptions({
    queryKey: keys.groupList(steamId),
    queryFn: async ({ signal }) => {
      const response = await load('GET /api/users/:steamId/groups', { params: { steamId } }, signal)
      return { groups: listOf(response, (held) => held.groups), left: response.left ?? [] }
    },
  })

export const groupsQueries = {
  /** My groups, newest first. */
  list: (steamId: string) => queryOptions({ ...groupList(steamId), select: ({ groups }) => groups }),

  /** Groups I left or declined and may come back to, latest first (MEM-12). */
  left: (steamId: string) => queryOptions({ ...groupList(steamId), select: ({ left }) => left }),

  /** Who left a group of mine, latest first (MEM-16); refused to others. */
  formerMembers: (groupId: number) =>
    queryOptions({
      queryKey: keys.formerMembers(groupId),
      queryFn: ({ signal }) =>
        load('GET /api/groups/:id/former_members', { params: { id: groupId } }, signal),
    }),

  /** One group. */
  detail: (groupId: number) =>
    queryOptions({
      queryKey: keys.group(groupId),
      queryFn: ({ signal }) => load('GET /api/groups/:id', { params: { id: groupId } }, signal),
    }),

  /** Members, owner first, each with why their library may not be known. */
  members: (groupId: number) =>
    queryOptions({
      queryKey: keys.groupMembers(groupId),
      queryFn: ({ signal }) => load('GET /api/groups/:id/members', { params: { id: groupId } }, signal),
    }),

  /** Games that every member with a known library owns, largest total first. */
  sharedGames: (groupId: number) =>
    queryOptions({
      queryKey: keys.sharedGames(groupId),
      queryFn: ({ signal }) => load('GET /api/groups/:id/shared_games', { params: { id: groupId } }, signal),
    }),
}

/** Creates a group of my own; answers with its id and name. */
export function useCreateGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => change('POST /api/groups', { body: { name, owner_steam_id: me } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
  })
}

/** Adds people to a group; one who may not be added makes it fail as a whole. */
export function useAddMembers(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamIds }: { groupId: number; steamIds: string[] }) =>
      change('POST /api/groups/:id/members', { params: { id: groupId }, body: { steam_ids: steamIds } }),
    onSuccess: (_, { groupId }) =>
      Promise.all([membersChanged(client, me, groupId), formerMembersChanged(client, groupId)]),
    onError: (error, { groupId }) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Removes another member. */
export function useRemoveMember(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamId }: { groupId: number; steamId: string }) =>
      change('DELETE /api/groups/:id/members/:steamId', { params: { id: groupId, steamId } }),
    onSuccess: (_, { groupId }) =>
      Promise.all([membersChanged(client, me, groupId), formerMembersChanged(client, groupId)]),
    onError: (error, { groupId }) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Joins a group one was added to, or comes back to one that one has left. */
export function useJoinGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (groupId: number) => change('POST /api/groups/:id/join', { params: { id: groupId } }),
    // It may open libraries, and with them comparisons and what friends are shown with.
    onSuccess: (_, groupId) =>
      Promise.all([
        membersChanged(client, me, groupId),
        ...[keys.libraries(), keys.comparisons(), keys.friends(me), keys.allSharedGames()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ]),
    onError: (error, groupId) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Leaves a group, or declines. Nothing of it is asked for again, because that would be refused (`useForgetGroup`). */
export function useLeaveGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (groupId: number) => change('POST /api/groups/:id/leave', { params: { id: groupId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
    onError: (error, groupId) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Declines every group one was added to and has not joined; resolves with why it failed, undefined when it did not. */
export function useDeclineAll(me: string) {
  const client = useQueryClient()
  const declining = useMutation({
    mutationFn: () => change('DELETE /api/users/:steamId/invitations', { params: { steamId: me } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
  })
  return () => reasonOf(declining.mutateAsync())
}

/** Takes a group one left off the list of those one may come back to (MEM-15). */
export function useForgetLeftGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (groupId: number) =>
      change('DELETE /api/users/:steamId/left_groups/:id', { params: { steamId: me, id: groupId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
    onError: (error, groupId) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Says whether a person who left one's group, or was removed from it, may come back (MEM-13). */
export function useSetMayReturn(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamId, mayReturn }: { groupId: number; steamId: string; mayReturn: boolean }) =>
      change('PUT /api/groups/:id/former_members/:steamId', {
        params: { id: groupId, steamId },
        body: { may_return: mayReturn },
      }),
    onSuccess: (_, { groupId }) => formerMembersChanged(client, groupId),
    onError: (error, { groupId }) => {
      reloadWhatIsGone(client, me, groupId, error)
      // They may have come back in the meantime.
      if (isNotFound(error)) void formerMembersChanged(client, groupId)
    },
  })
}

/** The two answers to having been added to a group; each resolves with why it failed, undefined when it did not. */
export function useInvitationAnswers(me: string) {
  const joining = useJoinGroup(me)
  const leaving = useLeaveGroup(me)
  return {
    join: (groupId: number) => reasonOf(joining.mutateAsync(groupId)),
    decline: (groupId: number) => reasonOf(leaving.mutateAsync(groupId)),
  }
}

/** Renames a group of one's own. */
export function useRenameGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, name }: { groupId: number; name: string }) =>
      change('PATCH /api/groups/:id', { params: { id: groupId }, body: { name } }),
    onSuccess: (_, { groupId }) => membersChanged(client, me, groupId),
    onError: (error, { groupId }) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Makes a member who has joined the owner of one's group. */
export function useHandOverGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamId }: { groupId: number; steamId: string }) =>
      change('POST /api/groups/:id/owner', { params: { id: groupId }, body: { steam_id: steamId } }),
    onSuccess: (_, { groupId }) => membersChanged(client, me, groupId),
    onError: (error, { groupId }) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Deletes a group of one's own for all of its members. */
export function useDeleteGroup(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (groupId: number) => change('DELETE /api/groups/:id', { params: { id: groupId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.groupList(me) }),
    onError: (error, groupId) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Forgets what is known of a group one has left; for when nothing on the screen shows it any more. */
export function useForgetGroup() {
  const client = useQueryClient()
  return (groupId: number) => {
    client.removeQueries({ queryKey: keys.group(groupId) })
    client.removeQueries({ queryKey: keys.sharedGames(groupId) })
    client.removeQueries({ queryKey: keys.formerMembers(groupId) })
  }
}

/** Sets a group's picture: by its address, or by uploading an image file. */
export function useSetGroupPicture(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, picture }: { groupId: number; picture: string | File }) =>
      change('POST /api/groups/:id/picture', {
        params: { id: groupId },
        body: typeof picture === 'string' ? { picture_url: picture } : uploadOf(picture),
      }),
    onSuccess: (_, { groupId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.group(groupId), exact: true }),
        client.invalidateQueries({ queryKey: keys.groupList(me) }),
      ]),
    onError: (error, { groupId }) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/**
 * Reads the libraries of a group's members from the platform now; one of the ten syncs. Answers with one outcome a
 * person.
 */
export function useSyncGroupGames(me: string, groupId: number) {
  const client = useQueryClient()
  const mutationKey = ['sync-group', groupId]
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: (steamIds: string[]) =>
      change('POST /api/sync_group_games', { body: { steam_ids: steamIds } }),
    onSettled: (_answer, _error, steamIds) => librariesChanged(client, me, steamIds),
  })
  return { mutateAsync, isPending: useIsMutating({ mutationKey }) > 0 }
}

/** Why something failed, in words; undefined when it did not. */
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

/** The group, or the member it was about, is gone: what the screen shows is not true any more. */
function reloadWhatIsGone(client: QueryClient, me: string, groupId: number, error: Error): void {
  if (isNotFound(error)) void membersChanged(client, me, groupId)
}

function uploadOf(file: File): FormData {
  const form = new FormData()
  form.append('picture', file)
  return form
}
