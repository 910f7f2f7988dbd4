/** Links by which players join a group or a game night (NIGHT-50 to NIGHT-58). */
import type { Invite } from '#shared/contract/invites.ts'
import type { invitesContract } from '#shared/contract/invites.ts'
import type { SteamId } from '#shared/entities.ts'
import { GROUP_INVITE_MS, GROUP_MEMBERS_MAX, NIGHT_LENGTH_MS, NIGHT_PLAYERS_MAX } from '#shared/limits.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import type { FoundNight, Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { departuresAmong, mayReturn } from '../storage/departures.ts'
import { findGroupOwner, lockGroup } from '../storage/groups.ts'
import {
  deleteInvite,
  findInvite,
  findInviteOf,
  type InviteRow,
  type InviteTarget,
  renewInvite,
} from '../storage/invites.ts'
import { newLinkToken } from '../storage/link-tokens.ts'
import { joinedAmong, lockMembership } from '../storage/memberships.ts'
import {
  addPlayers,
  changeNight,
  isPast,
  listNightPlayers,
  wasRemoved,
  lockNight,
} from '../storage/nights.ts'
import { lockPlayers } from '../storage/players.ts'
import { asPlayer, leadsNight, notJoined, requireAccount, requireJoined } from './access.ts'
import { join } from './groups.ts'
import { describeInvitation } from './invitation.ts'
import { answerNight, changingNight } from './night-change.ts'

/** Handlers of links. */
export function invitesHandlers(deps: Deps) {
  const { config, database, clock } = deps
  const { queries } = database

  return {
    ofGroup: async ({ params: { id }, user }) => {
      if ((await joinedAmong(queries, id, [user])).length === 0) throw notJoined()
      return shownOf(queries, { group_id: id })
    },

    renewOfGroup: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        await requireJoined(tx, id, user)
        return renew(tx, { group_id: id }, user, clock() + GROUP_INVITE_MS)
      }),

    switchOffOfGroup: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        await requireJoined(tx, id, user)
        await deleteInvite(tx, { group_id: id })
      }),

    ofNight: async ({ params: { id }, found }) => {
      await requireTakingPart(queries, found)
      return shownOf(queries, { night_id: id })
    },

    renewOfNight: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        const { night } = await requireTakingPart(tx, await asPlayer(tx, await lockNight(tx, id), user))
        if (isPast(night, clock())) throw new AppError('night_has_ended')
        return renew(tx, { night_id: id }, user, night.starts_at + NIGHT_LENGTH_MS)
      }),

    switchOffOfNight: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
        await requireTakingPart(tx, await asPlayer(tx, await lockNight(tx, id), user))
        await deleteInvite(tx, { night_id: id })
      }),

    // Unknown, expired, renewed and switched off look the same, and take the same query.
    read: async ({ params: { token } }) => {
      return describeInvitation(deps, await requireInvite(queries, token))
    },

    accept: async ({ params: { token }, body, user }) => {
      const joined = await database.transaction(async (tx) => {
        requireAccount(await lockPlayers(tx, [user]), user)
        const { group, night } = await requireInvite(tx, token)
        if (group) {
          await acceptGroup(tx, token, group.group_id, user)
          return { group_id: group.group_id }
        }
        if (night!.group_id !== null) await lockGroup(tx, night!.group_id)
        await acceptNight(tx, token, night!.night_id, user)
        return { night_id: night!.night_id }
      })
      // Apart, because an answer may need libraries. Should it fail, accepting again completes it.
      const answer = body.answer
      if (answer !== undefined && joined.night_id !== undefined)
        await changingNight(deps, joined.night_id, user, async (locked) => {
          // While its date is being found, its times are answered on its page (DATE-10).
          if (locked.night.status !== 'dating' || answer === 'out') await answerNight(locked, { answer })
        })
      return joined
    },
  } satisfies Handlers<typeof invitesContract>

  async function acceptGroup(tx: Tx, token: string, groupId: number, user: SteamId): Promise<void> {
    await lockGroup(tx, groupId)
    // It may have been renewed before the group was locked.
    await requireInvite(tx, token)
    const membership = await lockMembership(tx, groupId, user)
    if (!membership) await requireNotRemoved(tx, groupId, user)
    const hasJoined = membership !== undefined && membership.joined_at !== null
    if (!hasJoined) await join(tx, groupId, user, { isMember: membership !== undefined, at: clock() })
  }

  async function acceptNight(tx: Tx, token: string, nightId: number, user: SteamId): Promise<void> {
    const night = await lockNight(tx, nightId)
    await requireInvite(tx, token)
    const players = await listNightPlayers(tx, nightId)
    if (players.some((player) => player.steam_id === user)) return
    if (night!.group_id !== null) await requireNotRemoved(tx, night!.group_id, user)
    if (await wasRemoved(tx, nightId, user)) throw new AppError('invite_not_found')
    if (players.length >= (night!.group_id === null ? NIGHT_PLAYERS_MAX : GROUP_MEMBERS_MAX))
      throw new AppError('night_full', { reason: 'night_is_full' })
    await addPlayers(tx, nightId, [user], { by: null, at: clock() })
    await changeNight(tx, nightId)
  }

  /** @throws AppError invite_not_found, always the same */
  async function requireInvite(db: Queries | Tx, token: string): Promise<InviteRow> {
    const invite = await findInvite(db, token, clock())
    if (!invite) throw new AppError('invite_not_found')
    return invite
  }

  async function renew(tx: Tx, of: InviteTarget, user: SteamId, expiresAt: number): Promise<Invite> {
    const token = newLinkToken()
    await renewInvite(tx, of, { token, by: user, at: clock(), expiresAt })
    return (await shownOf(tx, of))!
  }

  async function shownOf(db: Queries | Tx, of: InviteTarget): Promise<Invite | null> {
    const invite = await findInviteOf(db, of, clock())
    if (!invite) return null
    const { token, expires_at, created_by, display_name } = invite
    return {
      token,
      url: `${config.publicUrl}/join/${token}`,
      expires_at: new Date(expires_at).toISOString(),
      created_by: { steam_id: created_by, display_name },
    }
  }
}

/** @throws AppError not_in_night unless the user leads the night or has answered 'in' or 'maybe' */
async function requireTakingPart(db: Queries | Tx, found: FoundNight): Promise<FoundNight> {
  const { night, me } = found
  const mayPass = me.answer === 'in' || me.answer === 'maybe'
  if (!mayPass && !leadsNight(night, await findGroupOwner(db, night.group_id), me.steam_id))
    throw new AppError('not_in_night')
  return found
}

/** To players whom the owner has removed a link does not exist. @throws AppError invite_not_found */
async function requireNotRemoved(tx: Tx, groupId: number, user: SteamId): Promise<void> {
  const departed = await departuresAmong(tx, groupId, [user])
  if (departed.length > 0 && !(await mayReturn(tx, groupId, user))) throw new AppError('invite_not_found')
}
