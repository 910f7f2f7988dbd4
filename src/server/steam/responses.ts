/**
 * Parses Steam's JSON (PLAT-12 to PLAT-32). A response that contradicts itself or lacks a required field is
 * rejected as a whole, because storing half a library would delete the other half. Fields that are not read may have
 * any value.
 * Requirements: PLAT-43, SYNC-17.
 */
import { z } from 'zod'
import { type SteamId } from '#shared/entities.ts'
import { LIBRARY_GAMES_MAX, STEAM_FRIENDS_MAX } from '#shared/limits.ts'
import { isSteamId } from '#shared/steam-id.ts'
import { storeAssetUrl } from './pictures.ts'
import { type FriendList, type OwnedGames, type SteamGame, type Profile, type StoreItem } from './port.ts'

const UINT32_MAX = 0xffff_ffff
const NAME_MAX = 300
const URL_MAX = 2048
/** Steam opened in September 2003; earlier times, such as the common 86400, mean 'unknown'. */
const STEAM_OPENED = Date.UTC(2003, 8, 1) / 1000
const HIGHEST_PERSONASTATE = 6
/** `success` of a store item that has a payload (PLAT-30). */
const STORE_ITEM_FOUND = 1
/** Hosts that support https, although old responses have http URLs of them. */
const STEAM_HOSTS = /(?:^|\.)(?:steamstatic\.com|steampowered\.com|akamaihd\.net)$/

/** A response with status 200 and an unexpected shape. The message names fields, never values. */
export class WrongShapeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongShapeError'
  }
}

const uint32 = z.int().min(0).max(UINT32_MAX)
const appid = z.int().min(1).max(UINT32_MAX)
const steamId = z.string().refine(isSteamId)

const ownedGames = z.object({
  response: z.looseObject({
    game_count: uint32.optional(),
    games: z
      .array(
        z.object({
          appid,
          name: z.string().nullish(),
          img_icon_url: z.string().nullish(),
          playtime_forever: uint32,
          playtime_2weeks: uint32.optional(),
          rtime_last_played: uint32.optional(),
        }),
      )
      .max(LIBRARY_GAMES_MAX)
      .optional(),
  }),
})

/**
 * GetOwnedGames (PLAT-12, PLAT-17). Only an empty `response` means private. `game_count` must equal the number of
 * games, so that a truncated list is never stored as the whole library.
 * @throws WrongShapeError
 */
export function readOwnedGames(json: unknown): OwnedGames {
  const { response } = parse(ownedGames, json)
  if (Object.keys(response).length === 0) return { status: 'private' }
  const { game_count: count, games = [] } = response
  if (count !== games.length) throw new WrongShapeError('game_count differs from the number of games')
  refuseDuplicates(games, (game) => game.appid, 'a game')
  return { status: 'ok', games: games.map(steamGame) }
}

function steamGame(game: NonNullable<z.infer<typeof ownedGames>['response']['games']>[number]): SteamGame {
  const { rtime_last_played: lastPlayed = 0 } = game
  return {
    appid: game.appid,
    name: plainText(game.name),
    iconHash: /^[\w-]{1,64}$/.test(game.img_icon_url ?? '') ? (game.img_icon_url ?? null) : null,
    minutes: game.playtime_forever,
    recentMinutes: game.playtime_2weeks ?? 0,
    lastPlayed: lastPlayed < STEAM_OPENED ? 0 : lastPlayed,
  }
}

const friendList = z.looseObject({
  friendslist: z
    .object({
      friends: z
        .array(
          z.object({
            steamid: steamId,
            relationship: z.string().optional(),
            friend_since: uint32.optional(),
          }),
        )
        .max(STEAM_FRIENDS_MAX),
    })
    .optional(),
})

/**
 * GetFriendList (PLAT-22). An empty object says nothing about the friends, so it counts as private, which leaves the
 * stored list unchanged.
 * @throws WrongShapeError
 */
export function readFriendList(json: unknown): FriendList {
  const response = parse(friendList, json)
  if (Object.keys(response).length === 0) return { status: 'private' }
  if (!response.friendslist) throw new WrongShapeError('friendslist is missing')
  const { friends } = response.friendslist
  refuseDuplicates(friends, (friend) => friend.steamid, 'a friend')
  return {
    status: 'ok',
    friends: friends
      .filter(({ relationship = 'friend' }) => relationship === 'friend')
      .map((friend) => ({ steamId: friend.steamid, since: friend.friend_since || null })),
  }
}

const playerSummaries = z.object({
  response: z.object({
    players: z.array(
      z.object({
        steamid: steamId,
        personaname: z.string().nullish(),
        avatarfull: z.string().nullish(),
        avatarmedium: z.string().nullish(),
        avatar: z.string().nullish(),
        personastate: uint32.optional(),
        gameextrainfo: z.string().nullish(),
        gameid: z.unknown().optional(),
      }),
    ),
  }),
})

/**
 * GetPlayerSummaries (PLAT-25), matched by steam id: some requested ones may be missing; others are left out.
 * @throws WrongShapeError
 */
export function readProfiles(json: unknown, requested: readonly SteamId[]): Profile[] {
  const { players } = parse(playerSummaries, json).response
  refuseDuplicates(players, (player) => player.steamid, 'a player')
  const wanted = new Set(requested)
  return players
    .filter((player) => wanted.has(player.steamid))
    .map((player) => ({
      steamId: player.steamid,
      displayName: plainText(player.personaname),
      avatarUrl: pictureUrl(player.avatarfull || player.avatarmedium || player.avatar),
      // An unknown state counts as 0, offline or private.
      personastate: (player.personastate ?? 0) > HIGHEST_PERSONASTATE ? 0 : (player.personastate ?? 0),
      playing: plainText(player.gameextrainfo),
      playingAppid: appidOf(player.gameid),
    }))
}

/** The appid in a `gameid` (PLAT-28); null for games that a player added themselves, whose numbers have 64 bits. */
function appidOf(gameid: unknown): number | null {
  if (typeof gameid !== 'string' || !/^[1-9]\d{0,9}$/.test(gameid)) return null
  const number = Number(gameid)
  return number <= UINT32_MAX ? number : null
}

const storeItems = z.object({ response: z.object({ store_items: z.array(z.unknown()) }) })
const storeItem = z.object({
  success: z.literal(STORE_ITEM_FOUND),
  appid,
  name: z.string().nullish(),
  type: uint32.optional(),
  is_free: z.boolean().optional(),
  categories: z.object({ supported_player_categoryids: z.array(uint32).optional() }).optional(),
  assets: z.object({ asset_url_format: z.string().optional(), header: z.string().optional() }).optional(),
})

/**
 * GetItems of the store (PLAT-30, PLAT-31). Leaves out items without payload and items of an unknown shape: the
 * interface is undocumented, the items are independent, and everything works without them.
 * @throws WrongShapeError
 */
export function readStoreItems(json: unknown, requested: readonly number[]): StoreItem[] {
  const wanted = new Set(requested)
  return parse(storeItems, json).response.store_items.flatMap((entry) => {
    const { data: item } = storeItem.safeParse(entry)
    if (!item || !wanted.delete(item.appid)) return []
    const { asset_url_format: format, header } = item.assets ?? {}
    return {
      appid: item.appid,
      name: plainText(item.name),
      kind: item.type ?? null,
      headerUrl: format && header ? storeAssetUrl(format, header) : null,
      categories: item.categories?.supported_player_categoryids ?? [],
      isFree: item.is_free ?? false,
    }
  })
}

function parse<T>(schema: z.ZodType<T>, json: unknown): T {
  const { data, error } = schema.safeParse(json)
  if (!error) return data
  const issue = error.issues[0]
  throw new WrongShapeError(`${issue?.path.join('.') || 'the body'} has a wrong value (${issue?.code})`)
}

/** Rejects a response that lists something twice, because either entry may be the right one. */
function refuseDuplicates<T>(entries: readonly T[], keyOf: (entry: T) => unknown, what: string): void {
  if (new Set(entries.map(keyOf)).size !== entries.length)
    throw new WrongShapeError(`${what} is listed twice`)
}

/**
 * A name, which may be any text (PLAT-37). Tabs and line breaks become blanks, other control characters go, lone
 * surrogates are replaced, and it is cut after 300 characters; null when nothing is left.
 */
function plainText(text: string | null | undefined): string | null {
  const plain = (text ?? '')
    .replace(/[\t-\r]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .toWellFormed()
  const short = plain.length <= NAME_MAX ? plain : [...plain].slice(0, NAME_MAX).join('')
  return short || null
}

/** An http(s) URL of a picture, with https where the host is known to support it; null for anything else. */
function pictureUrl(text: string | null | undefined): string | null {
  if (!text || text.length > URL_MAX || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol === 'http:' && STEAM_HOSTS.test(url.hostname)) url.protocol = 'https:'
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null
}
