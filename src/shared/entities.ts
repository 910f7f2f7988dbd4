/**
 * Schemas of the entities in requests and responses (ENT-1 to ENT-16), with added fields (PROD-12). Times are ISO 8601
 * text in UTC, playtimes whole minutes, and steam ids text, because they exceed 2^53.
 * Requirements: ERR-5.
 */
import { z } from 'zod'
import { isSteamId } from './steam-id.ts'

export const steamId = z
  .string()
  .refine(isSteamId, 'is not the steam id of a player')
  .meta({ description: 'Steam id of an individual account, as text', example: '76561197960265730' })
export type SteamId = string

/** A positive 32-bit number in the path of a URL. */
const idInPath = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a positive whole number')
  .transform(Number)
  .refine((value) => value <= 4_294_967_295, 'must be a positive whole number')
export const appidInPath = idInPath.meta({ description: 'Steam application id' })
export const groupIdInPath = idInPath.meta({ description: 'Group id' })

const minutes = z.int().nonnegative()
const time = z.iso.datetime()
const pictureUrl = z.string().nullable()

/**
 * Whether a library can be shown: 'never' was not synced yet, 'private' on Steam, 'hidden' by its owner
 * (API-7).
 */
export const libraryStatus = z.enum(['ok', 'private', 'never', 'hidden'])
export type LibraryStatus = z.infer<typeof libraryStatus>

/** Ways to play a game, in the order of lists; from the store's player categories, so there may be none. */
export const playMode = z.enum(['single', 'multi', 'coop', 'online', 'local', 'mmo'])
export type PlayMode = z.infer<typeof playMode>

/** How a game is played with others, for badges, in their order; from the store, like the modes. */
export const gameFeature = z.enum([
  'online_coop',
  'online_versus',
  'same_screen',
  'remote_play',
  'cross_platform',
])
export type GameFeature = z.infer<typeof gameFeature>

/** What the store lists an app as; null in lists where the store was not asked or does not know the app. */
export const gameKind = z.enum(['game', 'mod', 'demo', 'beta', 'dlc', 'tool', 'software', 'video', 'other'])
export type GameKind = z.infer<typeof gameKind>

/** The fields from the store that lists of games can be filtered by. */
const fromStore = {
  modes: z.array(playMode),
  features: z.array(gameFeature),
  kind: gameKind.nullable(),
}

/** The most players who can play a game together (API-53); null when unknown. */
const playersMax = z.int().positive().nullable()

/** What the product's list says of how many can play a game (`server/catalogue/players.tsv`). */
export const gamePlayers = z.object({
  /** In one session over the internet; 0 for none. */
  online: z.int().nonnegative(),
  /** On one screen, also by turns; 0 for none, null when unknown. */
  screen: z.int().nonnegative().nullable(),
  /** When this was checked. */
  year: z.int(),
  note: z.string().nullable(),
})
export type GamePlayers = z.infer<typeof gamePlayers>

/** Where a game is owned outside Steam. */
export const elsewherePlace = z.enum(['epic', 'gog', 'game_pass', 'family', 'other'])
export type ElsewherePlace = z.infer<typeof elsewherePlace>

/** Players who own a game only outside Steam, which counts as owned with 0 minutes, and where (NIGHT-134). */
export const ownedElsewhere = z.object({
  elsewhere: z.array(steamId),
  elsewhere_places: z.record(steamId, elsewherePlace),
})
export type OwnedElsewhere = z.infer<typeof ownedElsewhere>

/** The fields that every list of games has. Where `image_url` is null, the page draws a tile. */
export const gameSummary = z.object({ appid: z.int(), name: z.string(), image_url: z.string().nullable() })

/** A game in lists that can be filtered by what the store says; its modes are empty where that is not known. */
export const filterableGame = gameSummary.extend({
  ...fromStore,
  players_max: playersMax,
  /** Where it is played; only of a game that is not on Steam and that a group has added (API-56). */
  link: z.string().optional(),
})
export type FilterableGame = z.infer<typeof filterableGame>

export const game = gameSummary.extend({
  id: z.int(),
  playtime_minutes: minutes,
  playtime_2weeks_minutes: minutes,
  last_played_at: time.nullable(),
  icon_url: z.string().nullable(),
  ...fromStore,
})
export type Game = z.infer<typeof game>

export const player = z.object({
  steam_id: steamId,
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
})
export type Player = z.infer<typeof player>

export const friend = player.extend({
  /** 0 offline or private, 1 online, 2 busy, 3 away, 4 snooze, 5 looking to trade, 6 looking to play. */
  personastate: z.int(),
  /** Name of the game being played, if Steam reports one. */
  playing: z.string().nullable(),
  /** Its appid; null also for games that are not of the store. */
  playing_appid: z.int().nullable(),
  library_status: libraryStatus,
  /** Whether they have signed in here. */
  joined_here: z.boolean(),
  /** Only there, and false, for somebody whose own list was read later and does not have me (PERM-20). */
  connected: z.boolean().optional(),
})
export type Friend = z.infer<typeof friend>

export const group = z.object({
  group_id: z.int(),
  name: z.string(),
  picture_url: pictureUrl,
  /** URL of the picture on this server, so that members' IP addresses are not disclosed to other hosts. */
  picture_image_url: pictureUrl,
  member_count: z.int(),
  owner_id: steamId,
  owner_steam_id: steamId,
  /** Whether the caller has joined, and who added them; null when they joined on their own (MEM-1, MEM-10). */
  joined: z.boolean(),
  added_by: player.nullable(),
})
export type Group = z.infer<typeof group>

/** A group that I left or declined, and may come back to (MEM-12). */
export const leftGroup = group.pick({ group_id: true, name: true })
export type LeftGroup = z.infer<typeof leftGroup>

/** A player who left a group or was removed from it (MEM-13). */
export const formerMember = player.extend({
  /** By the owner, rather than by their own choice. */
  removed: z.boolean(),
  may_return: z.boolean(),
  left_at: time,
})
export type FormerMember = z.infer<typeof formerMember>

export const groupMember = player.extend({
  user_id: steamId,
  /** Whether the member has joined (MEM-6). */
  joined: z.boolean(),
  library_status: libraryStatus,
  library_synced_at: time.nullable(),
})
export type GroupMember = z.infer<typeof groupMember>

export const comparisonEntry = filterableGame.extend({ user_playtime: minutes, friend_playtime: minutes })
export type ComparisonEntry = z.infer<typeof comparisonEntry>

export const sharedGame = filterableGame.extend({
  ...ownedElsewhere.shape,
  total_playtime: minutes,
  playtimes: z.record(steamId, minutes),
})
export type SharedGame = z.infer<typeof sharedGame>

/** What a game costs in the viewer's country, as the store says it. */
export const price = z.object({
  /** As the store writes it: '4,99€'. */
  formatted: z.string(),
  /** In hundredths of the country's currency, whose name the store does not say. */
  cents: z.int().nonnegative(),
  /** 0 when it is not on sale; `discount_ends_at` is null then, or when the store does not say it. */
  discount_percent: z.int(),
  discount_ends_at: time.nullable(),
  country: z.string(),
  read_at: time,
})
export type Price = z.infer<typeof price>

/** A game for several players that all but one or two members own; `playtimes` has those who own it. */
export const nearMiss = sharedGame.extend({
  /** Members who do not own it. */
  lacking: z.array(steamId),
  /** Free to play; null when the store was not asked yet. */
  is_free: z.boolean().nullable(),
  /** Null when it is free, not sold in the viewer's country, or not known yet. */
  price: price.nullable(),
})
export type NearMiss = z.infer<typeof nearMiss>

export const friendsTopGame = gameSummary.extend({ total_playtime: minutes })

export const friendWithGame = player.extend({ playtime_minutes: minutes })
export type FriendWithGame = z.infer<typeof friendWithGame>

/** What a friend and I both have. */
export const friendOverlap = z.object({
  steam_id: steamId,
  /** Games that both own. */
  common: z.int(),
})

/** How many can play a game, as a group has it (API-54). */
export const groupGamePlayers = z.object({
  appid: z.int(),
  players_max: playersMax,
  /** What the list says; null for a game that is not in it. */
  players: gamePlayers.nullable(),
  /** Null where the group has not corrected it. `by`: null for who has left the group, or deleted the account. */
  correction: z.object({ by: player.nullable(), at: time }).nullable(),
})
export type GroupGamePlayers = z.infer<typeof groupGamePlayers>

/** A game that is not on Steam, as a group has added it. */
export const addedGame = gameSummary.pick({ appid: true, name: true }).extend({
  link: z.string(),
  /** Null when they have left the group. */
  added_by: steamId.nullable(),
})
export type AddedGame = z.infer<typeof addedGame>

/** A game that members of a group want to play, by whom, and who of those whose libraries are known owns it. */
export const wantedGame = z.object({
  game: filterableGame,
  wanted_by: z.array(steamId),
  owned_by: z.array(steamId),
  /** Free to play; null when the store was not asked yet. */
  is_free: z.boolean().nullable(),
  price: price.nullable(),
})
export type WantedGame = z.infer<typeof wantedGame>

/** Everything a game's page shows. */
export const gamePage = filterableGame.extend({
  icon_url: z.string().nullable(),
  players: gamePlayers.nullable(),
  /** Free to play; null when the store was not asked yet. */
  is_free: z.boolean().nullable(),
  /** As in near misses. */
  price: price.nullable(),
  /** Whether anyone here owns the game, has owned it or has wished for it on Steam. */
  known: z.boolean(),
  /** Null when I do not own it. */
  mine: game.pick({ playtime_minutes: true, playtime_2weeks_minutes: true, last_played_at: true }).nullable(),
  /** Where I said that I own it outside Steam. */
  elsewhere: elsewherePlace.nullable(),
  /** Groups with which I want to play it. */
  wanted_in: z.array(z.int()),
  /** Friends who own it, most played first. `playing`: they are in this game now. */
  friends: z.array(friendWithGame.extend({ personastate: friend.shape.personastate, playing: z.boolean() })),
  /** Friends whose library could be looked at, and those whose library could not. */
  counted: z.int(),
  uncounted: z.int(),
  /** Groups I have joined whose members all own it; `counted`: the members whose library could be looked at. */
  groups: z.array(
    group
      .pick({ group_id: true, name: true, picture_image_url: true, member_count: true })
      .extend({ counted: z.int() }),
  ),
  /** There are older groups, which were not looked at. */
  more_groups: z.boolean(),
})
export type GamePage = z.infer<typeof gamePage>
