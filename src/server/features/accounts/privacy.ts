/**
 * Users' control of their own data: who sees it, export, deletion.
 * Requirements: API-41.
 */
import type { privacyContract, Settings } from '#shared/contract/privacy.ts'
import type { ElsewherePlace, SteamId } from '#shared/entities.ts'
import { ELSEWHERE_MAX, HIDDEN_GAMES_MAX } from '#shared/limits.ts'
import { isAddedGame } from '#shared/playable.ts'
import type { Tx } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { elsewhereIn, gamesIn, hiddenAppids } from '../../library/library.ts'
import { monthText } from '../../library/months.ts'
import { unpackLibrary } from '../../library/packed.ts'
import { listFriendIds } from '../../storage/players/friends.ts'
import { listGroupsOf } from '../../storage/groups/groups.ts'
import { readLibrary, readPlaytimeMonths } from '../../storage/players/libraries.ts'
import {
  findPlayer,
  lockPlayers,
  type PlayerRow,
  readPlayers,
  setElsewhere,
  setHiddenGames,
  setSettings,
} from '../../storage/players/players.ts'
import {
  FIRST_NOTIFICATIONS,
  packNotifications,
  unpackNotifications,
} from '../../storage/notifications/push-subscriptions.ts'
import { listAsStored } from '../../storage/accounts/personal-data.ts'
import { deleteYearLinks } from '../../storage/groups/links.ts'
import { letWishlistBeRead, readWishlists } from '../../storage/groups/games.ts'
import { isoTime } from '../../time.ts'
import { countsOutside, isOperator, requireAccount } from '../access.ts'
import { deleteAccount } from '../groups/departures.ts'

export function privacyHandlers(deps: Deps) {
  const { config, database, catalogue, wishlists, clock } = deps
  const { queries } = database

  return {
    settings: async ({ params: { steamId } }) => {
      const wishlist = (await readWishlists(queries, [steamId])).get(steamId)
      if (wishlist) wishlists.lookAt([steamId])
      return {
        ...settingsOf(await findPlayer(queries, steamId)),
        is_operator: isOperator(config, steamId),
        wishlist: wishlist !== undefined,
        wishlist_state: wishlist?.status ?? null,
        wishlist_games: wishlist?.appids.length ?? 0,
        server_country: config.storeCountry,
      }
    },

    changeSettings: async ({ params: { steamId }, body }) => {
      const settings = await database.transaction(async (tx) => {
        const { notifications: some, wishlist, ...rest } = body
        const locked = await lockPlayers(tx, [steamId])
        const before = settingsOf(locked.get(steamId))
        const notifications = { ...before.notifications, ...some }
        await setSettings(tx, steamId, {
          ...rest,
          ...(some && { notifications: packNotifications(notifications) }),
        })
        if (!countsOutside({ ...before, ...rest })) await deleteYearLinks(tx, { steam_id: steamId })
        if (wishlist !== undefined) {
          requireAccount(locked, steamId)
          await letWishlistBeRead(tx, steamId, wishlist)
        }
        const isRead = (await readWishlists(tx, [steamId])).has(steamId)
        return { ...before, ...rest, wishlist: isRead, notifications }
      })
      if (body.wishlist) wishlists.lookAt([steamId])
      return settings
    },

    hideGame: ({ params }) => setHidden(params, true),
    unhideGame: ({ params }) => setHidden(params, false),

    ownElsewhere: async ({ params, body: { where } }) => {
      const [game] = await catalogue.games([params.gameId])
      if (!game!.row || isAddedGame(params.gameId)) throw new AppError('game_not_found')
      return markElsewhere(params, where)
    },
    notElsewhere: ({ params }) => markElsewhere(params, undefined),

    // Every table about users must be exported here; tests/server/export.test.ts fails when one is missing.
    exportAll: async ({ params: { steamId } }) => {
      const [player, library, months, friendIds, memberships, asStored] = await Promise.all([
        findPlayer(queries, steamId),
        readLibrary(queries, steamId),
        readPlaytimeMonths(queries, steamId, 0),
        listFriendIds(queries, steamId),
        listGroupsOf(queries, steamId),
        listAsStored(queries, steamId),
      ])
      const friends = await readPlayers(queries, friendIds)
      const owned = library?.packed ? [...gamesIn(unpackLibrary(library.packed))] : []
      const played = months.map(({ month, packed }) => ({
        month,
        games: [...gamesIn(unpackLibrary(packed))],
      }))
      const detailsOf = await catalogue.detailsOf(
        [owned, ...played.map(({ games }) => games)].flat().map((game) => game.appid),
      )
      return {
        exported_at: new Date(clock()).toISOString(),
        person: player && {
          ...withTimes(player),
          hidden_appids: hiddenAppids(player.hidden_appids),
          elsewhere: Object.fromEntries(elsewhereIn(player.elsewhere)),
          notifications: unpackNotifications(player),
        },
        library: {
          status: library?.status ?? 'never',
          synced_at: isoTime(library?.synced_at),
          checked_at: isoTime(library?.checked_at),
          tracked_since: isoTime(library?.tracked_since),
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
        friends: friendIds.map((id) => ({
          steam_id: id,
          display_name: friends.get(id)?.display_name ?? null,
        })),
        groups: memberships.map(({ group_id, name, owner_steam_id, added_at, joined_at, adder }) => ({
          ...withTimes({ group_id, name, owner_steam_id, added_at, joined_at }),
          added_by: adder ? { steam_id: adder.steam_id, display_name: adder.display_name } : null,
          joined: joined_at !== null,
        })),
        ...Object.fromEntries(Object.entries(asStored).map(([name, rows]) => [name, rows.map(withTimes)])),
        // Not of groups that the user has left: a row says that somebody is still a member.
        members_added: asStored.members_added
          .filter(({ group_id }) => memberships.some((group) => group.group_id === group_id))
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
function settingsOf(player: PlayerRow | undefined): Omit<Settings, 'wishlist'> {
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
  await database.transaction(async (tx) => {
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

/** A row with its times as text. */
function withTimes(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      /(^|_)(at|since)$/.test(name) ? isoTime(value as number | null) : value,
    ]),
  )
}
