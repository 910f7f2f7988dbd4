/**
 * What has happened in a demo before its first visitor comes: groups with pictures, game nights that were played, one
 * on Friday with votes, and one that waits for answers (DEMO-16), and hours by month. Libraries and friend lists are read
 * again as after any first sign-in.
 */
import { renderAsync } from '@resvg/resvg-js'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { type Mark, tally } from '#shared/nights/votes.ts'
import { playersMaxOf } from './catalogue/catalogue.ts'
import { column } from './database/chunks.ts'
import type { Database } from './database/database.ts'
import type { Tx } from './database/schema.ts'
import { avatarHashOf } from '../simulator/pictures.ts'
import type { Player, World } from '../simulator/world.ts'
import { libraryFrom, totalMinutes } from './library/library.ts'
import { monthAfter, monthOf } from './library/months.ts'
import { packLibrary } from './library/packed.ts'
import { type CatalogueGame, rankShortlist } from './library/shortlist.ts'
import { encodePicture, PICTURE_TYPE } from './pictures/encode.ts'
import { newPictureKey, pictureImageUrl } from './pictures/pictures.ts'
import { openAccount } from './storage/accounts/accounts.ts'
import { addGame, letWishlistBeRead, saveWishlist, setWishes } from './storage/groups/games.ts'
import { changeGroup, createGroup } from './storage/groups/groups.ts'
import {
  addLibraryChanges,
  startTracking,
  writeLibrary,
  writePlaytimeMonth,
} from './storage/players/libraries.ts'
import { addMembers } from './storage/groups/memberships.ts'
import {
  addDraw,
  addPlayers,
  changeNightPlayer,
  createNight,
  type NightResult,
  packMarks,
} from './storage/nights/nights.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
/** Nights begin at this hour (UTC). */
const EVENING = 19
const FRIDAY = 5
const SUNDAY = 0
/** Games on the list of a night that is over. */
const LISTED = 6

/** Writes the history, with times before and after `now` (milliseconds since 1970), into a database without players. */
export type WriteHistory = (database: Database, tx: Tx, now: number) => Promise<void>

/** Prepares the history of a demo: the same players, groups and games each time it is written. */
export async function createDemoHistory(
  { players }: Pick<World, 'players'>,
  pagesUrl: string,
): Promise<WriteHistory> {
  const pictures = await Promise.all(EMBLEMS.map(drawEmblem))
  const named = (name: string) => players.find(({ personaname }) => personaname === name)!
  const [mira, fable, bento, ruben] = ['Mira', 'Fable', 'Bento', 'Ruben'].map(named) as Four
  const [jonas, quill, halfpast, okapi] = ['Jonas K.', 'Quill', 'halfpast9', 'Okapi'].map(named) as Four
  const [noor, saoirse, ivo] = ['Noor', 'Saoirse', 'Ivo the Brave'].map(named) as Four
  const secretive = players.find(
    ({ steamid, gamesPrivate }) => gamesPrivate && noor.friends.some((friend) => friend.steamid === steamid),
  )!

  return async (database, tx, now) => {
    const cast = [
      ...[mira, fable, bento, ruben, jonas, quill, halfpast, okapi],
      ...[noor, saoirse, ivo, secretive],
    ]
    for (const player of cast) {
      const profile = {
        steamId: player.steamid,
        displayName: player.personaname,
        avatarUrl: `${pagesUrl}/pictures/avatars/${avatarHashOf(player)}_full.svg`,
        personastate: player.personastate,
        playing: null,
        playingAppid: null,
      }
      await openAccount(database, tx, { steamId: player.steamid, profile, at: now - 310 * DAY })
      if (!player.gamesPrivate) await writeMonths(tx, player, now)
    }

    /** Creates a group of which everybody but `invited` has joined. */
    const group = async (nth: number, name: string, members: readonly Player[], invited?: Player) => {
      const [owner, ...others] = members as [Player, ...Player[]]
      const at = now - 300 * DAY
      const groupId = await createGroup(tx, { name, owner: owner.steamid, at })
      const [joined, added] = [others.map(({ steamid }) => steamid), invited ? [invited.steamid] : []]
      await addMembers(tx, groupId, [...joined, ...added], { by: owner.steamid, at })
      await addMembers(tx, groupId, joined, { by: null, at: at + HOUR })
      const key = newPictureKey()
      const fetched = { bytes: pictures[nth]!, content_type: PICTURE_TYPE, fetched_at: at, created_at: at }
      await tx
        .insertInto('pictures')
        .values({ picture_key: key, ...fetched })
        .execute()
      await changeGroup(tx, groupId, { picture_url: pictureImageUrl(key), picture_key: key })
      return groupId
    }

    type Plan = { startsAt: number; title: string | null; players: readonly Asked[] }
    /** Creates a night of a group; the first player is its host. */
    const night = async (groupId: number, { startsAt, title, players: asked }: Plan) => {
      const createdAt = Math.min(startsAt - 3 * DAY, now - 5 * HOUR)
      const nightId = await createNight(tx, {
        group_id: groupId,
        host_steam_id: asked[0]!.player.steamid,
        title,
        starts_at: startsAt,
        created_at: createdAt,
        planned: 1,
        forbids: 0,
      })
      const ids = asked.map(({ player }) => player.steamid)
      await addPlayers(tx, nightId, ids, { by: null, at: createdAt })
      for (const [nth, { player, answer, word = null, marks }] of asked.entries()) {
        const at = createdAt + (nth + 1) * HOUR
        if (answer) await changeNightPlayer(tx, nightId, player.steamid, { answer, word, answered_at: at })
        if (marks)
          await changeNightPlayer(tx, nightId, player.steamid, { marks: packMarks(marks), voted_at: at })
      }
      return nightId
    }

    /** A night of a group that picked a game. */
    const pastNight = async (groupId: number, startsAt: number, here: readonly Player[], pick: number) => {
      const games = await listOf(here, startsAt)
      const entries = games
        .sort((a, b) => Number(b.appid === pick) - Number(a.appid === pick))
        .slice(0, LISTED)
      const listed = column(entries, 'appid')
      const asked = here.map((player, voter) => ({
        player,
        answer: 'in' as const,
        marks: listed.map((appid, nth) => ({ appid, mark: markOf(voter, nth) })),
      }))
      const nightId = await night(groupId, { startsAt, title: null, players: asked })
      const decidedAt = startsAt - HOUR / 6
      const { scores } = tally(
        asked.map(({ marks }) => marks),
        listed,
        { forbids: false },
      )
      const result: NightResult = {
        by: 'votes',
        entries: entries.map(({ appid, facts }) => ({ appid, facts })),
        scores: [...scores].map(([appid, score]) => ({ appid, score, ruled_out: false })),
        everythingRuledOut: false,
      }
      await addDraw(
        tx,
        {
          night_id: nightId,
          number: 1,
          appid: pick,
          by: 'votes',
          odds: [{ appid: pick, weight: 1 }],
          reason: null,
          drawn_by: here[0]!.steamid,
          at: decidedAt,
        },
        { result: JSON.stringify(result) },
      )
    }

    /** Nights so many weeks ago that their picks rest no more (NIGHT-24). */
    const yearOfNights = async (
      groupId: number,
      latest: number,
      members: readonly Player[],
      games: readonly number[],
      weeks: readonly number[],
    ) => {
      for (const week of weeks) {
        const here = members.filter((_, nth) => (week + nth) % 4 > 0)
        await pastNight(groupId, latest - week * 7 * DAY, here, games[week % 5]!)
      }
    }

    const crew = await group(0, 'Friday crew', [mira, fable, bento, ruben, okapi], quill)
    const regulars = [mira, fable, bento, ruben, okapi]
    const [first, second, ...others] = await sharedBy(regulars, now)
    const friday = next(FRIDAY, now)
    const inYear = [6, 7, 10, 14, 15, 19, 23, 24, 28, 33, 37]
    await yearOfNights(crew, last(FRIDAY, now), regulars, [first!, second!, ...others], inYear)
    await pastNight(crew, last(FRIDAY, now) - 7 * DAY, [mira, fable, bento, ruben], first!)
    await pastNight(crew, last(FRIDAY, now), [mira, fable, ruben], second!)
    const sketching = await addGame(database, tx, crew, {
      ...{ name: 'skribbl.io', link: 'https://skribbl.io' },
      ...{ added_by: fable.steamid, added_at: now - 2 * DAY },
    })
    const list = [first!, ...others.slice(0, 3), sketching]
    const wants = (...marks: Mark[]) => marks.map((mark, nth) => ({ appid: list[nth]!, mark }))
    await night(crew, {
      startsAt: friday,
      title: 'Friday as always',
      players: [
        { player: mira, answer: 'in', marks: wants('fine', 'want', 'fine', 'want', 'fine') },
        {
          player: fable,
          answer: 'in',
          word: 'Bringing snacks',
          marks: wants('want', 'fine', 'want', 'want', 'no'),
        },
        { player: bento, answer: 'maybe', word: 'Late shift, will know on Thursday' },
        { player: ruben, answer: 'in', marks: wants('fine', 'want', 'no', 'fine', 'want') },
        { player: okapi },
      ],
    })

    // Matches their libraries: the crew's last copy of a game, and games of their own.
    const owned = ({ games }: Player) => games.filter(({ minutes }) => minutes > 0).map(({ appid }) => appid)
    const news = [
      { player: fable, kind: 'got', appids: [first!], daysAgo: 2 },
      { player: bento, kind: 'got', appids: owned(bento).slice(-2), daysAgo: 4 },
      { player: ruben, kind: 'again', appids: owned(ruben).slice(0, 1), daysAgo: 5 },
      { player: okapi, kind: 'got', appids: owned(okapi).slice(-1), daysAgo: 11 },
    ] as const
    for (const { player, kind, appids, daysAgo } of news)
      await addLibraryChanges(
        tx,
        player.steamid,
        now - daysAgo * DAY,
        appids.map((appid) => ({ appid, minutes: 0, kind })),
      )

    // Two want what Bento lacks, and three what the crew has not played.
    const missed = mira.games
      .map(({ appid }) => appid)
      .find(
        (appid) =>
          (playersMaxOf(appid) ?? 0) >= 5 &&
          [fable, ruben].every(({ games }) => games.some((game) => game.appid === appid)) &&
          !bento.games.some((game) => game.appid === appid),
      )
    const wished = (...appids: (number | undefined)[]) =>
      new Map(appids.filter((appid) => appid !== undefined).map((appid) => [appid, now - DAY]))
    await setWishes(tx, crew, mira.steamid, wished(list[1], missed))
    await setWishes(tx, crew, fable.steamid, wished(list[1], list[2]))
    await setWishes(tx, crew, okapi.steamid, wished(list[1], missed))

    // Two let their wishlists be read.
    for (const { steamid, wishlist = [] } of [fable, ruben]) {
      await letWishlistBeRead(tx, steamid, true)
      await saveWishlist(tx, steamid, {
        status: 'ok',
        appids: wishlist.filter(({ added }) => added * 1000 <= now).map(({ appid }) => appid),
      })
    }

    const owls = await group(1, 'Night owls', [jonas, okapi, halfpast, quill])
    await night(owls, {
      startsAt: next((new Date(now).getUTCDay() + 1) % 7, now),
      title: null,
      players: [
        { player: jonas, answer: 'in', word: 'Anyone?' },
        { player: okapi },
        { player: halfpast, answer: 'in' },
        { player: quill },
      ],
    })

    const sunday = await group(2, 'Sunday co-op', [noor, saoirse, ivo, okapi, secretive])
    const there = [noor, saoirse, ivo]
    const shared = await sharedBy(there, now)
    await yearOfNights(sunday, last(SUNDAY, now), there, shared, [5, 8, 11, 16, 17, 26, 29])
    await pastNight(sunday, last(SUNDAY, now), there, shared[0]!)
  }
}

/** A library that was synced a day ago, and a part of its minutes in the months since they are counted. */
async function writeMonths(tx: Tx, { steamid, games }: Player, now: number): Promise<void> {
  const library = libraryFrom(games)
  const stored = {
    packed: packLibrary(library),
    gameCount: games.length,
    totalMinutes: totalMinutes(library),
  }
  await writeLibrary(tx, steamid, { ...stored, at: now - DAY })
  await startTracking(tx, steamid, now - 300 * DAY)
  for (let nth = 0; nth < 10; nth++) {
    const month = monthAfter(monthOf(now), -nth)
    const played = games.map(({ appid, minutes, lastPlayed }) => {
      const last = monthOf(lastPlayed * 1000)
      const share = last < month ? 0 : ((appid * (nth + 3)) % 7) / 105
      const isNew = appid % 5 === 0 && minutes < 3000
      const gained = isNew ? (last === month ? minutes : 0) : Math.min(minutes * share, 1500)
      return { appid, minutes: Math.floor(gained), recentMinutes: 0, lastPlayed: 0 }
    })
    const packed = packLibrary(libraryFrom(played.filter(({ minutes }) => minutes > 0)))
    await writePlaytimeMonth(tx, { steam_id: steamid, month, packed })
  }
}

/** The catalogue has no details of games yet: they are all played online. */
function detailsOf(appid: number): CatalogueGame['details'] {
  return { appid, name: '', kind: 'game', modes: ['online'], features: [], players_max: null }
}

/** The list of a night of these players, best first: games for all of them that all own. */
async function listOf(owners: readonly Player[], at: number) {
  const owned = owners.map(({ games }) => new Set(games.map(({ appid }) => appid)))
  const appids = [...owned[0]!].filter(
    (appid) => (playersMaxOf(appid) ?? 0) >= owners.length && owned.every((games) => games.has(appid)),
  )
  const { best, marked } = await rankShortlist({
    players: owners.length,
    libraries: owners.map(({ games }) => ({ library: libraryFrom(games), at })),
    elsewhere: [],
    games: appids.sort((a, b) => a - b).map((appid) => ({ details: detailsOf(appid) })),
    marked: new Set(appids),
    pickedAt: new Map(),
    now: at,
  })
  return [...best, ...marked]
}

async function sharedBy(owners: readonly Player[], at: number): Promise<number[]> {
  return column(await listOf(owners, at), 'appid')
}

type Four = [Player, Player, Player, Player]

type Asked = {
  player: Player
  answer?: NightAnswer
  word?: string
  marks?: { appid: number; mark: Mark }[]
}

/** The first game is wanted by everyone, and no other by all. */
function markOf(voter: number, nth: number): Mark {
  if (nth === 0) return 'want'
  return (['fine', 'want', 'no'] as const)[(voter + nth) % 3]!
}

/** The next evening of a weekday that is at least twelve hours away. */
function next(weekday: number, now: number): number {
  const evening = Math.floor(now / DAY) * DAY + EVENING * HOUR
  const days = (weekday - new Date(now).getUTCDay() + 7) % 7
  const at = evening + days * DAY
  return at - now < 12 * HOUR ? at + 7 * DAY : at
}

/** The last evening of a weekday whose night is over. */
function last(weekday: number, now: number): number {
  const at = next(weekday, now) - 7 * DAY
  return now - at < 12 * HOUR ? at - 7 * DAY : at
}

/** Background colours and shape of a group's picture. */
const EMBLEMS = [
  [
    '#ff8a5b',
    '#7a1f5c',
    '<path d="M128 36c12 44 58 58 58 112a58 58 0 0 1-116 0c0-28 16-40 26-58 8 16 20 22 20 22s-8-44 12-76z"/>',
  ],
  [
    '#4f7cff',
    '#1b1147',
    '<path d="M166 172a70 70 0 1 1-52-118 58 58 0 0 0 52 118z"/><circle cx="182" cy="82" r="9"/><circle cx="206" cy="122" r="6"/>',
  ],
  [
    '#5fe0b5',
    '#0d4a63',
    '<path d="M66 104h28V76h28v28h28v28h-28v28H94v-28H66z"/><circle cx="178" cy="100" r="15"/><circle cx="200" cy="138" r="15"/>',
  ],
] as const

async function drawEmblem([from, to, shape]: (typeof EMBLEMS)[number]) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 256 256"><defs><linearGradient id="g" gradientTransform="rotate(60)"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="256" height="256" fill="url(#g)"/><g fill="#fff" opacity=".92">${shape}</g></svg>`
  return encodePicture((await renderAsync(svg)).asPng())
}
