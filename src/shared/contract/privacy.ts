/**
 * The user's settings, data export and account deletion.
 * Requirements: API-40.
 */
import { z } from 'zod'
import { isCountry } from '../countries.ts'
import { appidInPath, elsewherePlace, steamId } from '../entities.ts'
import { LANGUAGES } from '../languages.ts'
import { endpoint } from './endpoint.ts'

const self = z.object({ steamId })
const ofGame = self.extend({ gameId: appidInPath })

/** Who may see my library: players I am connected with, only members of groups I have joined, or nobody. */
export const libraryVisibility = z.enum(['connected', 'groups', 'nobody'])
export type LibraryVisibility = z.infer<typeof libraryVisibility>

/** Of the pages. */
const theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof theme>

/** Of pages and calendars; null for the browser's. */
const language = z.enum(LANGUAGES).nullable()

/** Of the store, for prices; null for the server's. */
const country = z.string().refine(isCountry, 'must be the code of a country, such as DE').nullable()

/** What the user's devices are notified of, if they have notifications switched on. */
const notifications = z.object({
  /** I am asked to a game night. */
  asked: z.boolean(),
  /** A night was moved or cancelled. */
  moved: z.boolean(),
  /** The vote is on, and I have not voted. */
  vote: z.boolean(),
  /** A game was picked. */
  picked: z.boolean(),
  /** A night starts in 30 minutes. */
  starting: z.boolean(),
  /** Without names of people, groups, nights and games, because others see a lock screen. */
  discreet: z.boolean(),
})
export type Notifications = z.infer<typeof notifications>

const settings = z.object({
  library_visibility: libraryVisibility,
  theme,
  language,
  country,
  /** Whether my Steam wishlist may be read; false removes what was read (WISH-4). */
  wishlist: z.boolean(),
  notifications,
})
export type Settings = z.infer<typeof settings>

export const privacyContract = {
  settings: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/settings',
    summary:
      'My settings: who may see my library, the theme and language of the pages, the country of prices, my Steam wishlist, and what I am notified of',
    access: 'self',
    params: self,
    response: settings.extend({
      /** Whether the operator's page is open to me. */
      is_operator: z.boolean(),
      /** What came of the last read of my Steam wishlist; 'empty' also when it is private. Null when it may not be read. */
      wishlist_state: z.enum(['waiting', 'ok', 'empty', 'failed']).nullable(),
      /** Games that are stored of it. */
      wishlist_games: z.int(),
      /** Whose prices I see while my country is null. */
      server_country: z.string(),
    }),
  }),
  changeSettings: endpoint({
    method: 'PUT',
    path: '/api/users/:steamId/settings',
    summary: 'Change some of my settings',
    access: 'self',
    params: self,
    body: settings.extend({ notifications: notifications.partial() }).partial(),
    response: settings,
  }),
  hideGame: endpoint({
    method: 'PUT',
    path: '/api/users/:steamId/hidden_games/:gameId',
    summary: 'Hide a game from everyone else: for them it is not in my library',
    access: 'self',
    params: ofGame,
  }),
  unhideGame: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId/hidden_games/:gameId',
    summary: 'Stop hiding a game',
    access: 'self',
    params: ofGame,
  }),
  ownElsewhere: endpoint({
    method: 'PUT',
    path: '/api/users/:steamId/elsewhere/:gameId',
    summary: 'Say that I own a game outside Steam, and where; groups and nights count it as owned',
    access: 'self',
    params: ofGame,
    body: z.object({ where: elsewherePlace }),
  }),
  notElsewhere: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId/elsewhere/:gameId',
    summary: 'Take back that I own a game outside Steam',
    access: 'self',
    params: ofGame,
  }),
  exportAll: endpoint({
    method: 'GET',
    path: '/api/users/:steamId/export',
    summary: 'Everything stored about me',
    access: 'self',
    heavy: true,
    params: self,
    response: z.record(z.string(), z.unknown()),
  }),
  deleteAccount: endpoint({
    method: 'DELETE',
    path: '/api/users/:steamId',
    summary:
      'Delete my account and everything only I own; my groups pass to their longest-standing member who has joined',
    access: 'self',
    params: self,
  }),
}
