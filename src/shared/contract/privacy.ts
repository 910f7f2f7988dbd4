/** What people can do about their own data: see it, take it along, delete it, choose who sees it. */
import { z } from 'zod'
import { steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const self = z.object({ steamId })
const none = z.undefined()

/** Who may see my library: people I am connected with, only those in a group with me, or nobody. */
export const libraryVisibility = z.enum(['connected', 'groups', 'nobody'])
export type LibraryVisibility = z.infer<typeof libraryVisibility>

const settings = z.object({ library_visibility: libraryVisibility })

export const privacyContract = {
  settings: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/settings',
    summary: 'Who may see my library',
    access: 'self',
    params: self,
    body: none,
    response: settings,
  }),
  changeSettings: endpoint({
    method: 'PUT',
    path: '/api/users/:steamId/settings',
    summary: 'Choose who may see my library',
    access: 'self',
    params: self,
    body: settings,
    response: settings,
  }),
  exportAll: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/export',
    summary: 'Everything stored about me',
    access: 'self',
    heavy: true,
    params: self,
    body: none,
    response: z.record(z.string(), z.unknown()),
  }),
  deleteAccount: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId',
    summary:
      'Delete my account and everything only I own; groups I own pass to their longest-standing member who has joined',
    access: 'self',
    status: 204,
    params: self,
    body: none,
    response: z.undefined(),
  }),
}
