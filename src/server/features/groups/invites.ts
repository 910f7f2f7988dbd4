/** Links by which players join a group or a game night (NIGHT-50 to NIGHT-58). */
import type { Invitation, Invite, invitesContract } from '#shared/contract/invites.ts'
import type { SteamId } from '#shared/entities.ts'
import {
  GROUP_INVITE_MS,
  GROUP_MEMBERS_MAX,
  INVITATION_GAMES_MAX,
  NIGHT_LENGTH_MS,
  NIGHT_PLAYERS_MAX,
} from '#shared/limits.ts'
import { column } from '../../database/chunks.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import type { FoundNight, Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { departuresAmong, joinedMemberIds, lockMembership } from '../../storage/groups/memberships.ts'
import { findGroupOwner, lockGroup } from '../../storage/groups/groups.ts'
import {
  deleteInvite,
  findInvite,
  findInviteOf,
  type InviteRow,
  type InviteTarget,
  newLinkToken,
  renewInvite,
} from '../../storage/groups/links.ts'
import {
  addPlayers,
  changeNight,
  departedAmong,
  isPast,
  listNightPlayers,
  lockNight,
  type NightPlayerRow,
} from '../../storage/nights/nights.ts'
import { lockPlayers } from '../../storage/players/players.ts'
import { asPlayer, countsOutside, leadsNight, notJoined, requireAccount, requireJoined } from '../access.ts'
import { join } from './groups.ts'
import { answerNight, changingNight } from '../nights/change.ts'
import { type Language, languageOfHeader } from '#shared/languages.ts'
import { isolated, visibleName } from '#shared/names.ts'
import { isAddedGame } from '#shared/playable.ts'
import { previewTags } from '../../share/page.ts'
import { whenInZone } from '../../texts/texts.ts'
import { isoTime } from '../../time.ts'
import { idsIn, readShortlist } from '../nights/shortlist.ts'

/** Handlers of links. */
export function invitesHandlers(deps: Deps) {
  const { config, database, clock } = deps
  const { queries } = database

  return {
    ofGroup: async ({ params: { id }, user }) => {
      if (!(await joinedMemberIds(queries, id)).includes(user)) throw notJoined()
      return shownOf(queries, { group_id: id })
    },

    renewOfGroup: ({ params: { id }, user }) =>
      database.transaction(async (tx) => {
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
    if ((await departedAmong(tx, nightId, [user], [3])).length > 0) throw new AppError('invite_not_found')
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
  const [departed] = await departuresAmong(tx, groupId, [user])
  if (departed?.may_return === 0) throw new AppError('invite_not_found')
}

/** Fewest libraries with games in common. */
const IN_COMMON_MIN = 2

type ListDeps = Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>

/**
 * What chats show of a link, in the language of the reader, or of whoever created it (LANG-7); undefined where there is no
 * link, or none any more (NIGHT-120).
 */
export async function readInvitationPreview(
  deps: Pick<Deps, 'config' | 'database' | 'textsOf' | 'clock'>,
  token: string,
  acceptLanguage: string | undefined,
): Promise<{ tags: string; language: Language } | undefined> {
  const { queries } = deps.database
  const invite = await findInvite(queries, token, deps.clock())
  if (!invite) return undefined
  const { group, night } = invite
  const name = visibleName(invite.display_name)
  const count = group
    ? (await joinedMemberIds(queries, group.group_id)).length
    : idsIn(await listNightPlayers(queries, night!.night_id)).length
  const language = languageOfHeader(acceptLanguage, invite.language ?? 'en')
  const texts = deps.textsOf(language)
  const card = {
    title: isolated(visibleName(group ? group.name : night!.title) ?? texts.share.untitled),
    above: name === undefined ? null : texts.share.invites({ name }),
    lines: group
      ? [texts.share.joined({ count })]
      : night!.status === 'dating'
        ? [texts.share.findingDate]
        : [whenInZone(texts, night!.starts_at, night!.zone), texts.share.in({ count })],
  }
  const { publicUrl } = deps.config
  const link = { url: `${publicUrl}/join/${invite.token}`, image: `${publicUrl}/preview.png` }
  return { tags: previewTags(card, link), language }
}

/** A link as strangers see it. */
async function describeInvitation(
  deps: ListDeps,
  { group, night, display_name }: InviteRow,
): Promise<Invitation> {
  const { queries } = deps.database
  const players = night ? await listNightPlayers(queries, night.night_id) : []
  const ids = idsIn(players)
  const facesShown = night?.faces === 1
  const faces = facesShown ? await deps.readCache.players(ids) : []
  return {
    kind: group ? 'group' : 'night',
    name: group ? group.name : night!.title,
    title: night?.title ?? null,
    invited_by: display_name,
    starts_at: night && night.status !== 'dating' ? isoTime(night.starts_at) : null,
    zone: night?.zone ?? null,
    in_count: group ? (await joinedMemberIds(queries, group.group_id)).length : ids.length,
    faces_shown: facesShown,
    faces: faces
      .filter((player) => player !== undefined)
      .map((player) => ({ display_name: player.display_name, avatar_url: player.avatar_url })),
    games: night && night.status !== 'decided' ? await gamesAtStake(deps, night, players) : [],
  }
}

/** Names of the best games of a night that all who are in own, as far as their libraries are known (NIGHT-52). */
async function gamesAtStake(
  deps: ListDeps,
  night: NonNullable<InviteRow['night']>,
  players: readonly NightPlayerRow[],
): Promise<string[]> {
  if (idsIn(players).length < IN_COMMON_MIN) return []
  const { games, known } = await readShortlist(deps, night, players)
  // The games of one player are not at stake, and strangers read nothing of a library that is for groups only.
  if (known.length < IN_COMMON_MIN) return []
  if (!known.every(({ player }) => countsOutside(player))) return []
  // Leaves out listed free games that somebody lacks, and games that only members know.
  const owned = games.best.filter(({ appid, lacking }) => lacking.length === 0 && !isAddedGame(appid))
  const best = column(owned.slice(0, INVITATION_GAMES_MAX), 'appid')
  return (await deps.catalogue.games(best)).map(({ details }) => details.name)
}
