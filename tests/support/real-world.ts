/**
 * The real libraries of ../shared/data as a world for the simulator: 989 people with 88,139 games.
 *
 * - libraries: `playtime/au_*`, in the order Steam gave them. The data has no times, so each game played gets
 *   one that is the same in every run.
 * - apps: apps of the catalogue that someone owns, or all of them. Category names of every year become the store's
 *   numbers.
 * - friends: the structure of `friends/edges…`: its node n is player n + 1, edges to nodes beyond 988 are left out.
 *   So each player has at least one friend, the median has 13 and the most connected 347.
 * - names: the odd ones of `fixtures/made_up_persona_names.json` first, then 'Player 65' and so on.
 *
 * `npm run world -- OUT.json` writes it as a world file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { App, Friend, OwnedGame, Player, World } from '../../src/simulator/world.ts'

/** The folder of the test data, beside the project. */
export const SHARED_DATA = join(import.meta.dirname, '../../../shared/data')

/** When the libraries were collected: September 2016. */
const CRAWLED_AT = Date.UTC(2016, 8, 15) / 1000
const DAY = 86_400

/** The store's type numbers; unknown types count as games. */
const KINDS: Record<string, number> = { game: 0, dlc: 4, software: 6, video: 7, hardware: 10 }
/** The store's player categories (PLAT-32); other categories are left out. */
const PLAYER_CATEGORIES = [1, 2, 9, 20, 24, 27, 36, 37, 38, 39, 44, 47, 48, 49]
/** Former names of three of them, until about 2020. */
const FORMER_NAMES: Record<string, number> = {
  'Online Multi-Player': 36,
  'Local Multi-Player': 37,
  'Local Co-op': 39,
}

/** Reads the world; undefined when the data is missing. `wholeCatalogue` includes apps that nobody owns. */
export function readRealWorld({ wholeCatalogue = false } = {}): World | undefined {
  if (!existsSync(SHARED_DATA)) return undefined
  const games = librariesByUser()
  const owned = new Set([...games.values()].flat().map((game) => game.appid))
  const apps = readTable('catalog/apps.csv.gz').flatMap((row) =>
    wholeCatalogue || owned.has(Number(row.appid)) ? appOf(row) : [],
  )
  const users = readTable('playtime/au_users.csv.gz')
  const steamIds = users.map((user) => user.steam_id!)
  const friends = friendsByPlace(steamIds)
  const names = JSON.parse(readFile('fixtures/made_up_persona_names.json')) as string[]
  const players = users.map((user, place): Player => ({
    steamid: user.steam_id!,
    personaname: names[place] ?? `Player ${place + 1}`,
    personastate: place % 4 === 0 ? 1 : 0,
    gamesPrivate: false,
    friendsPrivate: false,
    profilePrivate: false,
    playtimePrivate: false,
    games: games.get(user.user_no!) ?? [],
    friends: friends[place]!,
  }))
  return { players, apps }
}

function librariesByUser(): Map<string, OwnedGame[]> {
  const libraries = new Map<string, OwnedGame[]>()
  for (const row of readTable('playtime/au_libraries.csv.gz')) {
    const library = libraries.get(row.user_no!) ?? []
    if (library.length === 0) libraries.set(row.user_no!, library)
    const appid = Number(row.appid)
    const minutes = Number(row.playtime_forever_min)
    const recentMinutes = Number(row.playtime_2weeks_min)
    library.push({ appid, minutes, recentMinutes, lastPlayed: lastPlayed(appid, minutes, recentMinutes) })
  }
  return libraries
}

/** A time within two weeks before the collection for games played then, up to three years before for others. */
function lastPlayed(appid: number, minutes: number, recentMinutes: number): number {
  if (minutes === 0 && recentMinutes === 0) return 0
  const daysBefore = recentMinutes > 0 ? (appid + minutes) % 14 : 14 + ((appid * 7 + minutes) % 1000)
  return CRAWLED_AT - daysBefore * DAY
}

function friendsByPlace(steamIds: readonly string[]): Friend[][] {
  const friends: Friend[][] = steamIds.map(() => [])
  for (const row of readTable('friends/edges_structure_only.csv.gz')) {
    const [one, other] = [Number(row.node_a), Number(row.node_b)]
    if (one >= steamIds.length || other >= steamIds.length) continue
    const since = CRAWLED_AT - ((one * 31 + other * 17) % 2000) * DAY
    friends[one]!.push({ steamid: steamIds[other]!, since })
    friends[other]!.push({ steamid: steamIds[one]!, since })
  }
  return friends
}

let numbersByName: Map<string, number> | undefined
function categoryNumbers(): Map<string, number> {
  return (numbersByName ??= new Map([
    ...readTable('catalog/category_ids.csv').map(
      (row) => [row.description!, Number(row.category_id)] as const,
    ),
    ...Object.entries(FORMER_NAMES),
  ]))
}

function appOf(row: Record<string, string>): App {
  const numbers = row.categories!.split(';').flatMap((name) => categoryNumbers().get(name) ?? [])
  return {
    appid: Number(row.appid),
    name: row.name!,
    iconHash: row.icon_hash!,
    kind: KINDS[row.type!] ?? 0,
    categories: [...new Set(numbers)].filter((number) => PLAYER_CATEGORIES.includes(number)),
    ...(row.is_free === '1' && { free: true }),
  }
}

function readFile(path: string): string {
  const bytes = readFileSync(join(SHARED_DATA, path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

/** Rows by column name. */
export function readTable(path: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(readFile(path))
  return rows.map((row) => {
    if (row.length !== header.length) throw new Error(`${path}: a row has ${row.length} fields`)
    return Object.fromEntries(row.map((value, column) => [header[column]!, value]))
  })
}

/**
 * CSV as of RFC 4180: quoted fields may hold commas, line breaks and doubled quotes; the last line break is optional.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote === -1) throw new Error('a quoted field is not closed')
        field += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        field += '"'
        at += 1
      }
    } else {
      const start = at
      while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at += 1
      field = text.slice(start, at)
    }
    row.push(field)
    if (text[at] === ',') {
      at += 1
      // A comma at the very end is followed by one more, empty field.
      if (at === text.length) row.push('')
      else if (text[at] !== '\n' && text[at] !== '\r') continue
      else row.push('')
    }
    if (text.startsWith('\r\n', at)) at += 2
    else if (text[at] === '\n') at += 1
    else if (at < text.length) throw new Error('something follows a quoted field')
    rows.push(row)
    row = []
  }
  return rows
}

if (import.meta.main) {
  const [out] = process.argv.slice(2)
  const world = readRealWorld({ wholeCatalogue: true })
  if (out === undefined || !world) {
    process.stderr.write(world ? 'npm run world -- OUT.json\n' : `There is no data in ${SHARED_DATA}.\n`)
    process.exitCode = 1
  } else {
    writeFileSync(out, JSON.stringify(world))
    process.stdout.write(`${out}: ${world.players.length} players, ${world.apps.length} apps\n`)
  }
}
