/** Public links to what was picked, and what groups choose for their nights (NIGHT-75, NIGHT-76). */
import type { NightSettings, shareContract } from '#shared/contract/share.ts'
import { languageOfHeader } from '#shared/languages.ts'
import { DEMO_RESET_MS } from '#shared/limits.ts'
import { isolated, visibleName } from '#shared/names.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { type Card, noSharePage, pictureOrigins, sharePage, shareUrl } from '../../share/page.ts'
import { findGroupRow } from '../../storage/groups/group-row.ts'
import { listNightPlayers, lockNight, pickOf } from '../../storage/nights/nights.ts'
import { chosenLanguage } from '../../storage/players/players.ts'
import { type ServerTexts, whenInZone } from '../../texts/texts.ts'
import { changeGroup } from '../../storage/groups/groups.ts'
import { asLinkToken, deleteYearLinks, newLinkToken } from '../../storage/groups/links.ts'
import { asPlayer, isGuest, requireOwner } from '../access.ts'
import { findSharedYear } from '../groups/year-share.ts'
import { countLacking } from './shortlist.ts'

type ShareDeps = Pick<Deps, 'readCache' | 'config' | 'database' | 'catalogue' | 'textsOf' | 'clock'>

export function shareHandlers(deps: ShareDeps) {
  const { config, database } = deps
  const { queries } = database

  return {
    read: async ({ found: { night } }) =>
      night.share_token === null ? null : { url: shareUrl(config.publicUrl, night.share_token) },

    create: ({ params, user }) =>
      database.transaction(async (tx) => {
        const { night, me } = await asPlayer(tx, await lockNight(tx, params.id), user)
        if (me.answer !== 'in') throw new AppError('forbidden', { reason: 'only_those_in_share' })
        if (night.status !== 'decided') throw new AppError('vote_is_open', { reason: 'nothing_picked' })
        if ((await findGroupRow(tx, night.group_id))?.shares === 0) throw new AppError('sharing_is_off')
        const token = night.share_token ?? newLinkToken()
        if (night.share_token === null) await setShareToken(tx, params.id, token)
        return { url: shareUrl(config.publicUrl, token) }
      }),

    remove: ({ params, user }) =>
      database.transaction(async (tx) => {
        const { night, me } = await asPlayer(tx, await lockNight(tx, params.id), user)
        if (me.answer !== 'in' && (await isGuest(deps, night, me)))
          throw new AppError('forbidden', { reason: 'only_those_in_share' })
        await setShareToken(tx, params.id, null)
      }),

    settings: ({ params }) => settings(queries, params.id),

    changeSettings: ({ params, body, user }) =>
      database.transaction(async (tx) => {
        await requireOwner(tx, params.id, user)
        const { not_tonight_forbids, shares } = body
        if (Object.keys(body).length > 0)
          await changeGroup(tx, params.id, {
            ...(not_tonight_forbids !== undefined && { not_tonight_forbids: not_tonight_forbids ? 1 : 0 }),
            ...(shares !== undefined && { shares: shares ? 1 : 0 }),
          })
        // Its links are gone for good.
        if (shares === false) {
          await deleteYearLinks(tx, { group_id: params.id })
          await tx
            .updateTable('nights')
            .set({ share_token: null })
            .where('group_id', '=', params.id)
            .where('share_token', 'is not', null)
            .execute()
        }
        return settings(tx, params.id)
      }),
  } satisfies Handlers<typeof shareContract>
}

export type SharePage = Awaited<ReturnType<typeof findSharePage>>

/**
 * The page of a shared pick or year, or the one that says that there is none: who made its link, a key of the link and
 * the language, and how it is written.
 */
export async function findSharePage(deps: ShareDeps, token: string, acceptLanguage: string | undefined) {
  const shared = (await readShared(deps, token)) ?? (await findSharedYear(deps, token))
  const texts = deps.textsOf(languageOfHeader(acceptLanguage, shared?.language ?? 'en'))
  const { publicUrl, demo } = deps.config
  const nextReset =
    demo === 'public' ? (Math.floor(deps.clock() / DEMO_RESET_MS) + 1) * DEMO_RESET_MS : undefined
  const place = { publicUrl, texts, nextReset }
  const isFound = shared !== undefined
  const write = async () => {
    if (!shared) return { isFound, html: noSharePage(place), pictures: [] }
    const { card, image } = await shared.shownIn(texts)
    const link = { url: shareUrl(publicUrl, asLinkToken(token)), image }
    // `pictures`: the origins of its pictures.
    return { isFound, html: sharePage(card, link, place), pictures: pictureOrigins(card) }
  }
  return { isFound, by: shared?.by ?? '', page: `${asLinkToken(token)} ${texts.language}`, write }
}

/** A shared pick with the game's picture, and the host's language: programs that show previews have none (LANG-7). */
async function readShared(deps: ShareDeps, token: string) {
  const { catalogue } = deps
  const { queries } = deps.database
  const night = await queries
    .selectFrom('nights')
    .select(['night_id', 'host_steam_id', 'starts_at', 'zone', 'group_id'])
    .where('share_token', '=', asLinkToken(token))
    .where('status', '=', 'decided')
    .executeTakeFirst()
  if (!night) return undefined
  const { night_id, host_steam_id, group_id, starts_at, zone } = night
  const group = await findGroupRow(queries, group_id)
  const appid = await pickOf(queries, night_id)
  if (group?.shares === 0 || appid === null) return undefined
  const above = visibleName(group?.name)
  const [game] = await catalogue.games([appid])
  const { name, image_url } = game!.details
  const image = new URL(image_url ?? '/preview.png', deps.config.publicUrl).href
  const coming = (await listNightPlayers(queries, night_id)).filter(({ answer }) => answer === 'in')
  const lacking = await countLacking(deps, coming, appid)
  const language = host_steam_id === null ? null : await chosenLanguage(queries, host_steam_id)
  const cardIn = (texts: ServerTexts): Card => ({
    title: isolated(name),
    above: above === undefined ? null : isolated(above),
    lines: [
      whenInZone(texts, starts_at, zone),
      texts.share.in({ count: coming.length }),
      ...(lacking > 0 ? [texts.share.lacking({ count: lacking })] : []),
    ],
  })
  return {
    language,
    by: host_steam_id,
    shownIn: async (texts: ServerTexts) => ({ card: cardIn(texts), image }),
  }
}

/** Sets or removes the link of a locked night; it is in nothing that is cached. */
async function setShareToken(tx: Tx, nightId: number, token: string | null): Promise<void> {
  await tx.updateTable('nights').set({ share_token: token }).where('night_id', '=', nightId).execute()
}

async function settings(db: Queries | Tx, groupId: number): Promise<NightSettings> {
  const row = await findGroupRow(db, groupId)
  if (!row) throw new AppError('group_not_found')
  return { not_tonight_forbids: row.not_tonight_forbids === 1, shares: row.shares === 1 }
}
