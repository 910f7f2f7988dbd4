/**
 * Users's control of their own data: who sees it, export, deletion.
 * Requirements: API-42.
 */
import type { privacyContract, Settings } from '#shared/contract/privacy.ts'
import type { SteamId } from '#shared/entities.ts'
import { HIDDEN_GAMES_MAX } from '#shared/limits.ts'
import type { Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { gamesIn } from '../library/library.ts'
import { monthText } from '../library/months.ts'
import { unpackLibrary } from '../library/packed.ts'
import { deleteAccount } from '../storage/accounts.ts'
import { listReportsBy } from '../storage/group-reports.ts'
import { listLogOf } from '../storage/operator-log.ts'
import { listCorrectionsBy } from '../storage/game-players.ts'
import { listFriends } from '../storage/friends.ts'
import { hiddenAppids, setHiddenGames } from '../storage/hidden-games.ts'
import { readLibrary, recentLibraryChanges } from '../storage/libraries.ts'
import { findPlayer, lockPlayers, type PlayerRow, setSettings } from '../storage/players.ts'
import {
  listAddedMembers,
  listDepartures,
  listDrawsBy,
  listLinksOf,
  listMemberships,
  listNightsOf,
  listPictureChanges,
  listWaitingReads,
} from '../storage/personal-data.ts'
import { forgetPlayed } from '../storage/night-played.ts'
import { unpackClaims, unpackMarks } from '../storage/night-votes.ts'
import { readPlaytimeMonths } from '../storage/playtime-months.ts'
import { listSessions } from '../storage/sessions.ts'
import { listSyncs } from '../storage/syncs.ts'
import { isoTime } from '../time.ts'
import { isOperator, requireAccount } from './access.ts'
import { leavingNights } from './night-change.ts'

/** Handlers of privacy. */
export function privacyHandlers(deps: Deps) {
  const { config, database, catalogue, clock } = deps
  const { queries } = database

  return {
    settings: async ({ params }) => ({
      ...settingsOf(await findPlayer(queries, params.steamId)),
      is_operator: isOperator(config, params.steamId),
    }),

    changeSettings: ({ params: { steamId }, body }) =>
      database.transaction(async (tx) => {
        await setSettings(tx, steamId, body)
        if (body.library_visibility === 'nobody') await forgetPlayed(tx, steamId)
        return { ...settingsOf(await findPlayer(tx, steamId)), ...body }
      }),

    hideGame: async ({ params: { steamId, gameId } }) => {
      const forget = (tx: Tx) => forgetPlayed(tx, steamId, gameId)
      await changeHiddenGames(steamId, forget, (hidden) => {
        if (hidden.includes(gameId)) return hidden
        if (hidden.length >= HIDDEN_GAMES_MAX)
          throw new AppError('too_many_hidden_games', {
            text: `You already hide ${HIDDEN_GAMES_MAX.toLocaleString('en')} games, which is the maximum.`,
          })
        return [...hidden, gameId]
      })
      return undefined
    },

    unhideGame: async ({ params: { steamId, gameId } }) => {
      await changeHiddenGames(steamId, undefined, (hidden) =>
        hidden.includes(gameId) ? hidden.filter((appid) => appid !== gameId) : hidden,
      )
      return undefined
    },

    // Every table about users must be exported here; tests/server/export.test.ts fails when one is missing.
    exportAll: async ({ params: { steamId } }) => {
      const [
        player,
        library,
        months,
        changes,
        friends,
        memberships,
        departures,
        addedMembers,
        pictureChanges,
        sessions,
        syncs,
        waitingReads,
        nights,
        draws,
        links,
        reports,
        corrections,
        operatorLog,
      ] = await Promise.all([
        findPlayer(queries, steamId),
        readLibrary(queries, steamId),
        readPlaytimeMonths(queries, steamId, 0),
        recentLibraryChanges(queries, [steamId], { since: 0, limit: 10_000 }),
        listFriends(queries, steamId),
        listMemberships(queries, steamId),
        listDepartures(queries, steamId),
        listAddedMembers(queries, steamId),
        listPictureChanges(queries, steamId),
        listSessions(queries, steamId, clock()),
        listSyncs(queries, steamId),
        listWaitingReads(queries, steamId),
        listNightsOf(queries, steamId),
        listDrawsBy(queries, steamId),
        listLinksOf(queries, steamId),
        listReportsBy(queries, steamId),
        listCorrectionsBy(queries, steamId),
        listLogOf(queries, steamId),
      ])
      const owned = library?.packed ? [...gamesIn(unpackLibrary(library.packed))] : []
      const played = months.map(({ month, packed }) => ({
        month,
        games: [...gamesIn(unpackLibrary(packed))],
      }))
      await catalogue.ensure([owned, ...played.map(({ games }) => games)].flat().map((game) => game.appid))
      return {
        exported_at: new Date(clock()).toISOString(),
        person: player && {
          ...player,
          hidden_appids: hiddenAppids(player.hidden_appids),
          profile_at: isoTime(player.profile_at),
          friends_at: isoTime(player.friends_at),
          signed_in_at: isoTime(player.signed_in_at),
        },
        library: {
          status: library?.status ?? 'never',
          synced_at: isoTime(library?.synced_at),
          checked_at: isoTime(library?.checked_at),
          tracked_since: isoTime(library?.tracked_since),
          games: owned.map((game) => ({ ...game, name: catalogue.details(game.appid).name })),
        },
        playtime_months: played.map(({ month, games }) => ({
          month: monthText(month),
          games: games.map(({ appid, minutes }) => ({
            appid,
            name: catalogue.details(appid).name,
            minutes,
          })),
        })),
        library_changes: changes.map((change) => ({ ...change, at: isoTime(change.at) })),
        friends: friends.map(({ steam_id, display_name, since }) => ({
          steam_id,
          display_name,
          since: isoTime(since),
        })),
        groups: memberships.map(({ adder_steam_id, adder_display_name, added_at, joined_at, ...group }) => ({
          ...group,
          added_at: isoTime(added_at),
          added_by:
            adder_steam_id === null ? null : { steam_id: adder_steam_id, display_name: adder_display_name },
          joined: joined_at !== null,
          joined_at: isoTime(joined_at),
        })),
        groups_left: departures.map(({ group_id, left_at }) => ({ group_id, left_at: isoTime(left_at) })),
        members_added: addedMembers.map((added) => ({ ...added, added_at: isoTime(added.added_at) })),
        picture_changes: pictureChanges.map(({ at }) => ({ at: isoTime(at) })),
        // Without token hashes: exports may be stored in places that are not safe for credentials.
        sessions: sessions.map(({ session_id, created_at, last_used_at, expires_at, user_agent }) => ({
          session_id,
          created_at: isoTime(created_at),
          last_used_at: isoTime(last_used_at),
          expires_at: isoTime(expires_at),
          user_agent,
        })),
        syncs: syncs.map((sync) => ({
          ...sync,
          started_at: isoTime(sync.started_at),
          finished_at: isoTime(sync.finished_at),
        })),
        waiting_reads: waitingReads.map((read) => ({
          requested_at: isoTime(read.requested_at),
          games_due: read.games_due === 1,
          friends_due: read.friends_due === 1,
          attempts: read.attempts,
          next_attempt_at: isoTime(read.next_attempt_at),
        })),
        nights: nights.map(({ gone, title, host_steam_id, played, marks, claims, ...night }) => ({
          ...night,
          title: gone === 0 ? title : null,
          is_host: host_steam_id === steamId,
          starts_at: isoTime(night.starts_at),
          answered_at: isoTime(night.answered_at),
          voted_at: isoTime(night.voted_at),
          marks: unpackMarks(marks),
          claims: unpackClaims(claims),
          added_at: isoTime(night.added_at),
          played: played === 1,
        })),
        night_draws: draws.map((draw) => ({ ...draw, at: isoTime(draw.at) })),
        invites: links.invites.map((invite) => ({
          ...invite,
          created_at: isoTime(invite.created_at),
          expires_at: isoTime(invite.expires_at),
        })),
        webhooks: links.webhooks.map((hook) => ({ ...hook, created_at: isoTime(hook.created_at) })),
        calendars: links.calendars.map(({ created_at }) => ({ created_at: isoTime(created_at) })),
        group_reports: reports.map((report) => ({ ...report, at: isoTime(report.at) })),
        player_corrections: corrections.map((correction) => ({ ...correction, at: isoTime(correction.at) })),
        // Without who acted and why, which may say who reported what.
        operator_log: operatorLog.map(({ at, action, by_me }) => ({
          at: isoTime(at),
          action,
          by_me: Boolean(by_me),
        })),
      }
    },

    deleteAccount: async ({ params }) => {
      await deleteEverything(deps, params.steamId)
      return undefined
    },
  } satisfies Handlers<typeof privacyContract>

  /** Changes the games that a user hides, and does `also`; nothing is done when `change` returns the same list. */
  async function changeHiddenGames(
    steamId: SteamId,
    also: ((tx: Tx) => Promise<void>) | undefined,
    change: (hidden: readonly number[]) => readonly number[],
  ): Promise<void> {
    await database.transaction(async (tx) => {
      const player = requireAccount(await lockPlayers(tx, [steamId]), steamId)
      const before = hiddenAppids(player.hidden_appids)
      const after = change(before)
      if (after === before) return
      await setHiddenGames(tx, steamId, after)
      await also?.(tx)
    })
  }
}

/** A user's settings; those of a new account where there is none. */
function settingsOf(player: PlayerRow | undefined): Settings {
  return {
    library_visibility: player?.library_visibility ?? 'connected',
    theme: player?.theme ?? 'system',
    language: player?.language ?? null,
  }
}

/**
 * Deletes an account, for its owner or by an operator on request (OPER-11).
 * @param also runs in the same transaction, after the deletion
 */
export async function deleteEverything(
  deps: Deps,
  steamId: SteamId,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { database, clock, log } = deps
  await leavingNights(deps, steamId, () =>
    database.transaction(async (tx) => {
      await deleteAccount(database, tx, steamId, clock())
      await also(tx)
    }),
  )
  // The account is deleted either way; housekeeping retries.
  await database
    .scrub()
    .catch((error: unknown) =>
      log.error({ err: error }, 'deleted data could not be erased from the database file'),
    )
}
