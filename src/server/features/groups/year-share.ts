/** Years that are shared by link, by the rules of shared picks, and what their pages show (LATELY-5, LATELY-6). */
import type { groupYearShareContract, Year, yearShareContract } from '#shared/contract/year.ts'
import type { SteamId } from '#shared/entities.ts'
import { isolated, visibleName } from '#shared/names.ts'
import { roundedHours } from '#shared/playtime.ts'
import type { Queries, Tx } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Handlers } from '../../endpoint-handler.ts'
import { AppError } from '../../errors.ts'
import { type Card, shareUrl } from '../../share/page.ts'
import { findGroupRow } from '../../storage/groups/group-row.ts'
import {
  asLinkToken,
  deleteYearLinks,
  findYearLink,
  newLinkToken,
  type YearsOf,
} from '../../storage/groups/links.ts'
import { findPlayer, lockPlayers } from '../../storage/players/players.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import { countsOutside, notJoined, requireAccount, requireJoined } from '../access.ts'
import { createYears } from './year.ts'

/** Handlers of the links of users. */
export function yearShareHandlers(deps: Deps) {
  const { database } = deps
  return {
    read: ({ user, params: { year } }) => linkOf(deps, database.queries, { steam_id: user }, year),
    create: ({ user, params: { year } }) =>
      database.transaction(async (tx) => {
        const player = requireAccount(await lockPlayers(tx, [user]), user)
        if (!countsOutside(player)) throw new AppError('sharing_is_off', { reason: 'library_is_limited' })
        return share(deps, tx, { steam_id: user }, year, user)
      }),
    remove: ({ user, params: { year } }) =>
      database.transaction((tx) => deleteYearLinks(tx, { steam_id: user }, year)),
  } satisfies Handlers<typeof yearShareContract>
}

/** Handlers of the links of groups. */
export function groupYearShareHandlers(deps: Deps) {
  const { database, readCache } = deps
  return {
    read: async ({ user, params: { id, year } }) => {
      if (!(await readCache.joinedGroupIds(user)).includes(id)) throw notJoined()
      return linkOf(deps, database.queries, { group_id: id }, year)
    },
    create: ({ user, params: { id, year } }) =>
      database.transaction(async (tx) => {
        await requireJoined(tx, id, user)
        if ((await findGroupRow(tx, id))?.shares === 0) throw new AppError('sharing_is_off')
        return share(deps, tx, { group_id: id }, year, user)
      }),
    remove: ({ user, params: { id, year } }) =>
      database.transaction(async (tx) => {
        await requireJoined(tx, id, user)
        await deleteYearLinks(tx, { group_id: id }, year)
      }),
  } satisfies Handlers<typeof groupYearShareContract>
}

async function linkOf({ config }: Pick<Deps, 'config'>, db: Queries | Tx, of: YearsOf, year: number) {
  const link = await findYearLink(db, of, year)
  return link ? { url: shareUrl(config.publicUrl, link.token) } : null
}

/** Makes a link, or answers the one there is. The user or group is locked. */
async function share(deps: Deps, tx: Tx, of: YearsOf, year: number, user: SteamId) {
  const made = await linkOf(deps, tx, of, year)
  if (made) return made
  const token = newLinkToken()
  const group_id = 'group_id' in of ? of.group_id : null
  const link = { token, created_by: user, group_id, year, created_at: deps.clock() }
  await tx.insertInto('year_links').values(link).execute()
  return { url: shareUrl(deps.config.publicUrl, token) }
}

type PageDeps = Pick<Deps, 'database' | 'readCache' | 'catalogue' | 'clock' | 'config'>

/** A shared year, and the language of who shares it. */
export async function findSharedYear(deps: PageDeps, token: string) {
  const { queries } = deps.database
  const all = queries.selectFrom('year_links').selectAll()
  const link = await all.where('token', '=', asLinkToken(token)).executeTakeFirst()
  const creator = link && (await findPlayer(queries, link.created_by))
  if (!creator) return undefined
  const { group_id, created_by, year } = link
  const group = await findGroupRow(queries, group_id)
  if (group_id !== null && !group) return undefined
  const name = visibleName(group ? group.name : creator.display_name)
  const shownIn = async (texts: ServerTexts) => {
    const years = createYears(deps)
    const read = group
      ? await years.ofGroup(group.group_id, year)
      : await years.ofUser(created_by, year, 'others')
    const pictureOf = ({ image_url }: { image_url: string | null }) =>
      image_url && new URL(image_url, deps.config.publicUrl).href
    const card = {
      above: name === undefined ? null : isolated(name),
      ...cardOf(texts, { ...read, year, isOfGroup: group !== undefined, pictureOf }),
    }
    const [image = '/preview.png'] = read.games.flatMap((game) => pictureOf(game) ?? [])
    return { card, image: new URL(image, deps.config.publicUrl).href }
  }
  return { language: creator.language, by: created_by, shownIn }
}

type Shown = Year & {
  year: number
  isOfGroup: boolean
  pictureOf: (game: Year['games'][number]) => string | null
}

/** What the page of a year shows below the name of its user or group. It names nobody else. */
function cardOf({ language, share: { year: texts } }: ServerTexts, shown: Shown): Omit<Card, 'above'> {
  const { year, months, games, first, nights, pick, since, isOfGroup, pictureOf } = shown
  const words = isOfGroup ? texts.ofGroup : texts.mine
  const locale = language === 'en' ? 'en-GB' : language
  const dated = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(at)
  const said = (amount: number) =>
    isOfGroup ? texts.ofNights({ nights: amount }) : texts.hours({ hours: roundedHours(amount) })
  const known = months.map((amount) => amount ?? 0)
  const hours = isOfGroup ? 0 : roundedHours(known.reduce((sum, amount) => sum + amount, 0))
  const lines = [
    hours > 0 && texts.played({ hours }),
    nights.count > 0 && texts.nights({ nights: nights.count, people: Math.round(nights.people * 10) / 10 }),
    pick && texts.pick({ game: isolated(pick.name) }),
    first.count > 0 && words.first({ games: first.count }),
  ].filter((line) => typeof line === 'string')
  const counted =
    since === null ? texts.notCounted : texts.since({ date: dated(Date.parse(since), { dateStyle: 'long' }) })
  return {
    title: texts.title({ year: String(year) }),
    lines: lines.length > 0 ? lines : [texts.nothing],
    figures: [
      {
        title: words.months,
        rows: months.map((amount, nth) => ({
          name: dated(Date.UTC(year, nth), { month: 'long' }),
          share: known[nth]! / Math.max(1, ...known),
          amount: amount === null ? texts.unknown : said(amount),
        })),
      },
      {
        title: words.games,
        rows: games.map((game) => ({
          name: isolated(game.name),
          picture: pictureOf(game),
          amount: said(game.amount),
        })),
      },
    ].filter(({ rows }) => rows.length > 0 && lines.length > 0),
    note: isOfGroup ? texts.onlyNights : counted,
  }
}
