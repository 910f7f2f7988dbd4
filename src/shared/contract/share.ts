/** Links by which people share what they picked (NIGHT-75, NIGHT-76). The pages are at `GET /share/{token}`. */
import { z } from 'zod'
import { groupIdInPath } from '../entities.ts'
import { nightIdInPath } from '../nights/entities.ts'
import { endpoint } from './endpoint.ts'

const inNight = z.object({ id: nightIdInPath })
const inGroup = z.object({ id: groupIdInPath })

/** The public page of a pick: whoever has the address sees game, group, date, time and how many are in. */
export const share = z.object({ url: z.string() })

export const nightSettings = z.object({
  /** Whether a 'not tonight' rules a game out, in nights that start from now on. */
  not_tonight_forbids: z.boolean(),
  /** Whether players may make public links to what the group picked. */
  shares: z.boolean(),
})
export type NightSettings = z.infer<typeof nightSettings>

export const shareContract = {
  read: endpoint({
    method: 'GET',
    path: '/api/nights/:id/share',
    summary: 'The public link to a pick; null when there is none',
    access: 'night_player',
    params: inNight,
    response: share.nullable(),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/nights/:id/share',
    summary: 'Make a public link to a pick, or get the one there is (people who are in)',
    access: 'night_player',
    params: inNight,
    response: share,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/nights/:id/share',
    summary: 'Switch the public link to a pick off',
    access: 'night_player',
    params: inNight,
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
