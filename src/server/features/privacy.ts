/**
 * Users' control of their own data: who sees it, export, deletion.
 * Requirements: API-41.
 */
import type { privacyContract, Settings } from '#shared/contract/privacy.ts'
import type { ElsewherePlace, SteamId } from '#shared/entities.ts'
import { ELSEWHERE_MAX, HIDDEN_GAMES_MAX } from '#shared/limits.ts'
import type { Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { elsewhereIn, gamesIn, hiddenAppids } from '../library/library.ts'
import { monthText } from '../library/months.ts'
import { unpackLibrary } from '../library/packed.ts'
import { listFriends } from '../storage/friends.ts'
import { listGroupsOf } from '../storage/groups.ts'
import { readLibrary, readPlaytimeMonths } from '../storage/libraries.ts'
import {
  findPlayer,
  lockPlayers,
  type PlayerRow,
  setElsewhere,
  setHiddenGames,
  setSettings,
} from '../storage/players.ts'
import { FIRST_NOTIFICATIONS, packNotifications, unpackNotifications } from '../storage/push-subscriptions.ts'
import { listAsStored } from '../storage/personal-data.ts'
import { isoTime } from '../time.ts'
import { isOperator, requireAccount } from './access.ts'
import { deleteAccount } from './departures.ts'
import { leavingNights } from './night-change.ts'

/** Handlers of privacy. */
export function privacyHandlers(deps: Deps) {
  const { config, database, catalogue, clock } = deps
  const { queries } = database

  return {
    settings: async ({ params }) => ({
      ...settingsOf(await findPlayer(queries, params.steamId)),
      is_operator: isOperator(config, params.steamId),
      server_country: config.storeCountry,
    }),

    changeSettings: ({ params: { steamId }, body }) =>
      database.transaction(async (tx) => {
        const { notifications: changed, ...rest } = body
        const before = settingsOf((await lockPlayers(tx, [steamId])).get(steamId))
        const notifications = { ...before.notifications, ...changed }
        await setSettings(tx, steamId, {
          ...rest,
          ...(changed && { notifications: packNotifications(notifications) }),
        })
        return { ...before, ...rest, notifications }
      }),

    hideGame: ({ params }) => setHidden(params, true),
    unhideGame: ({ params }) => setHidden(params, false),

    ownElsewhere: async ({ params, body: { where } }) => {
      const [game] = await catalogue.games([params.gameId])
      if (!game!.row) throw new AppError('game_not_found')
      return markElsewhere(params, where)
    },
    notElsewhere: ({ params }) => markElsewhere(params, undefined),

    // Every table about users must be exported here; tests/server/export.test.ts fails when one is missing.
    exportAll: async ({ params: { steamId } }) => {
      const read = await allOf({
        player: findPlayer(queries, steamId),
        library: readLibrary(queries, steamId),
        months: readPlaytimeMonths(queries, steamId, 0),
        friends: listFriends(queries, steamId),
        memberships: listGroupsOf(queries, steamId),
        asStored: listAsStored(queries, steamId),
      })
      const owned = read.library?.packed ? [...gamesIn(unpackLibrary(read.library.packed))] : []
      const played = read.months.map(({ month, packed }) => ({
        month,
        games: [...gamesIn(unpackLibrary(packed))],
      }))
      const detailsOf = await catalogue.detailsOf(
        [owned, ...played.map(({ games }) => games)].flat().map((game) => game.appid),
      )
      return {
        exported_at: new Date(clock()).toISOString(),
        person: read.player && {
          ...withTimes(read.player),
          hidden_appids: hiddenAppids(read.player.hidden_appids),
          elsewhere: Object.fromEntries(elsewhereIn(read.player.elsewhere)),
          notifications: unpackNotifications(read.player),
        },
        library: {
          status: read.library?.status ?? 'never',
          synced_at: isoTime(read.library?.synced_at),
          checked_at: isoTime(read.library?.checked_at),
          tracked_since: isoTime(read.library?.tracked_since),
          games: owned.map((game) => ({ ...game, name: detailsOf(game.appid).name })),
        },
        playtime_months: played.map(({ month, games }) => ({
          month: monthText(month),
          games: games.map(({ appid, minutes }) => ({
            appid,
            name: detailsOf(appid).name,
            minutes,
          })),
        })),
        friends: read.friends.map(withTimes),
        groups: read.memberships.map(({ group_id, name, owner_steam_id, added_at, joined_at, adder }) => ({
          ...withTimes({ group_id, name, owner_steam_id, added_at, joined_at }),
          added_by: adder ? { steam_id: adder.steam_id, display_name: adder.display_name } : null,
          joined: joined_at !== null,
        })),
        ...Object.fromEntries(
          Object.entries(read.asStored).map(([name, rows]) => [name, rows.map(withTimes)]),
        ),
        // Not of groups that the user has left: a row says that somebody is still a member.
        members_added: read.asStored.members_added
          .filter(({ group_id }) => read.memberships.some((group) => group.group_id === group_id))
          .map(withTimes),
      }
    },

    deleteAccount: ({ params }) => deleteEverything(deps, params.steamId),
  } satisfies Handlers<typeof privacyContract>

  function markElsewhere(
    { steamId, gameId }: { steamId: SteamId; gameId: number },
    where: ElsewherePlace | undefined,
  ) {
    return database.transaction(async (tx) => {
      const player = requireAccount(await lockPlayers(tx, [steamId]), steamId)
      const games = new Map(elsewhereIn(player.elsewhere))
      if (games.get(gameId) === where) return
      if (where === undefined) games.delete(gameId)
      else games.set(gameId, where)
      if (games.size > ELSEWHERE_MAX) throw new AppError('too_many_elsewhere')
      await setElsewhere(tx, steamId, games)
    })
  }

  function setHidden({ steamId, gameId }: { steamId: SteamId; gameId: number }, hide: boolean) {
    return database.transaction(async (tx) => {
      const player = requireAccount(await lockPlayers(tx, [steamId]), steamId)
      const hidden = hiddenAppids(player.hidden_appids)
      if (hidden.includes(gameId) === hide) return
      if (hide && hidden.length >= HIDDEN_GAMES_MAX)
        throw new AppError('too_many_hidden_games', {
          reason: 'hidden_games_full',
          values: { count: HIDDEN_GAMES_MAX },
        })
      await setHiddenGames(
        tx,
        steamId,
        hide ? [...hidden, gameId] : hidden.filter((appid) => appid !== gameId),
      )
    })
  }
}

/** A user's settings, or the settings of a new account. */
function settingsOf(player: PlayerRow | undefined): Settings {
  return {
    library_visibility: player?.library_visibility ?? 'connected',
    theme: player?.theme ?? 'system',
    language: player?.language ?? null,
    country: player?.country ?? null,
    notifications: player ? unpackNotifications(player) : FIRST_NOTIFICATIONS,
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
  await leavingNights(deps, steamId, async (tx) => {
    await deleteAccount(database, tx, steamId, clock())
    await also(tx)
  })
  // The account is deleted either way; housekeeping retries.
  await database
    .scrub()
    .catch((error: unknown) =>
      log.error({ err: error }, 'deleted data could not be erased from the database file'),
    )
}

/** What these promises resolve to, by name. */
async function allOf<Promises extends Record<string, unknown>>(promises: Promises) {
  const values = await Promise.all(Object.values(promises))
  return Object.fromEntries(Object.keys(promises).map((name, nth) => [name, values[nth]])) as {
    [Name in keyof Promises]: Awaited<Promises[Name]>
  }
}

/** A row with its times as text. */
function withTimes(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      /(^|_)(at|since)$/.test(name) ? isoTime(value as number | null) : value,
    ]),
  )
}
