/**
 * What responses of the calls of ENT-1 to ENT-16 may lack: the fields that were added to them, and the object around a
 * list (API-2, API-51). Everything else in the pages relies on the contract's types.
 */
import type { EndpointName } from './request.ts'

type Row = Record<string, unknown>

const fromStore = { modes: [], features: [], kind: null }
const game = { playtime_2weeks_minutes: 0, last_played_at: null, icon_url: null, ...fromStore }
const friend = { playing: null, playing_appid: null, library_status: 'ok', joined_here: false }
const group = { picture_image_url: null, joined: true, added_by: null }
const member = { joined: true, library_status: 'ok', library_synced_at: null }
const list = { status: 'ok', synced_at: null }

const friends = (body: unknown) => listed('friends', friend, list)(body)

const completions: Partial<Record<EndpointName, (body: unknown) => unknown>> = {
  'GET /api/users/:steamId/games': listed('games', game, { ...list, hidden: [] }),
  'GET /api/users/:steamId/friends': friends,
  'GET /api/users/:steamId/friends_cached': friends,
  'GET /api/users/:steamId/groups': listed('groups', group, { left: [] }),
  'GET /api/users/:steamId/summary_local': (body) => ({ avatar_url: null, ...(body as Row) }),
  'GET /api/compare/:mySteamId/:friendSteamId': (body) => rows(body, fromStore),
  'GET /api/groups/:id': (body) => ({ ...group, ...(body as Row) }),
  'GET /api/groups/:id/members': (body) => rows(body, member),
  'GET /api/groups/:id/shared_games': (body) => rows(body, fromStore),
}

/** The body of a successful response, with what it may lack. */
export function completed(name: EndpointName, body: unknown): unknown {
  return completions[name]?.(body) ?? body
}

/** For a list, or an object that holds it under this name. */
function listed(name: string, added: Row, around: Row) {
  return (body: unknown) => {
    const object = Array.isArray(body) ? { [name]: body } : (body as Row)
    return { ...around, ...object, [name]: rows(object[name] ?? [], added) }
  }
}

/** All rows have one shape, so checking the first for missing fields is enough; lists have thousands. */
function rows(body: unknown, added: Row): readonly Row[] {
  const given = body as readonly Row[]
  const first = given[0]
  if (first === undefined || Object.keys(added).every((field) => field in first)) return given
  return given.map((row) => ({ ...added, ...row }))
}
