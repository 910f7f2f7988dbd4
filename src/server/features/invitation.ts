/** What a link shows to visitors without a session (NIGHT-52): on the page that it opens and in previews of chats. */
import type { Invitation } from '#shared/contract/invites.ts'
import { type Language, languageOfHeader } from '#shared/languages.ts'
import { INVITATION_GAMES_MAX } from '#shared/limits.ts'
import { isolated, visibleName } from '#shared/names.ts'
import type { Queries } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { previewTags } from '../share/page.ts'
import type { LinkPicture, SharedLink } from '../share/pictures.ts'
import { findInvite, type InviteRow } from '../storage/invites.ts'
import { joinedAmong, listMemberIds } from '../storage/memberships.ts'
import { findNight, listNightPlayers } from '../storage/nights.ts'
import { whenInZone } from '../texts/dates.ts'
import type { ServerTexts } from '../texts/texts.ts'
import { isoTime } from '../time.ts'
import { idsIn, readShortlist } from './night-shortlist.ts'

/** Fewer libraries have no games in common. */
const IN_COMMON_MIN = 2

type ListDeps = Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock'>

/**
 * What chats show of a link, in the language of the reader, and its picture, in that of whoever created it (LANG-7);
 * undefined where there is no link, or none any more (NIGHT-120).
 */
export async function readInvitationPreview(
  deps: Pick<Deps, 'config' | 'database' | 'readCache' | 'sharePictures' | 'textsOf' | 'clock'>,
  token: string,
  acceptLanguage: string | undefined,
): Promise<{ tags: string; language: Language; picture: SharedLink } | undefined> {
  const { queries } = deps.database
  const invite = await findInvite(queries, token, deps.clock())
  if (!invite) return undefined
  const { group, night } = invite
  const name = visibleName(invite.display_name)
  const count = await countComing(queries, invite)
  const cardIn = (texts: ServerTexts): LinkPicture => ({
    link: `invite ${texts.language} ${group ? `group ${group.group_id}` : `night ${night!.night_id}`}`,
    group:
      group || night!.group_id !== null
        ? `group ${group?.group_id ?? night!.group_id}`
        : `night ${night!.night_id}`,
    title: isolated(visibleName(group ? group.name : night!.title) ?? texts.share.untitled),
    untitled: texts.share.untitled,
    above: name === undefined ? null : texts.share.invites({ name }),
    lines: group
      ? [texts.share.joined({ count })]
      : night!.status === 'dating'
        ? [texts.share.findingDate]
        : [whenInZone(texts, night!.starts_at, night!.zone), texts.share.in({ count })],
    imageUrl: null,
  })
  const picture = await deps.sharePictures(cardIn(deps.textsOf(invite.language)))
  const language = languageOfHeader(acceptLanguage, invite.language ?? 'en')
  const url = `${deps.config.publicUrl}/join/${invite.token}`
  const link = { url, image_url: `${url}.png`, version: picture.version }
  return { tags: previewTags(cardIn(deps.textsOf(language)), link), language, picture }
}

/** How many have joined a group, or are in. */
async function countComing(
  db: Queries,
  { group, night }: Pick<InviteRow, 'group' | 'night'>,
): Promise<number> {
  if (group) return (await joinedAmong(db, group.group_id, await listMemberIds(db, group.group_id))).length
  return idsIn(await listNightPlayers(db, night!.night_id)).length
}

/** A link as strangers see it. */
export async function describeInvitation(
  deps: ListDeps,
  { group, night, display_name }: InviteRow,
): Promise<Invitation> {
  const { queries } = deps.database
  if (group)
    return {
      kind: 'group',
      name: group.name,
      title: null,
      invited_by: display_name,
      starts_at: null,
      zone: null,
      in_count: await countComing(queries, { group, night }),
      faces_shown: false,
      faces: [],
      games: [],
    }
  const ids = idsIn(await listNightPlayers(queries, night!.night_id))
  const faces = night!.faces === 1 ? await deps.readCache.players(ids) : []
  return {
    kind: 'night',
    name: night!.title,
    title: night!.title,
    invited_by: display_name,
    starts_at: night!.status === 'dating' ? null : isoTime(night!.starts_at),
    zone: night!.zone,
    in_count: ids.length,
    faces_shown: night!.faces === 1,
    faces: faces
      .filter((player) => player !== undefined)
      .map((player) => ({ display_name: player.display_name, avatar_url: player.avatar_url })),
    games: night!.status === 'decided' ? [] : await gamesAtStake(deps, night!.night_id),
  }
}

/** Names of the games that are at stake in a night, by those who are in. */
async function gamesAtStake(deps: ListDeps, nightId: number): Promise<string[]> {
  const { queries } = deps.database
  const night = await findNight(queries, nightId)
  const players = await listNightPlayers(queries, nightId)
  if (!night || idsIn(players).length < IN_COMMON_MIN) return []
  const { games, known } = await readShortlist(deps, night, players)
  // The games of one player are not at stake, and strangers read nothing of a library that is for groups only.
  if (known.length < IN_COMMON_MIN) return []
  if (known.some(({ player }) => player.library_visibility !== 'connected')) return []
  const best = games.best.slice(0, INVITATION_GAMES_MAX).map((entry) => entry.appid)
  return (await deps.catalogue.games(best)).map(({ details }) => details.name)
}
