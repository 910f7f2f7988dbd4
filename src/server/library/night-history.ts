/** What earlier game nights say: who played last, who came how often, and what was picked (MEMORY-1 to MEMORY-3). */
import type { SteamId } from '#shared/entities.ts'
import { localTimeIn } from '#shared/nights/repeats.ts'

/** A night that was held; `people` were asked to it, `came` were in. */
export type HeldNight = {
  night_id: number
  group_id: number | null
  starts_at: number
  /** IANA name of the time zone that its time was chosen in; null when that is not known. */
  zone: string | null
  people: readonly SteamId[]
  came: readonly SteamId[]
  pick: number | null
}

/** How often people came and games were picked, most first. */
export type NightCounts = {
  nights: number
  came: { steam_id: SteamId; nights: number }[]
  games: { appid: number; picked: number }[]
}

/** Whether two nights are of the same people: of one group, or of the same players where they are no group's. */
export function isOfSamePeople(
  a: Pick<HeldNight, 'group_id' | 'people'>,
  b: Pick<HeldNight, 'group_id' | 'people'>,
): boolean {
  if (a.group_id !== null || b.group_id !== null) return a.group_id === b.group_id
  const people = new Set(a.people)
  return people.size === b.people.length && b.people.every((one) => people.has(one))
}

/** The first of these nights to which all these people came; at least two of them. */
export function lastTogether<Night extends Pick<HeldNight, 'came'>>(
  nights: readonly Night[],
  people: readonly SteamId[],
): Night | undefined {
  return people.length < 2 ? undefined : nights.find(({ came }) => people.every((one) => came.includes(one)))
}

/** Counts the nights of this calendar year, as it is in the time zone of each night, or in UTC where that is not known. */
export function countYear(nights: readonly HeldNight[], now: number): NightCounts {
  const yearIn = (at: number, zone: string | null) => localTimeIn(zone ?? 'UTC', at).slice(0, 4)
  const counted = nights.filter(({ starts_at, zone }) => yearIn(starts_at, zone) === yearIn(now, zone))
  const came = new Map<SteamId, number>()
  const games = new Map<number, number>()
  for (const night of counted) {
    for (const one of night.came) came.set(one, (came.get(one) ?? 0) + 1)
    if (night.pick !== null) games.set(night.pick, (games.get(night.pick) ?? 0) + 1)
  }
  return {
    nights: counted.length,
    came: Array.from(came, ([steam_id, count]) => ({ steam_id, nights: count })).toSorted(
      (a, b) => b.nights - a.nights || (a.steam_id < b.steam_id ? -1 : 1),
    ),
    games: Array.from(games, ([appid, picked]) => ({ appid, picked })).toSorted(
      (a, b) => b.picked - a.picked || a.appid - b.appid,
    ),
  }
}
