/**
 * Links by which people share what they picked (NIGHT-75, NIGHT-76) and their years (LATELY-5, LATELY-6). The pages are at
 * `GET /share/{token}`.
 */
import { z } from 'zod'
import { groupIdInPath } from '../entities.ts'
import { nightIdInPath } from '../nights/entities.ts'
import { type Access, endpoint } from './endpoint.ts'

const inNight = z.object({ id: nightIdInPath })
const inGroup = z.object({ id: groupIdInPath })

/** The public page, for whoever has the address. */
const share = z.object({ url: z.string() })

/** The calls of a public link. @param of what it shows @param by who makes it */
export function linkTo<Path extends string, Rule extends Access, Params extends z.ZodObject>(
  path: Path,
  { access, params, of, by }: { access: Rule; params: Params; of: string; by: string },
) {
  const calls = { path, access, params }
  return {
    read: endpoint({
      ...calls,
      method: 'GET',
      summary: `The public link to ${of}; null when there is none`,
      response: share.nullable(),
    }),
    create: endpoint({
      ...calls,
      method: 'POST',
      summary: `Make a public link to ${of}, or get the one there is (${by})`,
      response: share,
    }),
    remove: endpoint({ ...calls, method: 'DELETE', summary: `Switch the public link to ${of} off` }),
  }
}

export const nightSettings = z.object({
  /** Whether a 'not tonight' rules a game out, in nights that start from now on. */
  not_tonight_forbids: z.boolean(),
  /** Whether players and members may make public links to what the group picked. */
  shares: z.boolean(),
})
export type NightSettings = z.infer<typeof nightSettings>

export const shareContract = {
  ...linkTo('/api/nights/:id/share', {
    access: 'night_player',
    params: inNight,
    of: 'a pick',
    by: 'people who are in',
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/groups/:id/night_settings',
    summary: 'What a group has chosen for its game nights',
    access: 'group_member',
    params: inGroup,
    response: nightSettings,
  }),
  changeSettings: endpoint({
    method: 'PUT',
    path: '/api/groups/:id/night_settings',
    summary:
      'Choose for the game nights of a group; when it stops sharing, all its links are gone (owner only)',
    access: 'group_owner',
    params: inGroup,
    body: nightSettings.partial(),
    response: nightSettings,
  }),
}
