/** What earlier nights of the same people say (MEMORY-1 to MEMORY-3). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_HISTORIES_LISTED, NIGHT_HISTORY_GAMES } from '#shared/limits.ts'
import type { nightsContract } from '#shared/contract/nights.ts'
import type { NightHistory } from '#shared/nights/entities.ts'
import { summaryOf } from '../catalogue/catalogue.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { countYear, type HeldNight, isOfSamePeople, lastTogether } from '../library/night-history.ts'
import { listHeldNights, listPlayersOfNights, type NightsOf } from '../storage/night-lists.ts'
import { picksOf } from '../storage/night-votes.ts'
import { isGuest } from './access.ts'
import { isoTime } from '../time.ts'
import { groupsOf, groupShown } from './night-view.ts'
import { profileOf } from './visible-libraries.ts'

type Held = HeldNight & { is_mine: boolean }
/** The nights of the same people, and which of them to name as the last ones. */
type Told = { nights: readonly Held[]; last: Held | undefined; together?: Held | undefined }

/** Handlers of the history of nights. */
export function nightHistoryHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>) {
  const { database, readCache, catalogue, clock } = deps
  const { queries } = database

  return {
    history: async ({ user, found: { night, players, me } }) => {
      const { night_id: id, group_id } = night
      // Guests are not shown who is asked (NIGHT-151), so neither which nights had the same people.
      const guest = await isGuest(deps, night, me)
      if (guest && group_id === null) return (await tell([{ nights: [], last: undefined }]))[0]!
      const asked = { group_id, people: players.map((player) => player.steam_id) }
      // Guests of a group's night see of its other nights only those that they were asked to.
      const isMember = group_id !== null && (await readCache.memberIds(group_id)).includes(user)
      const nights = (await held(isMember ? { group_id } : { steam_id: user }, user)).filter((one) =>
        isOfSamePeople(one, asked),
      )
      const earlier = nights.filter((one) => one.night_id !== id && one.starts_at < night.starts_at)
      const expected = players.filter(({ answer }) => answer !== 'out').map((player) => player.steam_id)
      const together = guest ? undefined : lastTogether(earlier, expected)
      const [told] = await tell([{ nights, last: earlier[0], together }])
      return told!
    },

    histories: async ({ user }) => {
      const byPeople: [Held, ...Held[]][] = []
      for (const night of await held({ steam_id: user }, user)) {
        const same = byPeople.find(([first]) => isOfSamePeople(first, night))
        if (same) same.push(night)
        else byPeople.push([night])
      }
      const listed = byPeople.slice(0, NIGHT_HISTORIES_LISTED)
      return { histories: await tell(listed.map((nights) => ({ nights, last: nights[0] }))) }
    },

    historyOfGroup: async ({ params, user }) => {
      const nights = await held({ group_id: params.id }, user)
      return { histories: nights.length === 0 ? [] : await tell([{ nights, last: nights[0] }]) }
    },
  } satisfies Partial<Handlers<typeof nightsContract>>

  /** Latest first. */
  async function held(of: NightsOf, user: SteamId): Promise<Held[]> {
    const rows = await listHeldNights(queries, of, user, clock())
    const ids = rows.map((row) => row.night_id)
    const playersOf = await listPlayersOfNights(queries, ids)
    const picks = await picksOf(queries, ids)
    const nights = rows.map(async ({ night_id, group_id, starts_at, zone, host_steam_id, mine }) => {
      const players = playersOf.get(night_id) ?? []
      const me = players.find((player) => player.steam_id === user)
      if (group_id === null && me && (await isGuest(deps, { group_id, host_steam_id }, me))) return []
      return {
        night_id,
        group_id,
        starts_at,
        zone,
        is_mine: mine !== null,
        people: players.map((player) => player.steam_id),
        came: players.filter(({ answer }) => answer === 'in').map((player) => player.steam_id),
        pick: picks.get(night_id) ?? null,
      }
    })
    return (await Promise.all(nights)).flat()
  }

  async function tell(all: readonly Told[]): Promise<NightHistory[]> {
    const counts = all.map(({ nights }) => countYear(nights, clock()))
    const shown = all.flatMap(({ last, together }) => [last, together].filter((one) => one !== undefined))
    const detailsOf = await catalogue.detailsOf([
      ...counts.flatMap(({ games }) => games.map((game) => game.appid)),
      ...shown.map(({ pick }) => pick).filter((pick) => pick !== null),
    ])
    const ids = new Set([
      ...counts.flatMap(({ came }) => came.map(({ steam_id }) => steam_id)),
      ...shown.flatMap(({ came }) => came),
      ...all.flatMap(({ nights: [latest] }) => latest?.people ?? []),
    ])
    const known = await readCache.players([...ids])
    const players = new Map(known.map((player) => [player?.steam_id, player]))
    const player = (steamId: SteamId) => profileOf(steamId, players.get(steamId))
    const groups = await groupsOf(
      deps,
      all.flatMap(({ nights }) => nights.slice(0, 1)),
    )
    const night = (one: Held | undefined) =>
      one === undefined
        ? null
        : {
            night_id: one.night_id,
            is_mine: one.is_mine,
            starts_at: isoTime(one.starts_at)!,
            came: one.came.map(player),
            pick: one.pick === null ? null : summaryOf(detailsOf(one.pick)),
          }
    return all.map(({ nights: [latest], last, together }, nth) => {
      const { nights, came, games } = counts[nth]!
      return {
        group: groupShown(groups.get(latest?.group_id ?? null)),
        people: latest?.group_id === null ? latest.people.map(player) : [],
        last: night(last),
        last_together: night(together),
        nights,
        came: came.map(({ steam_id, nights: count }) => ({ ...player(steam_id), nights: count })),
        games: games
          .slice(0, NIGHT_HISTORY_GAMES)
          .map(({ appid, picked }) => ({ ...summaryOf(detailsOf(appid)), picked })),
      }
    })
  }
}
