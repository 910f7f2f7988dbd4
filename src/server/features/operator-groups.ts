/** Groups on the operator's page: those that were reported, or whose owner is blocked (OPER-14). */
import type { operatorContract } from '#shared/contract/operator.ts'
import { OPERATOR_LIST_MAX } from '#shared/limits.ts'
import type { Queries, Tx } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import type { BodyOf } from '#shared/contract/endpoint.ts'
import type { Handlers } from '../endpoint-handler.ts'
import { AppError } from '../errors.ts'
import { pictureImageUrl } from '../pictures/pictures.ts'
import {
  deleteReports,
  findModerated,
  listCandidates,
  listReportedGroups,
  listReports,
} from '../storage/group-reports.ts'
import { changeGroup, deleteGroups, lockGroup } from '../storage/groups.ts'
import { addLogEntry } from '../storage/operator-log.ts'
import { lockPlayers } from '../storage/players.ts'
import { makeOwner } from './groups.ts'
import { profileOf } from './visible-libraries.ts'

type Change = BodyOf<(typeof operatorContract)['changeGroup']>

/** Handlers of groups for operators. */
export function operatorGroupsHandlers({ database, pictures, clock }: Deps) {
  const { queries } = database

  return {
    reports: async () => {
      const ids = await listReportedGroups(queries, OPERATOR_LIST_MAX)
      const groups = await Promise.all(ids.map((id) => find(queries, id)))
      // One may have been deleted.
      return groups.filter((group) => group !== undefined)
    },

    group: async ({ params }) => {
      const group = await find(queries, params.id)
      if (!group) throw new AppError('group_not_found')
      return group
    },

    changeGroup: ({ params: { id }, body, user }) =>
      database.transaction(async (tx) => {
        const newOwner = body.action === 'hand_over' ? body.steam_id : undefined
        const player = newOwner === undefined ? undefined : (await lockPlayers(tx, [newOwner])).get(newOwner)
        const group = await lockGroup(tx, id)
        if (!group || !(await findModerated(tx, id))) throw new AppError('group_not_found')
        await change(tx, id, body, group.owner_steam_id === newOwner ? undefined : player)
        await addLogEntry(tx, {
          at: clock(),
          operator: user,
          action: body.action,
          account: newOwner ?? null,
          group_id: id,
          detail: body.action === 'rename_group' ? `${group.name} → ${body.name}` : group.name,
          reason: body.reason,
        })
      }),
  } satisfies Partial<Handlers<typeof operatorContract>>

  async function change(
    tx: Tx,
    groupId: number,
    body: Change,
    newOwner: Parameters<typeof makeOwner>[3],
  ): Promise<void> {
    switch (body.action) {
      case 'rename_group':
        return changeGroup(tx, groupId, { name: body.name })
      case 'remove_picture':
        return pictures.remove(tx, groupId)
      case 'hand_over':
        return makeOwner(tx, groupId, body.steam_id, newOwner, clock())
      case 'delete_group':
        return deleteGroups(tx, [groupId])
      case 'dismiss_reports':
        await deleteReports(tx, groupId)
    }
  }
}

async function find(db: Queries, groupId: number) {
  const group = await findModerated(db, groupId)
  if (!group) return undefined
  const [members, reports] = await Promise.all([listCandidates(db, groupId), listReports(db, groupId)])
  return {
    group_id: group.group_id,
    name: group.name,
    picture_image_url: pictureImageUrl(group.picture_key),
    owner: {
      steam_id: group.owner_steam_id,
      display_name: group.owner_name,
      avatar_url: group.owner_avatar,
    },
    member_count: members.length,
    candidates: members
      .filter(
        ({ steam_id, joined_at, blocked_at }) =>
          joined_at !== null && blocked_at === null && steam_id !== group.owner_steam_id,
      )
      .map((member) => profileOf(member.steam_id, member)),
    reports: reports.map((report) => ({ ...report, at: new Date(report.at).toISOString() })),
  }
}
