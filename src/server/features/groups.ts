/** Groups, their members, pictures and common games (SPEC.md section 7, CONTRACT.md 'Who may do what'). */
import type { Group } from '#shared/entities.ts'
import { gamesCarried, GROUP_MEMBERS_MAX } from '#shared/limits.ts'
import type { groupsContract } from '#shared/contract/groups.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type Handlers, JsonText, kept } from '../http/handlers.ts'
import { sharedGamesInSteps } from '../library/algebra.ts'
import { inSlices } from '../library/slices.ts'
import { validatePictureUrl } from '../pictures/pictures.ts'
import * as groups from '../storage/groups.ts'
import type { Queries, Tx } from '../storage/schema.ts'
import { requireAccount, requireConnected, requireMayRemove, visibleLibraries } from './access.ts'
import { gameList, longGamesText, nullField, numberField, writeFirst, writeObject } from './game-text.ts'
import { isoTime } from './library.ts'
import { readVisibleLibraries, statusShown } from './visible-libraries.ts'

/** Handlers of groups. */
export function groupsHandlers(deps: Deps) {
  const { config, database, recall, sync, catalogue, pictures, clock } = deps
  const { queries } = database

  return {
    list: kept(async ({ params }) => ({
      groups: (await groups.listGroupsOf(queries, params.steamId)).map(groupFace),
    })),

    create: async ({ body, user }) => {
      const group_id = await database.transaction(async (tx) => {
        await requireAccount(database, tx, user)
        return groups.createGroup(tx, { name: body.name, owner: user, at: clock() })
      })
      return { group_id, name: body.name }
    },

    read: kept(async ({ params }) => groupFace(await requireGroup(queries, params.id))),

    members: kept(({ params }) => members(queries, params.id)),

    // All or nobody: the check, the count and the rows are one transaction (CONTRACT.md 'Who may do what').
    addMembers: ({ params, body, user }) =>
      database.transaction(async (tx) => {
        await requireAccount(database, tx, user, body.steam_ids)
        await database.lock(tx, `group:${params.id}`)
        await requireStillMember(tx, params.id, user)
        await requireConnected(tx, user, body.steam_ids)
        await groups.addMembers(tx, params.id, [...new Set(body.steam_ids)], { by: user, at: clock() })
        if ((await groups.countMembers(tx, params.id)) > GROUP_MEMBERS_MAX) throw new AppError('group_full')
        return members(tx, params.id)
      }),

    removeMember: ({ params, user }) =>
      database.transaction(async (tx) => {
        await database.lock(tx, `group:${params.id}`)
        await requireStillMember(tx, params.id, user)
        requireMayRemove(await requireGroup(tx, params.id), user, params.steamId)
        if (!(await groups.removeMember(tx, params.id, params.steamId)))
          throw new AppError('member_not_found')
        return { removed: params.steamId }
      }),

    setPicture: async ({ params, body, user, upload }) => {
      await pictures.requireChangeLeft(user)
      const chosen = upload
        ? await pictures.upload(user, upload)
        : await validatePictureUrl(body.picture_url, config.publicUrl, pictures)
      return database.transaction(async (tx) => {
        await database.lock(tx, `group:${params.id}`)
        // Reading the picture took a while.
        await requireStillMember(tx, params.id, user)
        const shown = await pictures.show(tx, { groupId: params.id, by: user, chosen })
        return { group_id: params.id, picture_url: shown.address, picture_image_url: shown.url }
      })
    },

    sharedGames: kept(async ({ params, user }) => {
      const ids = await recall.memberIds(params.id)
      const owners = await readVisibleLibraries(deps, user, ids)
      const shared = await inSlices(sharedGamesInSteps(owners.map((owner) => owner.library)))
      const carried = shared.slice(0, gamesCarried(owners.length))
      const games = await catalogue.games(carried.map((game) => game.appid))
      const ofOwners = owners.map(({ person }) => numberField(person.steam_id))
      const text = await longGamesText(gameList('shared', games), owners.length, (index) => {
        writeFirst(carried[index]!.total)
        writeObject(MINUTES_OF, ofOwners, carried[index]!.minutes)
      })
      return new JsonText(text, shared.length)
    }),

    syncGames: async ({ body, user }) => {
      const ids = [...new Set(body.steam_ids)]
      const visible = await visibleLibraries(deps, user, ids)
      return sync.syncGroupGames(user, ids, { hidden: new Set(ids.filter((id) => !visible.has(id))) })
    },
  } satisfies Handlers<typeof groupsContract>

  async function members(db: Queries | Tx, groupId: number) {
    return (await groups.listMembers(db, groupId)).map((row) => ({
      user_id: row.steam_id,
      steam_id: row.steam_id,
      display_name: row.display_name,
      avatar_url: row.avatar_url,
      // Members share this group: only a library for nobody is hidden from them.
      library_status: statusShown(row, row.library_visibility !== 'nobody'),
      library_synced_at: isoTime(row.library_synced_at),
    }))
  }
}

const MINUTES_OF = nullField('playtimes')

async function requireGroup(db: Queries | Tx, groupId: number) {
  const group = await groups.findGroup(db, groupId)
  if (!group) throw new AppError('group_not_found')
  return group
}

/** The access rule ran before the lock was held; membership may have ended in between. */
async function requireStillMember(tx: Tx, groupId: number, user: string): Promise<void> {
  if (!(await groups.isMember(tx, groupId, user))) throw new AppError('group_not_found')
}

function groupFace(row: Awaited<ReturnType<typeof requireGroup>>): Group {
  return {
    group_id: row.group_id,
    name: row.name,
    picture_url: row.picture_url,
    picture_image_url: row.picture_key === null ? null : `/media/${row.picture_key}`,
    member_count: row.member_count,
    owner_id: row.owner_steam_id,
    owner_steam_id: row.owner_steam_id,
  }
}
