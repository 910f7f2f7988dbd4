/**
 * Parses Steam's JSON (PLAT-12 to PLAT-32). A library that contradicts itself or lacks a required field is rejected as a
 * whole, because storing half of it would delete the other half; of friends, profiles and store items only the entries
 * without an id are left out. A field that may be absent counts as absent when it is null or out of range.
 * Requirements: PLAT-18, SYNC-17.
 */
import { z } from 'zod'
import { type SteamId } from '#shared/entities.ts'
import { LIBRARY_GAMES_MAX, STEAM_FRIENDS_MAX, WISHLIST_MAX } from '#shared/limits.ts'
import { isAddedGame } from '#shared/playable.ts'
import { isSteamId } from '#shared/steam-id.ts'
import {
  type FriendList,
  type OwnedGames,
  type Profile,
  type StoreItem,
  type StorePrice,
  STEAM_PICTURE_HOSTS,
  storeAssetUrl,
} from './port.ts'

const UINT32_MAX = 0xffff_ffff
const NAME_MAX = 300
const URL_MAX = 2048
/** Length of a price in words. */
const PRICE_MAX = 40
/** Steam opened in September 2003; earlier times, such as the common 86400, mean 'unknown'. */
const STEAM_OPENED = Date.UTC(2003, 8, 1) / 1000
const HIGHEST_PERSONASTATE = 6
/** `success` of a store item that has a payload (PLAT-29). */
const STORE_ITEM_FOUND = 1

/** A response with status 200 and an unexpected shape. The message names fields, never values. */
export class WrongShapeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongShapeError'
  }
}

/** A field that may be absent. */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const text = optional(z.string())

const uint32 = z.int().min(0).max(UINT32_MAX)
const appid = z
  .int()
  .min(1)
  .max(UINT32_MAX)
  .refine((number) => !isAddedGame(number))
const steamId = z.string().refine(isSteamId)

const ownedGames = z.object({
  response: z.looseObject({
    game_count: uint32.optional(),
    games: z
      .array(
        z.object({
          appid,
          name: text,
          img_icon_url: text,
          playtime_forever: uint32,
          playtime_disconnected: optional(uint32),
          playtime_2weeks: optional(uint32),
          rtime_last_played: optional(uint32),
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
  // Either entry may be the right one.
  if (new Set(games.map((game) => game.appid)).size !== games.length)
    throw new WrongShapeError('a game is listed twice')
  return {
    status: 'ok',
    games: games.map((game) => ({
      appid: game.appid,
      name: plainText(game.name),
      iconHash: /^[\w-]{1,64}$/.exec(game.img_icon_url ?? '')?.[0] ?? null,
      // Steam keeps minutes played offline apart until it adds them to the others.
      minutes: Math.min(game.playtime_forever + (game.playtime_disconnected ?? 0), UINT32_MAX),
      recentMinutes: game.playtime_2weeks ?? 0,
      lastPlayed: (game.rtime_last_played ?? 0) < STEAM_OPENED ? 0 : game.rtime_last_played!,
    })),
  }
}

const friendList = z.looseObject({
  friendslist: z.object({ friends: z.array(z.unknown()).max(STEAM_FRIENDS_MAX) }).optional(),
})
const friend = z.object({ steamid: steamId, relationship: text })

/**
 * GetFriendList (PLAT-22). An empty object says nothing about the friends, so it counts as private, which leaves the
 * stored list unchanged.
 * @throws WrongShapeError
 */
export function readFriendList(json: unknown): FriendList {
  const response = parse(friendList, json)
  if (Object.keys(response).length === 0) return { status: 'private' }
  if (!response.friendslist) throw new WrongShapeError('friendslist is missing')
  return {
    status: 'ok',
    friends: validEntries(friend, response.friendslist.friends, (entry) => entry.steamid)
      .filter(({ relationship = 'friend' }) => relationship === 'friend')
      .map(({ steamid }) => steamid),
  }
}

const playerSummaries = z.object({ response: z.object({ players: z.array(z.unknown()) }) })
const playerSummary = z.object({
  steamid: steamId,
  personaname: text,
  avatarfull: text,
  avatarmedium: text,
  avatar: text,
  personastate: optional(z.int().min(0).max(HIGHEST_PERSONASTATE)),
  gameextrainfo: text,
  gameid: z.unknown().optional(),
})

/**
 * GetPlayerSummaries (PLAT-24), matched by steam id: a profile for each requested one. Of players whom Steam does not
 * return nothing is known, so they are not online.
 * @throws WrongShapeError
 */
export function readProfiles(json: unknown, requested: readonly SteamId[]): Profile[] {
  const { players } = parse(playerSummaries, json).response
  const byId = new Map(
    validEntries(playerSummary, players, (player) => player.steamid).map((player) => [
      player.steamid,
      player,
    ]),
  )
  return requested.map((steamId) => {
    const player = byId.get(steamId)
    return {
      steamId,
      displayName: plainText(player?.personaname),
      avatarUrl: pictureUrl(player?.avatarfull || player?.avatarmedium || player?.avatar),
      // An unknown state counts as 0, offline or private.
      personastate: player?.personastate ?? 0,
      playing: plainText(player?.gameextrainfo),
      playingAppid: appidOf(player?.gameid),
    }
  })
}

/** The appid in a `gameid` (PLAT-27); null for games that a player added themselves, whose numbers have 64 bits. */
function appidOf(gameid: unknown): number | null {
  if (typeof gameid !== 'string' || !/^[1-9]\d{0,9}$/.test(gameid)) return null
  const number = Number(gameid)
  return number <= UINT32_MAX && !isAddedGame(number) ? number : null
}

const wishlist = z.object({
  response: z.looseObject({ items: z.array(z.unknown()).max(LIBRARY_GAMES_MAX).optional() }),
})
const wish = z.object({ appid, priority: optional(uint32), date_added: optional(uint32) })

/**
 * GetWishlist (PLAT-47): those of the highest priority first, which is 1, and of those without one the newest. An empty
 * `response` is an empty wishlist, or one that is not shown.
 * @throws WrongShapeError
 */
export function readWishlist(json: unknown): number[] {
  const { response } = parse(wishlist, json)
  if (Object.keys(response).length === 0) return []
  if (!response.items) throw new WrongShapeError('items is missing')
  const wishes = validEntries(wish, response.items, (entry) => entry.appid)
  const place = ({ priority }: z.infer<typeof wish>) => priority || Infinity
  return wishes
    .sort((a, b) => (place(a) === place(b) ? (b.date_added ?? 0) - (a.date_added ?? 0) : place(a) - place(b)))
    .slice(0, WISHLIST_MAX)
    .map((entry) => entry.appid)
}

const storeItems = z.object({ response: z.object({ store_items: z.array(z.unknown()) }) })
const purchase = z.object({
  final_price_in_cents: z.union([z.string().regex(/^\d{1,12}$/), uint32]),
  formatted_final_price: z.string().min(1).max(PRICE_MAX),
  discount_pct: optional(z.int().min(1).max(100)),
  active_discounts: optional(z.array(z.object({ discount_end_date: optional(uint32) }))),
})
const storeItem = z.object({
  success: optional(z.int()),
  appid,
  name: text,
  type: optional(uint32),
  is_free: optional(z.boolean()),
  categories: optional(z.object({ supported_player_categoryids: optional(z.array(uint32)) })),
  assets: optional(z.object({ asset_url_format: text, header: text })),
  best_purchase_option: optional(purchase),
})

/**
 * GetItems of the store (PLAT-29, PLAT-31). Leaves out items without an appid: the interface is undocumented, the items
 * are independent, and everything works without them.
 * @throws WrongShapeError
 */
export function readStoreItems(json: unknown, requested: readonly number[]): StoreItem[] {
  const wanted = new Set(requested)
  return parse(storeItems, json).response.store_items.flatMap((entry) => {
    const { data: item } = storeItem.safeParse(entry)
    if (!item || !wanted.delete(item.appid)) return []
    const { asset_url_format: format, header } = item.assets ?? {}
    const isShown = item.success === STORE_ITEM_FOUND
    return {
      appid: item.appid,
      isShown,
      name: plainText(item.name),
      kind: item.type ?? null,
      headerUrl: format && header ? storeAssetUrl(format, header) : null,
      categories: item.categories?.supported_player_categoryids ?? [],
      isFree: item.is_free ?? false,
      price: !isShown || item.is_free ? null : priceOf(item.best_purchase_option),
    }
  })
}

/** The discount ends where the first of several does, because the price changes then. */
function priceOf(offer: z.infer<typeof purchase> | undefined): StorePrice | null {
  const formatted = plainText(offer?.formatted_final_price)
  if (!offer || formatted === null) return null
  const ends = (offer.active_discounts ?? []).flatMap(({ discount_end_date: end }) => end || [])
  const discountPercent = offer.discount_pct ?? 0
  return {
    formatted,
    cents: Number(offer.final_price_in_cents),
    discountPercent,
    discountEndsAt: discountPercent > 0 && ends.length > 0 ? Math.min(...ends) * 1000 : null,
  }
}

function parse<T>(schema: z.ZodType<T>, json: unknown): T {
  const { data, error } = schema.safeParse(json)
  if (!error) return data
  const issue = error.issues[0]
  throw new WrongShapeError(`${issue?.path.join('.') || 'the body'} has a wrong value (${issue?.code})`)
}

/** The valid entries of a list, each id once. @throws WrongShapeError when all of them are invalid */
function validEntries<T>(
  schema: z.ZodType<T>,
  entries: readonly unknown[],
  idOf: (entry: T) => SteamId | number,
): T[] {
  const valid = new Map<SteamId | number, T>()
  for (const entry of entries) {
    const { data } = schema.safeParse(entry)
    if (data && !valid.has(idOf(data))) valid.set(idOf(data), data)
  }
  if (valid.size === 0 && entries.length > 0) throw new WrongShapeError('no entry of the list is valid')
  return [...valid.values()]
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

/** An http(s) URL of a picture, https on Steam's hosts, although old responses have http; null for anything else. */
function pictureUrl(text: string | null | undefined): string | null {
  if (!text || text.length > URL_MAX || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol === 'http:' && STEAM_PICTURE_HOSTS.includes(url.hostname)) url.protocol = 'https:'
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null
}
