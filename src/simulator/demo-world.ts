/**
 * The invented world of demo mode: about 300 players in circles of friends, with realistic libraries: sizes, unplayed
 * games and playtimes follow published statistics. The same seed and day give the same world.
 */
import { knownGames } from './demo-games.ts'
import { inventedGames, INVENTED_FROM } from './invented-games.ts'
import { demoNames } from './demo-names.ts'
import type { App, OwnedGame, Player, Wish, World } from './world.ts'

export type DemoWorldOptions = {
  seed?: number
  /** Current time in seconds since 1970, for recent playtime; default: the start of today (UTC). */
  now?: number
}

/** Steam ids from here on are far above those that Steam has assigned. */
const FIRST_STEAM_ID = 76561197960265728n + 4_200_000_000n
const PLAYERS = 300
/** Number of players that come first, belong to the largest circles and have public libraries. */
const WELL_CONNECTED = 12
const CIRCLES = 13
const FRIENDS_MAX = 60
const FRIENDS_MIN = 3

/** Players with a role, by their index. */
const HUB = 4
const COLLECTOR = 7
const LONER = 40
const ONLY_PRIVATE_FRIENDS = 41
const COLLECTORS_GAMES = 3000
const HUB_FRIENDS = 165
/** Whom the sign-in page offers first, by index, and what one sees as them (DEMO-2). */
const OFFERED: readonly (readonly [nth: number, en: string, de: string])[] = [
  [
    0,
    'Leads the Friday crew: the next night has its first votes, two are behind them.',
    'Leitet die Freitagsrunde: Beim nächsten Abend gibt es erste Stimmen, zwei sind schon gespielt.',
  ],
  [
    HUB,
    'Has 165 friends and three groups, and is asked to play tomorrow.',
    'Hat 165 Freunde und drei Gruppen und ist für morgen eingeladen.',
  ],
  [5, 'Plays with a friend whose games are private.', 'Spielt mit einem Freund, dessen Spiele privat sind.'],
  [2, 'Starts from nothing: your own first visit.', 'Fängt bei null an: dein eigener erster Besuch.'],
]
/** Probability that two average members of a circle are friends. */
const CLOSENESS = 0.75

const DAY = 86_400
const WEEKS_2 = 14 * DAY
const MINUTES_OF_WEEKS_2 = 20_160

/** Quantiles of library sizes, without empty libraries. */
const LIBRARY_SIZES: readonly (readonly [share: number, games: number])[] = [
  ...([
    [0, 1],
    [0.1, 4],
    [0.25, 14],
    [0.5, 40],
    [0.75, 88],
    [0.9, 162],
    [0.95, 234],
    [0.99, 481],
    [1, 700],
  ] as const),
]
const EMPTY_LIBRARIES = 0.06
/** Most well-known games in a library; the rest is invented. */
const KNOWN_GAMES_MAX = 190

/** By popularity: share of owners who never played, and median minutes of those who did. */
const PLAY: readonly { upToRank: number; neverPlayed: number; medianMinutes: number }[] = [
  { upToRank: 10, neverPlayed: 0.24, medianMinutes: 1869 },
  { upToRank: 100, neverPlayed: 0.22, medianMinutes: 408 },
  { upToRank: 1000, neverPlayed: 0.33, medianMinutes: 191 },
  { upToRank: Infinity, neverPlayed: 0.44, medianMinutes: 113 },
]
const MINUTES_SPREAD = 1.9
const MINUTES_MAX = 400_000

/** Number of players per personastate, out of 100. */
const PRESENCE: readonly (readonly [state: number, players: number])[] = [
  [0, 55],
  [1, 26],
  [2, 3],
  [3, 10],
  [4, 3],
  [5, 1],
  [6, 2],
]

type Random = () => number

/** Creates the world; takes less than 300 ms. */
export function demoWorld({ seed = 20, now = today() }: DemoWorldOptions = {}): World {
  const random = pseudoRandom(seed)
  const known = knownGames()
  const invented = inventedGames(COLLECTORS_GAMES - known.length)
  const circleOf = Array.from({ length: PLAYERS }, (_, nth) =>
    // The first players are spread over the first three circles; later circles are smaller.
    nth < WELL_CONNECTED ? nth % 3 : Math.floor(random() ** 1.4 * CIRCLES),
  )
  const tastes = Array.from({ length: CIRCLES }, () => tasteOf(known, random))
  const players = demoNames(PLAYERS, random).map((personaname, nth) =>
    makePlayer(
      nth,
      personaname,
      libraryOf(nth, tastes[circleOf[nth]!]!, { known, invented, now, random }),
      random,
    ),
  )
  befriendPlayers(players, circleOf, now, random)
  for (const [nth, player] of players.entries()) player.wishlist = wishlistOf(nth, player, known, now)
  const offered = OFFERED.map(([nth, en, de]) => ({ steamid: players[nth]!.steamid, line: { en, de } }))
  return { players, apps: [...known, ...invented].map(withPrice), offered }
}

/** US cents of games that are not free; they are on sale in turn. */
const PRICES = [499, 999, 1499, 1999, 2499, 2999, 3999, 5999]

function withPrice(app: App): App {
  if (app.free) return app
  return { ...app, price: PRICES[Math.floor(app.appid / 10) % PRICES.length]!, sale: 'in_turn' }
}

function today(): number {
  return Math.floor(Date.now() / 1000 / DAY) * DAY
}

function makePlayer(nth: number, personaname: string, games: OwnedGame[], random: Random): Player {
  const steamid = String(FIRST_STEAM_ID + BigInt(nth * 137 + Math.floor(random() * 137)))
  const open = nth < WELL_CONNECTED || nth === LONER || nth === ONLY_PRIVATE_FRIENDS
  const profilePrivate = !open && random() < 0.02
  const personastate = open && nth < 3 ? 1 : presence(random)
  const plays = personastate > 0 && random() < 0.4 ? currentGame(games) : undefined
  return {
    steamid,
    personaname,
    ...(nth >= WELL_CONNECTED && random() < 0.08 && { avatar: '' }),
    personastate,
    ...(plays !== undefined && { playing: plays }),
    gamesPrivate: profilePrivate || (!open && random() < 0.065),
    friendsPrivate: profilePrivate || (!open && random() < 0.06),
    profilePrivate,
    playtimePrivate: !open && random() < 0.04,
    games,
    friends: [],
  }
}

function presence(random: Random): number {
  let left = random() * 100
  for (const [state, players] of PRESENCE) {
    left -= players
    if (left < 0) return state
  }
  return 0
}

/** The game with the most minutes in the last two weeks. */
function currentGame(games: readonly OwnedGame[]): number | undefined {
  const recent = games.filter((game) => game.recentMinutes > 0)
  if (recent.length === 0) return undefined
  return recent.reduce((most, game) => (game.recentMinutes > most.recentMinutes ? game : most)).appid
}

/** Weights of the well-known games in a circle: by rank, with about a dozen favourites much higher. */
function tasteOf(known: readonly App[], random: Random): number[] {
  const weights = known.map((_, rank) => (rank + 1) ** -0.8)
  for (let favourite = 0; favourite < 14; favourite++)
    weights[Math.floor(random() ** 1.5 * known.length)]! *= 9
  return weights
}

const WISHES = 10
const WISHED_EVERY = 4 * DAY

/** Games for sale that the player lacks; half of the wishes come later, one every few days. */
function wishlistOf(nth: number, { games }: Player, known: readonly App[], now: number): Wish[] {
  return known
    .filter(({ appid, free }) => !free && !games.some((game) => game.appid === appid))
    .filter((_, rank) => (rank + nth) % 3 === 0)
    .slice(0, WISHES)
    .map(({ appid }, wish) => ({ appid, added: now + (wish - WISHES / 2) * WISHED_EVERY }))
}

type LibraryOptions = { known: readonly App[]; invented: readonly App[]; now: number; random: Random }

function libraryOf(
  nth: number,
  taste: readonly number[],
  { known, invented, now, random }: LibraryOptions,
): OwnedGame[] {
  const size = librarySize(nth, random)
  const fromKnown = nth === COLLECTOR ? known.length : Math.min(size, KNOWN_GAMES_MAX)
  const ranks = pickWeighted(taste, fromKnown, random)
  const first = Math.floor(random() * (invented.length - (size - fromKnown)))
  const rows = [
    ...ranks.map((rank) => ({ appid: known[rank]!.appid, rank: rank + 1 })),
    ...invented.slice(first, first + size - fromKnown).map(({ appid }) => ({ appid, rank: INVENTED_FROM })),
  ]
  const activity = Math.exp(normal(random) * 0.5)
  const games = rows.map(({ appid, rank }) => played(appid, rank, activity, now, random))
  if (random() < 0.75 || nth < WELL_CONNECTED) playRecently(games, now, random)
  return games
}

function librarySize(nth: number, random: Random): number {
  if (nth === COLLECTOR) return COLLECTORS_GAMES
  if (nth < WELL_CONNECTED) return 80 + Math.floor(random() * 90)
  if (random() < EMPTY_LIBRARIES) return 0
  const share = random()
  const above = LIBRARY_SIZES.findIndex(([upTo]) => share <= upTo)
  const [low, few] = LIBRARY_SIZES[Math.max(above - 1, 0)]!
  const [high, many] = LIBRARY_SIZES[above]!
  return Math.round(few * (many / few) ** ((share - low) / (high - low || 1)))
}

/** Weighted random sample of `count` indices without replacement (Efraimidis and Spirakis). */
function pickWeighted(weights: readonly number[], count: number, random: Random): number[] {
  return weights
    .map((weight, index) => ({ index, key: Math.log(random()) / weight }))
    .sort((one, other) => other.key - one.key)
    .slice(0, count)
    .map(({ index }) => index)
}

function played(appid: number, rank: number, keenness: number, now: number, random: Random): OwnedGame {
  const { neverPlayed, medianMinutes } = PLAY.find(({ upToRank }) => rank <= upToRank)!
  if (random() < neverPlayed) return { appid, minutes: 0, recentMinutes: 0, lastPlayed: 0 }
  const minutes = Math.exp(Math.log(medianMinutes * keenness) + normal(random) * MINUTES_SPREAD)
  return {
    appid,
    minutes: Math.round(Math.min(Math.max(minutes, 1), MINUTES_MAX)),
    recentMinutes: 0,
    lastPlayed: Math.round(now - WEEKS_2 - random() ** 2 * 6 * 365 * DAY),
  }
}

/** Gives a few games minutes in the last two weeks, more likely those with much playtime. */
function playRecently(games: readonly OwnedGame[], now: number, random: Random): void {
  const candidates = games.filter((game) => game.minutes > 0)
  const weights = candidates.map((game) => Math.sqrt(game.minutes))
  const count = Math.max(1, Math.round(Math.exp(Math.log(4) + normal(random) * 0.7)))
  let left = MINUTES_OF_WEEKS_2
  for (const index of pickWeighted(weights, Math.min(count, 12), random)) {
    const game = candidates[index]!
    const minutes = Math.round(Math.exp(Math.log(104) + normal(random) * 1.7))
    game.recentMinutes = Math.max(1, Math.min(minutes, game.minutes, left))
    game.lastPlayed = Math.round(now - random() ** 2 * WEEKS_2)
    left = Math.max(1, left - game.recentMinutes)
  }
}

/** Adds friendships within circles, a few between circles, and the friendships of the roles. */
function befriendPlayers(
  players: readonly Player[],
  circleOf: readonly number[],
  now: number,
  random: Random,
): void {
  const friends = players.map(() => new Set<number>())
  const addFriendship = (one: number, other: number, max = FRIENDS_MAX) => {
    const apart = [one, other].some((nth) => nth === LONER || nth === ONLY_PRIVATE_FRIENDS)
    if (one === other || apart || friends[one]!.size >= max || friends[other]!.size >= FRIENDS_MAX) return
    friends[one]!.add(other)
    friends[other]!.add(one)
  }
  const randomPlayer = () => Math.floor(random() * players.length)

  const circles = Map.groupBy(players.keys(), (nth) => circleOf[nth]!)
  /** From 0.3 to 2, few above 1. */
  const sociable = players.map((_, nth) => (nth < WELL_CONNECTED ? 1.4 : 0.3 + 1.7 * random() ** 2))
  for (const members of circles.values())
    for (const [index, one] of members.entries())
      for (const other of members.slice(0, index))
        if (random() < CLOSENESS * sociable[one]! * sociable[other]!) addFriendship(one, other)
  for (const [nth, many] of sociable.entries())
    for (let far = many * 6; far > 3; far--) addFriendship(nth, randomPlayer())
  while (friends[HUB]!.size < HUB_FRIENDS) addFriendship(HUB, randomPlayer(), Infinity)
  for (const nth of players.keys())
    while (friends[nth]!.size < FRIENDS_MIN && nth !== LONER && nth !== ONLY_PRIVATE_FRIENDS)
      addFriendship(nth, randomPlayer())

  const privatePlayers = [...players.keys()].filter((nth) => players[nth]!.gamesPrivate).slice(0, 7)
  for (const nth of privatePlayers) {
    friends[ONLY_PRIVATE_FRIENDS]!.add(nth)
    friends[nth]!.add(ONLY_PRIVATE_FRIENDS)
  }
  addFriendLists(players, friends, now, random)
}

/** Writes the friend lists; both sides of a friendship have the same date. */
function addFriendLists(
  players: readonly Player[],
  friends: readonly ReadonlySet<number>[],
  now: number,
  random: Random,
): void {
  for (const [one, others] of friends.entries())
    for (const other of others) {
      if (other < one) continue
      const since = Math.round(now - random() * 9 * 365 * DAY)
      players[one]!.friends.push({ steamid: players[other]!.steamid, since })
      players[other]!.friends.push({ steamid: players[one]!.steamid, since })
    }
}

/** Mulberry32 generator: small and fast, not for cryptography. */
function pseudoRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Random number from the standard normal distribution (Box-Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
