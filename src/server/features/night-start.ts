/** Starting a night, by a user or as the next of a series (NIGHT-1, SERIES-3). */
import type { SteamId } from '#shared/entities.ts'
import { NIGHT_LENGTH_MS } from '#shared/limits.ts'
import type { Tx } from '../database/schema.ts'
import type { Flag } from '../database/schema-nights.ts'
import { readNightSettings } from '../storage/groups.ts'
import { renewInvite } from '../storage/invites.ts'
import { newLinkToken } from '../storage/link-tokens.ts'
import { announce } from '../storage/messages.ts'
import { addDates } from '../storage/night-dates.ts'
import { addPlayers, changeNightPlayer, createNight, type NightRow } from '../storage/nights.ts'
import { notify } from '../storage/notifications.ts'
import { planReminder } from './reminders.ts'

/**
 * Starts a night of a host, who is in unless its date is to be found or the night repeats another one's, and asks the
 * others. Who may be asked is decided before, with the players and the group locked.
 */
export async function startNight(
  tx: Tx,
  {
    host_steam_id: host,
    forbids,
    ...night
  }: Pick<NightRow, 'group_id' | 'title' | 'starts_at' | 'zone' | 'planned'> & {
    host_steam_id: SteamId
    /** Null: as the group has chosen. */
    forbids: Flag | null
  },
  {
    asked,
    hostIsIn = true,
    dates,
    now,
  }: {
    asked: readonly SteamId[]
    /** False for a host who did not start it, and is asked like the others. */
    hostIsIn?: boolean
    /** The times of which its date is to be found. */
    dates?: { times: number[]; closeAt: number | null } | undefined
    now: number
  },
): Promise<number> {
  const { group_id } = night
  const group = group_id === null ? undefined : await readNightSettings(tx, group_id)
  const id = await createNight(tx, {
    ...night,
    host_steam_id: host,
    forbids: forbids ?? group?.not_tonight_forbids ?? 0,
    created_at: now,
    ...(dates && { status: 'dating' }),
  })
  await addPlayers(tx, id, [host], { by: null, at: now })
  const others = asked.filter((one) => one !== host)
  await addPlayers(tx, id, others, { by: group_id === null ? host : null, at: now })
  if (dates) {
    await addDates(tx, id, { ...dates, now })
  } else if (hostIsIn) await changeNightPlayer(tx, id, host, { answer: 'in', answered_at: now })
  const isAnnounced = dates
    ? await announce(tx, id, 'dating', now, { times: dates.times.toSorted((a, b) => a - b) })
    : await announce(tx, id, night.planned === 1 ? 'planned' : 'started', now)
  // Who reads of it in the chat must be able to join.
  if (isAnnounced) {
    const expiresAt = night.starts_at + NIGHT_LENGTH_MS
    await renewInvite(tx, { night_id: id }, { token: newLinkToken(), by: host, at: now, expiresAt })
  }
  await notify(tx, id, 'asked', { now, by: hostIsIn ? host : null })
  if (!dates) await planReminder(tx, id, night.starts_at, now)
  return id
}
