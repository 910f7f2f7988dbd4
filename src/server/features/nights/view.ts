/** Game nights as their people see them (NIGHT-10 to NIGHT-12). */
import type { SteamId } from '#shared/entities.ts'
import { answersTo, bestFirst, hasAnswered } from '#shared/nights/dates.ts'
import { isAddedGame } from '#shared/playable.ts'
import { seedHash } from '#shared/nights/draw.ts'
import type {
  Night,
  NightDraw,
  NightPlayer,
  NightPick,
  NightSummary,
  ShortlistEntry,
} from '#shared/nights/entities.ts'
import { column } from '../../database/chunks.ts'
import type { CachedPlayer } from '../../cache/read-cache.ts'
import { filterableSummary, summaryOf } from '../../catalogue/catalogue.ts'
import type { FoundNight, MayShow } from '../../endpoint-handler.ts'
import { pictureImageUrl } from '../../pictures/pictures.ts'
import { nextStartOf } from '../../storage/nights/series.ts'
import { listHeldBefore, listPlayersOfNights } from '../../storage/nights/lists.ts'
import {
  canCome,
  isOver,
  isPast,
  listDraws,
  type NightDates,
  type NightDrawRow,
  type NightParts,
  type NightPlayerRow,
  type NightRow,
  pickOf,
  readParts,
  resultOf,
  unpackMarks,
} from '../../storage/nights/nights.ts'
import { devicesOf } from '../../storage/notifications/notifications.ts'
import { isoTime } from '../../time.ts'
import { countingInNight, isGuest, leadsNight, shownOutside, visibility } from '../access.ts'
import { mayReopen, nextOdds, wishesOf } from './change.ts'
import {
  correctionsOf,
  fittingIn,
  idsIn,
  librariesOf,
  type NightDeps,
  readExpected,
  readNearMisses,
  readNightLibraries,
  readShortlist,
  readyFor,
} from './shortlist.ts'
import { asCorrected } from '../groups/games.ts'
import {
  elsewhereAmong,
  gamePlayed,
  ownersElsewhere,
  profileOf,
  statusShown,
} from '../players/visible-libraries.ts'

/** Players who answered or voted within this time count as online in a night. */
const HERE_MS = 10 * 60_000

/** A night as one of its players sees it. Changes since it was found may show up with its earlier version. */
export async function viewNight(deps: NightDeps, { night, players: found, me }: FoundNight): Promise<Night> {
  const { queries } = deps.database
  const viewer = me.steam_id
  const draws = await listDraws(queries, night.night_id)
  const shownDraws = await viewDraws(deps, draws)
  const parts = (await readParts(queries, [night]))(night)
  const { dates, series } = parts
  const { players, isOutside } = await seenPlayers(deps, night, found, { viewer: me, dates })
  const shown = new Set(column(players, 'steam_id'))
  const cached = await deps.readCache.players([...shown])
  const mayShow = await visibility(deps.readCache, viewer, cached)
  const joined = await deps.readCache.joinedGroupIds(viewer)
  const seesAdded = joined.includes(night.group_id!) || (me.answer === 'in' && !isPast(night, deps.clock()))
  const pick = draws.at(-1)?.appid
  const isTold = ({ appid }: { appid: number }) => seesAdded || !isAddedGame(appid) || appid === pick
  const seen = { night, players, viewer: me, isOutside, seesAdded, isTold, cached, mayShow }
  const result = resultOf(night)
  const groupOwner = parts.group?.owner_steam_id
  const leads = leadsNight(night, groupOwner, viewer)
  const deciding = leads && night.status === 'open' ? await readExpected(deps, found, found) : null
  return {
    ...basicsOf(deps, night, { ...parts, isOutside }),
    created_at: isoTime(night.created_at)!,
    ...datesOf(dates, shown, deps.clock()),
    forbids: night.forbids === 1,
    any_owner: night.any_owner === 1,
    vote_closes_at: night.result === null ? isoTime(night.vote_closes_at) : null,
    zone: night.zone,
    faces: night.faces === 1,
    seed_hash: seedHash(night.seed),
    can_reopen: mayReopen(night, draws, deps.clock()),
    people: await viewPlayers(deps, { ...seen, leads }),
    my: {
      answer: me.answer,
      word: me.word,
      ...ballotOf(me, night.result !== null),
      has_voted: me.marks !== null,
      wishes:
        me.marks === null && result === undefined
          ? [...((await wishesOf(queries, night, deps.clock())).get(viewer)?.keys() ?? [])]
          : [],
      leads,
      pick_counts: deciding && deciding.known.map(({ player }) => player.steam_id),
      may_stop_repeating: series !== undefined && leadsNight(series, groupOwner, viewer),
    },
    ...(await viewGames(deps, seen)),
    scores: isOutside || !result ? null : result.scores.filter(isTold),
    odds:
      result && !isOutside
        ? nextOdds(result, draws, await fittingIn(deps, night, players)).filter(isTold)
        : null,
    everything_ruled_out: !isOutside && (result?.everythingRuledOut ?? false),
    draws: shownDraws.map(asShown),
    pick: asShown(await viewPick(deps, seen, shownDraws.at(-1))),
  }

  /** Hides a drawer whom a guest may not see; from guests who are not in, also odds and reason. */
  function asShown<Draw extends NightDraw | null>(draw: Draw): Draw {
    if (draw === null) return draw
    const by = draw.drawn_by !== null && shown.has(draw.drawn_by) ? draw.drawn_by : null
    const odds = draw.odds.every(isTold) ? draw.odds : []
    return { ...draw, drawn_by: by, odds, ...(isOutside && { odds: [], reason: null }) }
  }
}

/** The proposed times of a night, best first; none once its date was found. */
function datesOf(dates: NightDates | undefined, shown: ReadonlySet<SteamId>, now: number) {
  if (!dates) return { times: [], close_times_at: null }
  return {
    times: bestFirst(dates.times, now).map(({ at, answers }) => ({
      starts_at: isoTime(at)!,
      answers: Object.fromEntries([...answers].filter(([steamId]) => shown.has(steamId))),
    })),
    close_times_at: isoTime(dates.closeAt),
  }
}

export async function summariesOf(deps: NightDeps, nights: readonly NightRow[], viewer: SteamId) {
  const { database, readCache, catalogue } = deps
  const partsOf = await readParts(database.queries, nights)
  const joined = await readCache.joinedGroupIds(viewer)
  const playersOf = await listPlayersOfNights(database.queries, column(nights, 'night_id'))
  const detailsOf = await catalogue.detailsOf(nights.flatMap((night) => partsOf(night).pick ?? []))
  const coming = [...playersOf.values()].flatMap((players) => idsIn(players))
  const cached = await readCache.players([...new Set(coming)])
  const playerById = new Map(cached.map((player) => [player?.steam_id, player]))
  const summaries = nights.map(async (night) => {
    const all = playersOf.get(night.night_id) ?? []
    const mine = all.find((player) => player.steam_id === viewer && player.gone === 0)
    const parts = partsOf(night)
    const { dates, pick, group } = parts
    const { players, isOutside } = await seenPlayers(deps, night, all, { viewer: mine, dates })
    const count = (answer: string) => players.filter((player) => player.answer === answer).length
    return {
      ...basicsOf(deps, night, { ...parts, isOutside }),
      is_mine: mine !== undefined,
      in_my_group: night.group_id !== null && joined.includes(night.group_id),
      leads: mine !== undefined && leadsNight(night, group?.owner_steam_id, viewer),
      my_answer: mine?.answer ?? null,
      in: count('in'),
      maybe: count('maybe'),
      out: count('out'),
      people: players.length,
      came: idsIn(players).map((id) => profileOf(id, playerById.get(id))),
      pick: pick === null ? null : summaryOf(detailsOf(pick)),
      dating: datingOf(dates, players, mine, deps.clock()),
    }
  })
  return Promise.all(summaries)
}

/** The last night of the same people before one, if any; guests are not shown who else is asked (MEMORY-1 to MEMORY-3). */
export async function lastHeld(deps: NightDeps, { night, players, me }: FoundNight) {
  const { queries } = deps.database
  if (await isGuest(deps, night, me)) return null
  const earlier = await listHeldBefore(queries, night, me.steam_id, deps.clock())
  const playersOf = await listPlayersOfNights(queries, column(earlier, 'night_id'))
  const asked = new Set(players.map(({ steam_id }) => steam_id))
  for (const { night_id, starts_at, host_steam_id } of earlier) {
    const all = playersOf.get(night_id) ?? []
    const mine = all.find(({ steam_id }) => steam_id === me.steam_id)
    const isSame = all.length === asked.size && all.every(({ steam_id }) => asked.has(steam_id))
    const { group_id } = night
    if (group_id === null && !(isSame && mine && !(await isGuest(deps, { group_id, host_steam_id }, mine))))
      continue
    const came = idsIn(hostFirst({ host_steam_id }, all))
    const known = await deps.readCache.players(came)
    const pick = await pickOf(queries, night_id)
    return {
      night_id,
      starts_at: isoTime(starts_at)!,
      came: came.map((steamId, nth) => profileOf(steamId, known[nth])),
      pick: pick === null ? null : summaryOf((await deps.catalogue.detailsOf([pick]))(pick)),
    }
  }
  return null
}

/** How many have answered the proposed times; null when no date is being found. */
function datingOf(
  dates: NightDates | undefined,
  players: readonly Pick<NightPlayerRow, 'steam_id' | 'answer'>[],
  viewer: Pick<NightPlayerRow, 'steam_id' | 'answer'> | undefined,
  now: number,
): NightSummary['dating'] {
  if (!dates) return null
  const asked = players.filter(({ answer }) => answer !== 'out').map(({ steam_id }) => steam_id)
  const me = viewer?.steam_id
  return {
    ...answersTo(dates.times, asked, now),
    needs_me: me !== undefined && asked.includes(me) && !hasAnswered(me, dates.times, now),
  }
}

/** Guests who are not in may not know a night's group. */
function basicsOf(
  { clock }: NightDeps,
  night: NightRow,
  { group, series, isOutside }: Pick<NightParts, 'group' | 'series'> & { isOutside: boolean },
) {
  return {
    night_id: night.night_id,
    group:
      group && !isOutside
        ? {
            group_id: group.group_id,
            name: group.name,
            picture_image_url: pictureImageUrl(group.picture_key),
          }
        : null,
    host_steam_id: night.host_steam_id,
    title: night.title,
    starts_at: isoTime(night.starts_at)!,
    planned: night.planned === 1,
    status: isOver(night, clock()) ? ('over' as const) : night.status,
    version: night.version,
    series: series
      ? {
          series_id: series.series_id,
          every: series.every,
          zone: series.zone,
          next_starts_at: isoTime(nextStartOf(series))!,
        }
      : null,
  }
}

function hostFirst<Row extends { steam_id: SteamId }>(
  night: Pick<NightRow, 'host_steam_id'>,
  players: readonly Row[],
): Row[] {
  const isHost = (row: Row) => row.steam_id === night.host_steam_id
  return [...players.filter(isHost), ...players.filter((row) => !isHost(row))]
}

/**
 * The players of a night whom one of them sees, or a member of its group, the host first; `isOutside` when that is a guest
 * who is not in (NIGHT-151).
 */
async function seenPlayers<Row extends Pick<NightPlayerRow, 'steam_id' | 'answer' | 'added_by'>>(
  deps: NightDeps,
  night: NightRow,
  all: readonly Row[],
  { viewer, dates }: { viewer: Row | undefined; dates: NightDates | undefined },
): Promise<{ players: Row[]; isOutside: boolean }> {
  const players = hostFirst(night, all)
  if (!viewer || viewer.answer === 'in' || !(await isGuest(deps, night, viewer)))
    return { players, isOutside: false }
  const isShown = shownOutside(night, viewer, (steamId) => canCome(dates, steamId))
  return { players: players.filter(isShown), isOutside: true }
}

/** A ballot counts and is shown while its player is in; after the vote, those that counted are shown (NIGHT-16). */
function ballotOf({ answer, marks }: NightPlayerRow, hasEnded: boolean) {
  const voted = marks !== null && (hasEnded || answer === 'in')
  return { voted, marks: voted ? unpackMarks(marks) : null }
}

/** A night, and whose libraries its viewer may see. */
type SeenNight = {
  night: NightRow
  players: readonly NightPlayerRow[]
  viewer: NightPlayerRow
  /** Whether the viewer came by the link and is not in: they see nothing of who owns, plays and wants what. */
  isOutside: boolean
  /**
   * Whether the viewer is shown games that the group has added: they have joined it, or are in until the night is past. All
   * others are shown the pick's name (API-56).
   */
  seesAdded: boolean
  isTold: (game: { appid: number }) => boolean
  /** In the order of `players`. */
  cached: readonly (CachedPlayer | undefined)[]
  mayShow: MayShow
}

async function viewPlayers(
  deps: NightDeps,
  { night, players, viewer, isOutside, isTold, cached, mayShow, leads }: SeenNight & { leads: boolean },
): Promise<NightPlayer[]> {
  const known = cached.filter((player) => player !== undefined)
  const counts = await countingInNight(deps.database.queries, night.group_id, known)
  const isLive = !isPast(night, deps.clock())
  const hasEnded = night.result !== null
  const unanswered = leads && isLive ? players.filter(({ answer }) => answer === null) : []
  const devices = await devicesOf(deps.database.queries, column(unanswered, 'steam_id'), 'asked')
  const notified = new Set(column(devices, 'steam_id'))
  const mayShowMarks = (hasEnded && !isOutside) || (ballotOf(viewer, false).marks ?? []).length > 0
  return players.map((row, nth) => {
    const player = cached[nth]
    const isMe = row.steam_id === viewer.steam_id
    const { voted, marks } = ballotOf(row, hasEnded)
    const isShown = mayShow(player)
    const isCounted =
      isLive &&
      row.answer === 'in' &&
      player !== undefined &&
      player.library_status === 'ok' &&
      counts(player)
    const state = isShown ? player!.personastate : 0
    return {
      ...profileOf(row.steam_id, player),
      answer: row.answer,
      word: isOutside && !isMe ? null : row.word,
      voted: voted && (!isOutside || isMe),
      personastate: isLive ? state || Number(!isOutside && isHere(row, viewer, deps.clock())) : 0,
      ...(player && isLive ? gamePlayed(player, isShown) : { playing: null, playing_appid: null }),
      library_status: statusShown(
        { library_status: player?.library_status ?? null },
        isShown || (isCounted && !isOutside),
      ),
      reach: !unanswered.includes(row)
        ? null
        : notified.has(row.steam_id)
          ? 'notified'
          : player && player.signed_in_at !== null
            ? 'here'
            : 'away',
      marks: mayShowMarks || isMe ? (marks?.filter(isTold) ?? null) : null,
    }
  })
}

/** Whether a player is at this night now, even if offline on Steam: the viewer, and whoever acted a moment ago. */
function isHere(row: NightPlayerRow, viewer: NightPlayerRow, now: number): boolean {
  const actedAt = Math.max(row.answered_at ?? -Infinity, row.voted_at ?? -Infinity)
  return row.steam_id === viewer.steam_id || now - actedAt < HERE_MS
}

/** What an entry says about players. */
type EntryOfPlayers = 'facts' | 'lacking' | 'elsewhere' | 'elsewhere_places'

/** A game for viewers who may not know who owns and plays it. */
const NOTHING_KNOWN: Pick<ShortlistEntry, EntryOfPlayers> = {
  facts: {
    people: 1,
    known: 0,
    owners: 0,
    played_recently: 0,
    experienced: 0,
    played: 0,
    never_played: 0,
    picked_weeks_ago: null,
    picked_last: false,
  },
  lacking: [],
  elsewhere: [],
  elsewhere_places: {},
}

/** The shortlist, which the end of the vote fixes, and what is shown only before that. */
async function viewGames(
  deps: NightDeps,
  { night, players, viewer, isOutside, cached, mayShow, seesAdded, isTold }: SeenNight,
): Promise<Pick<Night, 'shortlist' | 'counted' | 'unknown' | 'near_misses'>> {
  const result = resultOf(night)
  if (result || isPast(night, deps.clock()))
    return {
      shortlist: await asGames(
        (result?.entries ?? []).map(({ appid, facts }) => ({ ...NOTHING_KNOWN, appid, facts })),
      ),
      counted: [],
      unknown: [],
      near_misses: [],
    }
  const isExpected = (_: unknown, nth: number) =>
    players[nth]!.answer === null || players[nth]!.answer === 'maybe'
  const list = await readShortlist(deps, night, players, librariesOf(cached.filter(isExpected), mayShow))
  const isIn = new Set(idsIn(players))
  const counted = list.known.map(({ player }) => player.steam_id)
  const elsewhere = elsewhereAmong([...list.known, ...list.inUnknown].filter(mayMiss))
  return {
    shortlist: await asGames(
      list.games.best.map((entry) => ({
        ...entry,
        lacking: entry.lacking.filter((nth) => mayMiss(list.known[nth]!)).map((nth) => counted[nth]!),
        ...ownersElsewhere(elsewhere, entry.appid),
      })),
    ),
    counted: isOutside ? [] : counted,
    unknown: isOutside ? [] : list.unknown,
    near_misses: isOutside ? [] : await readNearMisses(deps, night, list, list.known.filter(mayMiss)),
  }

  /** Whoever answers 'in' agrees to near misses among those who are in. */
  function mayMiss({ player }: { player: CachedPlayer }): boolean {
    return mayShow(player) || (viewer.answer === 'in' && isIn.has(player.steam_id))
  }

  async function asGames(all: readonly Pick<ShortlistEntry, 'appid' | EntryOfPlayers>[]) {
    const entries = all.filter(isTold)
    const listed = await deps.catalogue.games(entries.map((entry) => entry.appid))
    const games = asCorrected(listed, await correctionsOf(deps, night))
    return entries.map(({ facts, lacking, elsewhere, elsewhere_places }, nth) => ({
      ...filterableSummary(games[nth]!.details),
      ...(!seesAdded && { link: undefined }),
      is_free: games[nth]!.details.is_free,
      ...(isOutside ? NOTHING_KNOWN : { facts, lacking, elsewhere, elsewhere_places }),
    }))
  }
}

async function viewDraws({ catalogue }: NightDeps, draws: readonly NightDrawRow[]): Promise<NightDraw[]> {
  const detailsOf = await catalogue.detailsOf(draws.map((draw) => draw.appid))
  return draws.map((draw) => ({
    ...summaryOf(detailsOf(draw.appid)),
    number: draw.number,
    by: draw.by,
    odds: draw.odds,
    reason: draw.reason,
    drawn_by: draw.drawn_by,
    at: isoTime(draw.at)!,
    seed: draw.seed,
    seed_hash: draw.seed && seedHash(draw.seed),
  }))
}

/** The pick and who can play it; not for a past night, because libraries have changed since. */
async function viewPick(
  deps: NightDeps,
  { night, players, viewer, isOutside, seesAdded }: SeenNight,
  last: NightDraw | undefined,
): Promise<NightPick | null> {
  if (!last) return null
  const [game] = asCorrected(await deps.catalogue.games([last.appid]), await correctionsOf(deps, night))
  const { is_free, players_max, link } = game!.details
  if (isOutside || isPast(night, deps.clock()))
    return { ...last, ready: [], lacking: [], elsewhere: [], elsewhere_places: {}, is_free, players_max }
  const libraries = await readNightLibraries(deps, night.group_id, idsIn(players))
  const owners = elsewhereAmong([...libraries.known, ...libraries.unknown])
  const elsewhere = ownersElsewhere(owners, last.appid)
  const { ready, lacking } = readyFor(libraries, last.appid)
  const all = isAddedGame(last.appid) ? idsIn(players) : ready
  const others = readyFor(await readExpected(deps, players, [viewer]), last.appid)
  return {
    ...{ ...last, ready: all, lacking: [...lacking, ...others.lacking], ...elsewhere, is_free, players_max },
    ...(seesAdded && link && { link }),
  }
}
