/** Public links to what was picked, and what groups choose for their nights (NIGHT-75 to NIGHT-78). */
import type { NightSettings, Share, shareContract } from '#shared/contract/share.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { noSharePage, sharePage } from '../share/page.ts'
import type { LinkPicture, SharedLink } from '../share/pictures.ts'
import { whenInZone } from '../share/when.ts'
import { readNightSettings } from '../storage/groups.ts'
import { picksOf } from '../storage/night-votes.ts'
import { findNight, listNightPlayers, lockNight } from '../storage/nights.ts'
import { asLinkToken, newLinkToken } from '../storage/link-tokens.ts'
import { changeNightSettings, findShared, setShareToken } from '../storage/shares.ts'
import { requireOwner } from './access.ts'

const HOUR_MS = 60 * 60_000
type ShareDeps = Pick<Deps, 'config' | 'database' | 'catalogue' | 'sharePictures' | 'clock'>

/** Handlers of shared picks. */
export function shareHandlers(deps: ShareDeps) {
  const { config, database } = deps
  const { queries } = database

  return {
    read: async ({ params }) => {
      const token = (await findNight(queries, params.id))?.share_token
      return token ? linkTo(token) : null
    },

    create: ({ params, user }) =>
      database.transaction(async (tx) => {
        const night = await lockNight(tx, params.id)
        const me = (await listNightPlayers(tx, params.id)).find((player) => player.steam_id === user)
        if (!night || !me) throw new AppError('night_not_found')
        if (me.answer !== 'in')
          throw new AppError('forbidden', { text: 'Only people who are in can share the pick.' })
        if (night.status !== 'decided')
          throw new AppError('vote_is_open', { text: 'Nothing has been picked yet.' })
        if (night.group_id !== null && (await readNightSettings(tx, night.group_id))?.shares !== 1)
          throw new AppError('sharing_is_off')
        const token = night.share_token ?? newLinkToken()
        if (night.share_token === null) await setShareToken(tx, params.id, token)
        return linkTo(token)
      }),

    remove: async ({ params }) => {
      await database.transaction(async (tx) => {
        await lockNight(tx, params.id)
        await setShareToken(tx, params.id, null)
      })
      return undefined
    },

    settings: ({ params }) => settings(queries, params.id),

    changeSettings: ({ params, body, user }) =>
      database.transaction(async (tx) => {
        await requireOwner(tx, params.id, user)
        await changeNightSettings(tx, params.id, body)
        return settings(tx, params.id)
      }),
  } satisfies Handlers<typeof shareContract>

  function linkTo(token: string): Share {
    const url = `${config.publicUrl}/share/${token}`
    return { url, image_url: `${url}.png` }
  }
}

/** The page of a shared pick; `isFound` false for the one that says that there is none. */
export async function readSharePage(
  deps: ShareDeps,
  token: string,
): Promise<{ html: string; isFound: boolean }> {
  const pick = await readShared(deps, token)
  const { publicUrl, demo, demoResetHours } = deps.config
  const everyMs = demoResetHours * HOUR_MS
  const nextReset = demo === 'public' ? (Math.floor(deps.clock() / everyMs) + 1) * everyMs : undefined
  if (!pick) return { html: noSharePage(publicUrl, nextReset), isFound: false }
  // Programs that show previews keep a picture by its address, which has its version.
  const picture = await deps.sharePictures(pick)
  return {
    html: sharePage(pick, { publicUrl, url: `${publicUrl}/share/${token}`, picture }, nextReset),
    isFound: true,
  }
}

/** The picture and the game's art of a shared pick; undefined when there is none. */
export async function readSharePicture(deps: ShareDeps, token: string): Promise<SharedLink | undefined> {
  const pick = await readShared(deps, token)
  return pick && deps.sharePictures(pick)
}

async function readShared(
  { database, catalogue }: ShareDeps,
  token: string,
): Promise<LinkPicture | undefined> {
  const { queries } = database
  const night = await findShared(queries, asLinkToken(token))
  const appid = night && (await picksOf(queries, [night.night_id])).get(night.night_id)
  if (appid === undefined) return undefined
  const { night_id, group_id, name: above, starts_at, zone, in: count } = night!
  await catalogue.ensure([appid])
  const { name: title, image_url } = catalogue.summary(appid)
  return {
    link: `night ${night_id}`,
    group: group_id === null ? `night ${night_id}` : `group ${group_id}`,
    title,
    above,
    lines: [whenInZone(starts_at, zone), count === 1 ? '1 is in' : `${count} are in`],
    imageUrl: image_url,
  }
}

async function settings(db: Queries | Tx, groupId: number): Promise<NightSettings> {
  const row = await readNightSettings(db, groupId)
  if (!row) throw new AppError('group_not_found')
  return { not_tonight_forbids: row.not_tonight_forbids === 1, shares: row.shares === 1 }
}
