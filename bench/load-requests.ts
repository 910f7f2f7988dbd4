/** What users request: the reads of the pages, and the writes that users make. */
import { type Population, randomFrom } from './population.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** `token`: the bearer token; `body`: JSON. */
export type LoadRequest = { method: Method; path: string; token: string; body?: string }

/** A typical read of a measured user. `choice` is from 0 to 1. */
export function readOf(population: Population, player: number, choice: number): LoadRequest {
  const paths = readsOf(population, player)
  return { method: 'GET', path: paths[Math.floor(choice * paths.length)]!, token: population.tokens[player]! }
}

/** The reads of a measured user; one that is listed more often is requested more often. */
export function readsOf({ ids, groups }: Population, player: number): string[] {
  const user = `/api/users/${ids[player]}`
  const games = `${user}/games`
  const friends = `${user}/friends_cached`
  const shared = `/api/groups/${groups[player]}/shared_games`
  const myGroups = `${user}/groups`
  const top = `${user}/friends_top_games`
  const owners = `${user}/games/440/friends`
  const total = `${user}/total_playtime`
  // Eighteen, so that each is five per cent of a load of which a tenth writes.
  return [
    ...[games, games, games, games],
    ...[friends, friends, friends],
    ...[shared, shared],
    ...[myGroups, myGroups],
    ...[top, top],
    ...[owners, owners],
    ...[total, total],
    `${user}/sync_status`,
  ]
}

/** The kinds of writes; a write is undone by the next of its kind, so that the population stays as it is. */
const kinds: Record<string, (write: Writing) => LoadRequest[]> = {
  settings: ({ self, id }) => [
    self('PUT', `/api/users/${id}/settings`, { library_visibility: 'groups' }),
    self('PUT', `/api/users/${id}/settings`, { library_visibility: 'connected' }),
  ],
  // In this order, so that no request is refused when the one before it was cut off.
  membership: ({ guest, group }) => [
    guest('POST', `/api/groups/${group}/join`),
    guest('POST', `/api/groups/${group}/leave`),
    guest('POST', `/api/groups/${group}/join`),
  ],
  rename: ({ self, group }) => [
    self('PATCH', `/api/groups/${group}`, { name: 'Friday night' }),
    self('PATCH', `/api/groups/${group}`, { name: 'Saturday night' }),
  ],
  hide: ({ self, id }) => [
    self('PUT', `/api/users/${id}/hidden_games/440`),
    self('DELETE', `/api/users/${id}/hidden_games/440`),
  ],
}

type Write = (method: Method, path: string, body?: object) => LoadRequest
type Writing = { self: Write; guest: Write; id: string; group: number }

/**
 * Endless writes, each kind in turn. The users are the `nth` of each `clients` among the first `active`, so that no
 * two clients change the same user or group. Syncs are of anyone, because a user has only ten a day.
 */
export function* writesOf(
  population: Population,
  { nth, clients, active }: { nth: number; clients: number; active: number },
): Generator<LoadRequest, never> {
  const { ids, tokens, groups, guests } = population
  const random = randomFrom(nth)
  const playerAmong = (players: number) => nth + clients * Math.floor((random() * (players - nth)) / clients)
  const by =
    (player: number): Write =>
    (method, path, body) => ({
      method,
      path,
      token: tokens[player]!,
      ...(body && { body: JSON.stringify(body) }),
    })
  // Clients start with different kinds, since each of them writes rarely.
  const all = Object.values(kinds)
  for (let turn = nth; ; turn++) {
    const player = playerAmong(active)
    yield* all[turn % all.length]!({
      self: by(player),
      guest: by(guests[player]!),
      id: ids[player]!,
      group: groups[player]!,
    })
    if (turn % all.length !== 0) continue
    const syncing = playerAmong(tokens.length)
    yield by(syncing)('POST', `/api/users/${ids[syncing]}/fetch_games`)
  }
}
