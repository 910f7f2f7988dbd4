/** Groups, their members, pictures and common games. */
import {
  queryOptions,
  useIsMutating,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { change, isNotFound, load } from './http.ts'
import { keys } from './keys.ts'
import { librariesChanged } from './library.ts'
import { listOf } from './list-of.ts'

export const groupsQueries = {
  /** My groups, newest first. */
  list: (steamId: string) =>
    queryOptions({
      queryKey: keys.groupList(steamId),
      queryFn: async ({ signal }) =>
        listOf(
          await load('GET /api/users/:steamId/groups', { params: { steamId } }, signal),
          (held) => held.groups,
        ),
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
    onSuccess: (_, { groupId }) => membersChanged(client, me, groupId),
    onError: (error, { groupId }) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Removes a member, or leaves the group when that is oneself. */
export function useRemoveMember(me: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ groupId, steamId }: { groupId: number; steamId: string }) =>
      change('DELETE /api/groups/:id/members/:steamId', { params: { id: groupId, steamId } }),
    onSuccess: (_, { groupId, steamId }) =>
      // Who has left may not read the group any more: nothing of it is asked for again (`useForgetGroup`).
      steamId === me
        ? client.invalidateQueries({ queryKey: keys.groupList(me) })
        : membersChanged(client, me, groupId),
    onError: (error, { groupId }) => reloadWhatIsGone(client, me, groupId, error),
  })
}

/** Forgets what is known of a group one has left; for when nothing on the screen shows it any more. */
export function useForgetGroup() {
  const client = useQueryClient()
  return (groupId: number) => {
    client.removeQueries({ queryKey: keys.group(groupId) })
    client.removeQueries({ queryKey: keys.sharedGames(groupId) })
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

function membersChanged(client: QueryClient, me: string, groupId: number): Promise<unknown> {
  return Promise.all(
    [keys.group(groupId), keys.sharedGames(groupId), keys.groupList(me)].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )
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
