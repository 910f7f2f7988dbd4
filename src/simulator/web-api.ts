/**
 * The five calls of Steam's Web API that are simulated, in the shapes of PLAT-12 to PLAT-32 and of
 * the recorded answers, odd ones included.
 */
import { avatarHashOf, headerFileName } from './pictures.ts'
import type { Population } from './population.ts'
import { errorPage, json, type Reply } from './reply.ts'
import type { App, OwnedGame, Player } from './world.ts'

export type WebApiCall = {
  endpoint: 'GetOwnedGames' | 'GetFriendList' | 'GetPlayerSummaries' | 'GetWishlist' | 'GetItems'
  /** Whom it asks about; empty for GetItems. */
  steamIds: string[]
}
type Asked = {
  query: URLSearchParams
  population: Population
  /** URL of the simulator's pages, for addresses of pictures. */
  pagesUrl: string
  /** Milliseconds since 1970. */
  now: number
}

const SUMMARIES_PER_CALL = 100
const STORE_ITEMS_PER_CALL = 200
const FRIENDS_MAX = 2000
const ROUTES: Record<string, WebApiCall['endpoint']> = {
  'iplayerservice/getownedgames': 'GetOwnedGames',
  'isteamuser/getfriendlist': 'GetFriendList',
  'isteamuser/getplayersummaries': 'GetPlayerSummaries',
  'iwishlistservice/getwishlist': 'GetWishlist',
  'istorebrowseservice/getitems': 'GetItems',
}
const VERSIONS: Record<WebApiCall['endpoint'], number> = {
  GetOwnedGames: 1,
  GetFriendList: 1,
  GetPlayerSummaries: 2,
  GetWishlist: 1,
  GetItems: 1,
}
const REFUSED = 'Access is denied. Retrying will not help. Please verify your <pre>key=</pre> parameter.'

/** Which call a path is, as `/Interface/Method/v1` or `v0001`, with or without a slash at its end. */
export function webApiCall(path: string, query: URLSearchParams): WebApiCall | undefined {
  const [, route = '', version = ''] = /^\/(\w+\/\w+)\/v0*(\d{1,4})\/?$/i.exec(path) ?? []
  const endpoint = ROUTES[route.toLowerCase()]
  if (!endpoint || VERSIONS[endpoint] !== Number(version)) return undefined
  if (endpoint === 'GetItems') return { endpoint, steamIds: [] }
  const ids = query.get(endpoint === 'GetPlayerSummaries' ? 'steamids' : 'steamid') ?? ''
  return { endpoint, steamIds: ids.split(',').filter(Boolean) }
}

/**
 * Answers a call. `apiKey` undefined: any key will do; GetItems needs none. A missing key is answered as the
 * recorded 403, a wrong one as the recorded 401.
 */
export function answerWebApi(call: WebApiCall, asked: Asked, apiKey: string | undefined): Reply {
  if (call.endpoint === 'GetItems') return storeItems(asked)
  const key = asked.query.get('key')
  if (!key) return errorPage(403, REFUSED)
  if (apiKey !== undefined && key !== apiKey) return errorPage(401, REFUSED)
  switch (call.endpoint) {
    case 'GetPlayerSummaries':
      return playerSummaries(call.steamIds, asked)
    case 'GetOwnedGames':
      return ofOnePlayer(call, asked, (player) => ownedGames(player, asked))
    case 'GetFriendList':
      return ofOnePlayer(call, asked, friendList)
    case 'GetWishlist':
      return ofOnePlayer(call, asked, (player) => wishlist(player, asked.now))
  }
}

/** Steam fails for an unknown id (PLAT-12). */
function ofOnePlayer(call: WebApiCall, asked: Asked, answer: (player: Player) => Reply): Reply {
  const [steamId = ''] = call.steamIds
  if (call.steamIds.length !== 1 || !/^\d{17}$/.test(steamId))
    return errorPage(400, "Please verify that all required parameters are being sent: 'steamid'")
  const player = asked.population.player(steamId)
  return player ? answer(player) : errorPage(500, 'Unknown problem determining WebApi request destination.')
}

/** PLAT-12: private is an empty `response`; the profile's own visibility has no say in it. */
function ownedGames(player: Player, { query, population }: Asked): Reply {
  if (player.gamesPrivate) return json({ response: {} })
  const wants = (parameter: string) => /^(?:1|true)$/.test(query.get(parameter) ?? '')
  const withInfo = wants('include_appinfo')
  const withFree = wants('include_played_free_games')
  const withUnvetted = /^(?:0|false)$/.test(query.get('skip_unvetted_apps') ?? '')
  const games = player.games.flatMap((game) => {
    const app = population.app(game.appid)
    if ((app?.free && !withFree) || (app?.unvetted && !withUnvetted)) return []
    return ownedGame(game, app, { withInfo, playtimePrivate: player.playtimePrivate })
  })
  if (games.length === 0) return json({ response: { game_count: 0 } })
  return json({ response: { game_count: games.length, games } })
}

function ownedGame(
  game: OwnedGame,
  app: App | undefined,
  { withInfo, playtimePrivate }: { withInfo: boolean; playtimePrivate: boolean },
) {
  const { minutes, offlineMinutes, recentMinutes, lastPlayed } = playtimePrivate
    ? { minutes: 0, offlineMinutes: undefined, recentMinutes: 0, lastPlayed: 0 }
    : game
  return {
    appid: game.appid,
    ...(withInfo && app && { name: app.name }),
    // Absent when there is none.
    ...(recentMinutes > 0 && { playtime_2weeks: recentMinutes }),
    playtime_forever: minutes,
    ...(offlineMinutes !== undefined && { playtime_disconnected: offlineMinutes }),
    ...(withInfo && app && { img_icon_url: app.iconHash }),
    ...(withInfo && app && app.categories.length > 0 && { has_community_visible_stats: true }),
    playtime_windows_forever: minutes,
    playtime_mac_forever: 0,
    playtime_linux_forever: 0,
    playtime_deck_forever: 0,
    rtime_last_played: lastPlayed,
    ...(withInfo && app?.descriptors && { content_descriptorids: app.descriptors }),
  }
}

/** PLAT-19: private is 401 with an empty JSON object; sorted by account number as recorded. */
function friendList(player: Player): Reply {
  if (player.friendsPrivate || player.profilePrivate) return json({}, 401)
  const friends = player.friends
    .toSorted((one, other) => (one.steamid < other.steamid ? -1 : 1))
    .slice(0, FRIENDS_MAX)
    .map((friend) => ({ steamid: friend.steamid, relationship: 'friend', friend_since: friend.since }))
  return json({ friendslist: { friends } })
}

/** PLAT-47: an empty `response` for an empty wishlist, and for one that is not shown. */
function wishlist({ gamesPrivate, games, wishlist: wishes = [] }: Player, now: number): Reply {
  const items = wishes
    .filter(({ appid, added }) => added * 1000 <= now && !games.some((game) => game.appid === appid))
    .map(({ appid, added }, nth) => ({ appid, priority: nth + 1, date_added: added }))
  return json({ response: gamesPrivate || items.length === 0 ? {} : { items } })
}

/** PLAT-24: not in the requested order, and without unknown ids. */
function playerSummaries(steamIds: readonly string[], { population, pagesUrl }: Asked): Reply {
  if (steamIds.length === 0 || steamIds.length > SUMMARIES_PER_CALL)
    return errorPage(400, "Please verify that all required parameters are being sent: 'steamids'")
  const players = [...new Set(steamIds)]
    .sort()
    .map((steamId) => population.player(steamId))
    .filter((player) => player !== undefined)
  return json({ response: { players: players.map((player) => summary(player, population, pagesUrl)) } })
}

function summary(player: Player, population: Population, pagesUrl: string) {
  const hash = avatarHashOf(player)
  const seen = {
    steamid: player.steamid,
    communityvisibilitystate: player.profilePrivate ? 1 : 3,
    profilestate: 1,
    personaname: player.personaname,
    profileurl: `${pagesUrl}/profiles/${player.steamid}/`,
    avatar: `${pagesUrl}/pictures/avatars/${hash}.svg`,
    avatarmedium: `${pagesUrl}/pictures/avatars/${hash}_medium.svg`,
    avatarfull: `${pagesUrl}/pictures/avatars/${hash}_full.svg`,
    avatarhash: hash,
  }
  if (player.profilePrivate) return { ...seen, personastate: 0 }
  const { country, state, city } = player.location ?? {}
  return {
    ...seen,
    lastlogoff: 1_700_000_000 + Number(player.steamid.slice(-6)),
    personastate: player.personastate,
    ...(player.realName !== undefined && { realname: player.realName }),
    primaryclanid: '103582791429521408',
    timecreated: 1_200_000_000 + Number(player.steamid.slice(-8)),
    personastateflags: 0,
    ...playing(player, population),
    ...(country !== undefined && { loccountrycode: country }),
    ...(state !== undefined && { locstatecode: state }),
    ...(city !== undefined && { loccityid: city }),
  }
}

/** Shown only of somebody who is there. */
function playing({ playing: appid, personastate }: Player, population: Population) {
  if (appid === undefined || personastate === 0) return {}
  const name = population.app(appid)?.name
  return { ...(name && { gameextrainfo: name }), gameid: String(appid) }
}

/** PLAT-29: `success` 15 and no payload for what the store does not know. */
function storeItems({ query, population, now }: Asked): Reply {
  const input = parsedInput(query.get('input_json'))
  if (!input || input.appids.length > STORE_ITEMS_PER_CALL) return errorPage(400, 'Please verify input_json.')
  const items = input.appids.map((appid) => {
    const app = population.app(appid)
    if (!app) return missingItem(appid)
    const isShown = app.onlyIn === undefined || app.onlyIn.includes(input.country)
    return isShown ? storeItem(app, input, now) : lockedItem(app)
  })
  return json({ response: { store_items: items } })
}

type StoreInput = { appids: number[]; country: string; withAssets: boolean; withPlatforms: boolean }

function parsedInput(text: string | null): StoreInput | undefined {
  try {
    const input = JSON.parse(text ?? '') as {
      ids: { appid: number }[]
      context?: { country_code?: string }
      data_request?: { include_assets?: boolean; include_platforms?: boolean }
    }
    return {
      appids: input.ids.map(({ appid }) => appid),
      country: input.context?.country_code ?? 'US',
      withAssets: input.data_request?.include_assets === true,
      withPlatforms: input.data_request?.include_platforms === true,
    }
  } catch {
    return undefined
  }
}

function missingItem(appid: number) {
  return { item_type: 0, id: appid, success: 15, visible: false, name: '', store_url_path: '', appid }
}

/** No payload, but the name. */
function lockedItem({ appid, name }: App) {
  return { ...missingItem(appid), name, unvailable_for_country_restriction: true }
}

function storeItem(app: App, { withAssets, withPlatforms, country }: StoreInput, now: number) {
  return {
    item_type: 0,
    id: app.appid,
    success: 1,
    visible: true,
    name: app.name,
    store_url_path: `app/${app.appid}/${app.name.replace(/\W+/g, '_')}`,
    appid: app.appid,
    type: app.kind,
    ...(app.free && { is_free: true }),
    ...(app.price !== undefined && { best_purchase_option: purchaseOption(app, app.price, country, now) }),
    categories: {
      supported_player_categoryids: app.categories,
      feature_categoryids: [22, 23],
      controller_categoryids: [],
    },
    ...(withPlatforms && { platforms: { windows: true, mac: false, steamos_linux: false } }),
    ...(withAssets && {
      assets: {
        asset_url_format: `steam/apps/${app.appid}/\${FILENAME}?t=${1_700_000_000 + (app.appid % 1_000_000)}`,
        main_capsule: 'capsule_616x353.jpg',
        small_capsule: 'capsule_231x87.jpg',
        header: headerFileName(app.appid),
        ...(app.iconHash !== '' && { community_icon: app.iconHash }),
      },
    }),
  }
}

/** Sales in turn: each week another quarter of the games, at one of these. */
const WEEK = 7 * 86_400
const PERCENTS = [75, 50, 33, 20]

/** The discount's fields are there only on sale. */
function purchaseOption({ appid, sale }: App, price: number, country: string, now: number) {
  const week = Math.floor(now / 1000 / WEEK)
  // Most appids are multiples of ten.
  const isTurn = (Math.floor(appid / 10) + week) % 4 === 0
  const inTurn = isTurn ? { percent: PERCENTS[(appid >> 2) % 4]!, until: (week + 1) * WEEK } : undefined
  const { percent, until } = (sale === 'in_turn' ? inTurn : sale) ?? { percent: 0 }
  const money = moneyOf(country)
  const original = money.cents(price)
  const final = Math.round((original * (100 - percent)) / 100)
  return {
    packageid: appid,
    purchase_option_name: 'Standard',
    final_price_in_cents: String(final),
    formatted_final_price: money.format(final),
    ...(percent > 0 && {
      original_price_in_cents: String(original),
      formatted_original_price: money.format(original),
      discount_pct: percent,
      active_discounts: [
        {
          discount_amount: String(original - final),
          discount_description: '#discount_desc_preset_special',
          ...(until !== undefined && { discount_end_date: until }),
        },
      ],
    }),
    user_can_purchase_as_gift: true,
  }
}

const EURO = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** What the store makes of a price in US cents. */
function moneyOf(country: string): { cents: (price: number) => number; format: (cents: number) => string } {
  const decimal = (cents: number) => (cents / 100).toFixed(2)
  if (EURO.includes(country))
    return { cents: (price) => price, format: (cents) => `${decimal(cents).replace('.', ',')}€` }
  if (country === 'GB')
    return { cents: (price) => Math.round(price * 0.85), format: (cents) => `£${decimal(cents)}` }
  if (country === 'JP')
    return {
      cents: (price) => price * 150,
      format: (cents) => `¥ ${Math.round(cents / 100).toLocaleString('en')}`,
    }
  return { cents: (price) => price, format: (cents) => `$${decimal(cents)}` }
}
