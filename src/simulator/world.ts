/**
 * The simulator's data: players with their libraries and friends, and apps. A world file is the type `World` as JSON;
 * the comments on the fields document the format. Fields with a default are optional in a file.
 *
 * ```json
 * {
 *   "apps": [{ "appid": 400, "name": "Portal", "categories": [2] }],
 *   "players": [
 *     { "steamid": "76561197960265801", "personaname": "Mira", "personastate": 1,
 *       "games": [{ "appid": 400, "minutes": 190 }],
 *       "friends": [{ "steamid": "76561197960265802", "since": 1600000000 }] },
 *     { "steamid": "76561197960265802", "personaname": "Jun", "gamesPrivate": true }
 *   ]
 * }
 * ```
 */

export type World = {
  players: Player[]
  apps: App[]
  /** Players that the sign-in page offers first; not in world files. */
  offered?: readonly Offer[]
}

/** A player, and one sentence about what one sees as them. */
export type Offer = { steamid: string; line: { en: string; de: string } }

export type Player = {
  /** 17 digits, as text. */
  steamid: string
  /** Display name, any text. */
  personaname: string
  /** Hash of the avatar, 40 hex digits; '' for Steam's default picture. Default: derived from steamid. */
  avatar?: string
  /** 0 offline, 1 online, 2 busy, 3 away, 4 snooze, 5 looking to trade, 6 looking to play. Default 0. */
  personastate: number
  /** Appid of the game being played. */
  playing?: number
  /** 'Game details' are private: the library is not shown. Default false. */
  gamesPrivate: boolean
  /** The friend list is private. Default false. */
  friendsPrivate: boolean
  /** The profile is private: presence and details are not shown, nor is the friend list. Default false. */
  profilePrivate: boolean
  /** 'Keep total playtime private': every playtime is shown as 0. Default false. */
  playtimePrivate: boolean
  realName?: string
  /** Location in the profile: country code, state code, and Steam's number of the city. */
  location?: { country: string; state?: string; city?: number }
  /** In the order of Steam's response. Default none. */
  games: OwnedGame[]
  /** Default none. */
  friends: Friend[]
  /** Default none. */
  wishlist?: Wish[]
}

export type OwnedGame = {
  appid: number
  /** Total playtime in whole minutes. Default 0. */
  minutes: number
  /** Minutes played offline that are not in the total yet. Default none. */
  offlineMinutes?: number
  /** Minutes in the last two weeks. Default 0. */
  recentMinutes: number
  /** Seconds since 1970; 0 for never. Default 0. */
  lastPlayed: number
}

export type Friend = {
  steamid: string
  /** Seconds since 1970; 0 when unknown. Default 0. */
  since: number
}

/** A game on a wishlist: from its time on, and until the player owns it. */
export type Wish = {
  appid: number
  /** Seconds since 1970. Default 0. */
  added: number
}

export type App = {
  appid: number
  name: string
  /** `img_icon_url`; '' for an app without an icon. Default ''. */
  iconHash: string
  /** The store's type: 0 game, 1 demo, 4 DLC, 6 software, 11 music. Default 0. */
  kind: number
  /** The store's player categories, such as 1 Multi-player and 2 Single-player. Default none. */
  categories: number[]
  /** Free to play: listed only with `include_played_free_games`. */
  free?: boolean
  /** Profile features are limited: listed only with `skip_unvetted_apps=0`. */
  unvetted?: boolean
  /** The only countries, such as 'DE', in which the store shows it. Default: all. */
  onlyIn?: string[]
  /** In US cents; other countries have their own currencies. Default: not sold. */
  price?: number
  /** Percent off, until a time in seconds since 1970; 'in_turn': in some weeks. Default: none. */
  sale?: { percent: number; until?: number } | 'in_turn'
  /** Content descriptors of mature games. */
  descriptors?: number[]
}

/** An invalid world file, player or fault rule; the message is one sentence that names the field. */
export class WorldError extends Error {
  constructor(field: string, accepted: string, given: unknown) {
    super(`${field} must be ${accepted}, not ${shown(given)}.`)
    this.name = 'WorldError'
  }
}

const UINT32_MAX = 0xffff_ffff
const HIGHEST_PERSONASTATE = 6

/**
 * Validates a parsed world file and fills in the defaults.
 * @throws WorldError at the first wrong field
 */
export function readWorld(json: unknown): World {
  const world = objectAt('The world', json, ['players', 'apps'])
  const apps = listAt('apps', world.apps ?? [], readApp)
  const players = listAt('players', world.players, readPlayer)
  refuseDuplicates('apps', 'appid', apps)
  refuseDuplicates('players', 'steamid', players)
  return { players, apps }
}

/**
 * Validates a player and fills in the defaults; `field` is the player's name in errors.
 * @throws WorldError
 */
export function readPlayer(field: string, json: unknown): Player {
  const player = objectAt(field, json, [
    ...['steamid', 'personaname', 'avatar', 'personastate', 'playing', 'gamesPrivate', 'friendsPrivate'],
    ...['profilePrivate', 'playtimePrivate', 'realName', 'location', 'games', 'friends', 'wishlist'],
  ])
  const at = (name: string) => `${field}.${name}`
  const games = listAt(at('games'), player.games ?? [], readGame)
  const friends = listAt(at('friends'), player.friends ?? [], readFriend)
  refuseDuplicates(at('games'), 'appid', games)
  refuseDuplicates(at('friends'), 'steamid', friends)
  const wishlist = listAt(at('wishlist'), player.wishlist ?? [], readWish)
  refuseDuplicates(at('wishlist'), 'appid', wishlist)
  return {
    steamid: steamIdAt(at('steamid'), player.steamid),
    personaname: textAt(at('personaname'), player.personaname),
    ...(player.avatar !== undefined && { avatar: avatarAt(at('avatar'), player.avatar) }),
    personastate: wholeAt(at('personastate'), player.personastate ?? 0, HIGHEST_PERSONASTATE),
    ...(player.playing !== undefined && { playing: wholeAt(at('playing'), player.playing, UINT32_MAX, 1) }),
    gamesPrivate: flagAt(at('gamesPrivate'), player.gamesPrivate ?? false),
    friendsPrivate: flagAt(at('friendsPrivate'), player.friendsPrivate ?? false),
    profilePrivate: flagAt(at('profilePrivate'), player.profilePrivate ?? false),
    playtimePrivate: flagAt(at('playtimePrivate'), player.playtimePrivate ?? false),
    ...(player.realName !== undefined && { realName: textAt(at('realName'), player.realName) }),
    ...(player.location !== undefined && { location: readLocation(at('location'), player.location) }),
    games,
    friends,
    wishlist,
  }
}

function readLocation(field: string, json: unknown): NonNullable<Player['location']> {
  const location = objectAt(field, json, ['country', 'state', 'city'])
  return {
    country: textAt(`${field}.country`, location.country),
    ...(location.state !== undefined && { state: textAt(`${field}.state`, location.state) }),
    ...(location.city !== undefined && { city: wholeAt(`${field}.city`, location.city) }),
  }
}

function readGame(field: string, json: unknown): OwnedGame {
  const game = objectAt(field, json, ['appid', 'minutes', 'offlineMinutes', 'recentMinutes', 'lastPlayed'])
  return {
    appid: wholeAt(`${field}.appid`, game.appid, UINT32_MAX, 1),
    minutes: wholeAt(`${field}.minutes`, game.minutes ?? 0),
    ...(game.offlineMinutes !== undefined && {
      offlineMinutes: wholeAt(`${field}.offlineMinutes`, game.offlineMinutes),
    }),
    recentMinutes: wholeAt(`${field}.recentMinutes`, game.recentMinutes ?? 0),
    lastPlayed: wholeAt(`${field}.lastPlayed`, game.lastPlayed ?? 0),
  }
}

function readFriend(field: string, json: unknown): Friend {
  const friend = objectAt(field, json, ['steamid', 'since'])
  return {
    steamid: steamIdAt(`${field}.steamid`, friend.steamid),
    since: wholeAt(`${field}.since`, friend.since ?? 0),
  }
}

function readWish(field: string, json: unknown): Wish {
  const wish = objectAt(field, json, ['appid', 'added'])
  return {
    appid: wholeAt(`${field}.appid`, wish.appid, UINT32_MAX, 1),
    added: wholeAt(`${field}.added`, wish.added ?? 0),
  }
}

function readApp(field: string, json: unknown): App {
  const app = objectAt(field, json, [
    ...['appid', 'name', 'iconHash', 'kind', 'categories', 'free', 'unvetted', 'onlyIn', 'descriptors'],
    ...['price', 'sale'],
  ])
  const numbers = (name: string, list: unknown) => listAt(`${field}.${name}`, list, wholeAt)
  return {
    appid: wholeAt(`${field}.appid`, app.appid, UINT32_MAX, 1),
    name: textAt(`${field}.name`, app.name),
    iconHash: textAt(`${field}.iconHash`, app.iconHash ?? ''),
    kind: wholeAt(`${field}.kind`, app.kind ?? 0),
    categories: numbers('categories', app.categories ?? []),
    ...(app.free !== undefined && { free: flagAt(`${field}.free`, app.free) }),
    ...(app.unvetted !== undefined && { unvetted: flagAt(`${field}.unvetted`, app.unvetted) }),
    ...(app.onlyIn !== undefined && { onlyIn: listAt(`${field}.onlyIn`, app.onlyIn, textAt) }),
    ...(app.price !== undefined && { price: wholeAt(`${field}.price`, app.price) }),
    ...(app.sale !== undefined && { sale: readSale(`${field}.sale`, app.sale) }),
    ...(app.descriptors !== undefined && { descriptors: numbers('descriptors', app.descriptors) }),
  }
}

function readSale(field: string, json: unknown): App['sale'] {
  if (json === 'in_turn') return json
  const sale = objectAt(field, json, ['percent', 'until'])
  return {
    percent: wholeAt(`${field}.percent`, sale.percent, 100, 1),
    ...(sale.until !== undefined && { until: wholeAt(`${field}.until`, sale.until) }),
  }
}

/**
 * Validates a JSON object. If `known` is given, other fields are rejected, so that a misspelt one is not ignored.
 * @throws WorldError
 */
export function objectAt(
  field: string,
  json: unknown,
  known: readonly string[] | undefined,
): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new WorldError(field, 'an object', json)
  for (const name of Object.keys(json))
    if (known && !known.includes(name))
      throw new WorldError(`Each field of ${field}`, `one of ${known.join(', ')}`, name)
  return json as Record<string, unknown>
}

/**
 * A whole number from `min` to `max`.
 * @throws WorldError
 */
export function wholeAt(field: string, value: unknown, max = UINT32_MAX, min = 0): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw new WorldError(field, `a whole number from ${min} to ${max}`, value)
  return value
}

/** @throws WorldError */
export function textAt(field: string, value: unknown): string {
  if (typeof value !== 'string') throw new WorldError(field, 'text', value)
  return value
}

function listAt<T>(field: string, value: unknown, read: (field: string, entry: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new WorldError(field, 'a list', value)
  return value.map((entry: unknown, index) => read(`${field}[${index}]`, entry))
}

function flagAt(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new WorldError(field, 'true or false', value)
  return value
}

function steamIdAt(field: string, value: unknown): string {
  if (typeof value !== 'string' || !/^\d{17}$/.test(value))
    throw new WorldError(field, 'a steam id: text of 17 digits', value)
  return value
}

function avatarAt(field: string, value: unknown): string {
  if (typeof value !== 'string' || !/^(?:[0-9a-f]{40})?$/.test(value))
    throw new WorldError(field, 'text of 40 hex digits, or empty', value)
  return value
}

function refuseDuplicates<K extends string, T extends Record<K, unknown>>(
  field: string,
  key: K,
  entries: readonly T[],
): void {
  const seen = new Set<unknown>()
  for (const entry of entries) {
    if (seen.has(entry[key])) throw new WorldError(`Each ${key} of ${field}`, 'unique', entry[key])
    seen.add(entry[key])
  }
}

function shown(given: unknown): string {
  if (given === undefined) return 'left out'
  const text = JSON.stringify(given)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
