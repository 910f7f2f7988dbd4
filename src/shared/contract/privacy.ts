/**
 * The user's settings, data export and account deletion.
 * Requirements: API-40.
 */
import { z } from 'zod'
import { appidInPath, steamId } from '../entities.ts'
import { endpoint } from './endpoint.ts'

const self = z.object({ steamId })
const hiddenGame = self.extend({ gameId: appidInPath })
const none = z.undefined()

/** Who may see my library: players I am connected with, only members of groups I have joined, or nobody. */
export const libraryVisibility = z.enum(['connected', 'groups', 'nobody'])
export type LibraryVisibility = z.infer<typeof libraryVisibility>

/** Of the pages. */
const theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof theme>

/** Of pages and calendars; null for the browser's. */
const language = z.enum(['en', 'de']).nullable()

const settings = z.object({ library_visibility: libraryVisibility, theme, language })
export type Settings = z.infer<typeof settings>

export const privacyContract = {
  settings: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/settings',
    summary: 'My settings: who may see my library, and the theme and language of the pages',
    access: 'self',
    params: self,
    body: none,
    response: settings.extend({
      /** Whether the operator's page is open to me. */
      is_operator: z.boolean(),
    }),
  }),
  changeSettings: endpoint({
    method: 'PUT',
    path: '/api/users/:steamId/settings',
    summary: 'Change some of my settings',
    access: 'self',
    params: self,
    body: settings.partial(),
    response: settings,
  }),
  hideGame: endpoint({
    method: 'PUT',
    path: '/api/users/:steamId/hidden_games/:gameId',
    summary: 'Hide a game from everyone else: for them it is not in my library',
    access: 'self',
    status: 204,
    params: hiddenGame,
    body: none,
    response: none,
  }),
  unhideGame: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId/hidden_games/:gameId',
    summary: 'Stop hiding a game',
    access: 'self',
    status: 204,
    params: hiddenGame,
    body: none,
    response: none,
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
      'Delete my account and everything only I own; my groups pass to their longest-standing member who has joined',
    access: 'self',
    status: 204,
    params: self,
    body: none,
    response: z.undefined(),
  }),
}
