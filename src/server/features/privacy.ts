/** What people can do about their own data: choose who sees it, take it along, delete it. */
import type { privacyContract } from '#shared/contract/privacy.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { gamesIn } from '../library/library.ts'
import { unpackLibrary } from '../library/packed.ts'
import { deleteAccount } from '../storage/accounts.ts'
import { listFriends } from '../storage/friends.ts'
import { listGroupsOf } from '../storage/groups.ts'
import { readLibrary, recentLibraryChanges } from '../storage/libraries.ts'
import { findPerson, setLibraryVisibility } from '../storage/people.ts'
import { listSessions } from '../storage/sessions.ts'
import { listSyncs } from '../storage/syncs.ts'
import { isoTime } from './library.ts'

/** Handlers of privacy. */
export function privacyHandlers({ database, catalogue, clock, log }: Deps) {
  const { queries } = database

  return {
    settings: async ({ params }) => {
      const person = await findPerson(queries, params.steamId)
      return { library_visibility: person?.library_visibility ?? 'connected' }
    },

    changeSettings: async ({ params, body }) => {
      await setLibraryVisibility(queries, params.steamId, body.library_visibility)
      return body
    },

    exportAll: async ({ params: { steamId } }) => {
      const [person, library, friends, groups, sessions, syncs, changes] = await Promise.all([
        findPerson(queries, steamId),
        readLibrary(queries, steamId),
        listFriends(queries, steamId),
        listGroupsOf(queries, steamId),
        listSessions(queries, steamId, clock()),
        listSyncs(queries, steamId),
        recentLibraryChanges(queries, [steamId], { since: 0, limit: 10_000 }),
      ])
      const owned = library?.packed ? [...gamesIn(unpackLibrary(library.packed))] : []
      await catalogue.ensure(owned.map((game) => game.appid))
      return {
        exported_at: new Date(clock()).toISOString(),
        person: person && {
          ...person,
          profile_at: isoTime(person.profile_at),
          friends_at: isoTime(person.friends_at),
        },
        library: {
          status: library?.status ?? 'never',
          synced_at: isoTime(library?.synced_at),
          games: owned.map((game) => ({ ...game, name: catalogue.details(game.appid).name })),
        },
        library_changes: changes.map((change) => ({ ...change, at: isoTime(change.at) })),
        friends: friends.map(({ steam_id, display_name, since }) => ({
          steam_id,
          display_name,
          since: isoTime(since),
        })),
        groups: groups.map(({ group_id, name, owner_steam_id }) => ({ group_id, name, owner_steam_id })),
        // Never the hash of a token: an export may be kept in places that a session must not be.
        sessions: sessions.map(({ session_id, created_at, last_used_at, user_agent }) => ({
          session_id,
          created_at: isoTime(created_at),
          last_used_at: isoTime(last_used_at),
          user_agent,
        })),
        syncs: syncs.map((sync) => ({
          ...sync,
          started_at: isoTime(sync.started_at),
          finished_at: isoTime(sync.finished_at),
        })),
      }
    },

    deleteAccount: async ({ params }) => {
      await database.transaction((tx) => deleteAccount(database, tx, params.steamId, clock()))
      // The account is deleted either way; housekeeping tries it again.
      await database
        .scrub()
        .catch((error: unknown) =>
          log.error({ err: error }, 'deleted data could not be cleared out of the file'),
        )
      return undefined
    },
  } satisfies Handlers<typeof privacyContract>
}
