/**
 * Who is concerned when something of a player, a group or a night changes, among the users who have a page open at this
 * server. Their friends, groups and nights are kept here and no others, so a change costs nothing where nobody looks.
 */
import type { Topic } from '#shared/contract/live.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Queries } from '../database/schema.ts'
import { listMemberIdsByGroup } from '../storage/groups/memberships.ts'
import { readRooms, readWatchedNights, type WatchedNight } from '../storage/players/watched.ts'

/** What a user may know of others, as the access rules say. */
export type Sees = {
  /** Those on the user's friend list, or some of them: whether they are connected, and whether they show their library. */
  friends(
    among?: readonly SteamId[],
  ): Promise<readonly { steam_id: SteamId; isConnected: boolean; isLibraryShown: boolean }[]>
  /** Those whose libraries the user may see. */
  libraries(of: readonly SteamId[]): Promise<ReadonlySet<SteamId>>
  /** Those whose libraries count in every night that they are in. */
  counting(of: readonly SteamId[]): Promise<ReadonlySet<SteamId>>
}

/** A user with an open page. */
export type User = {
  readonly id: SteamId
  readonly sees: Sees
  /** The user's friends; undefined before they were read. */
  friends: Circle | undefined
  /** Those on the friend list with whom the user is not connected, as was last told. */
  former: Set<SteamId>
  readonly groups: Map<number, Circle>
  readonly nights: Map<number, Circle>
}

/** People, and the users who are concerned by what they do. */
export type Circle = {
  readonly kind: 'friends' | 'group' | 'night'
  readonly id: SteamId | number
  /** What its users are told when something in it changes. */
  readonly topic: Topic
  readonly users: Set<User>
  people: readonly SteamId[]
  /** Of a night. Its users are also those members of its group who are not its players. */
  night?: WatchedNight | undefined
  /** Whether what lists show of the night has changed since it was read before. */
  isListedAnew?: boolean
}

/** Of how many users friends are read at a time. */
const AT_ONCE = 20

export type Circles = ReturnType<typeof createCircles>

/** The circles of one server. */
export function createCircles(queries: Queries, clock: () => number) {
  const users = new Map<SteamId, User>()
  const groups = new Map<number, Circle>()
  const nights = new Map<number, Circle>()
  /** The circles that a player is in; nearly always one, so that is not worth a set. */
  const byPlayer = new Map<SteamId, Circle | Set<Circle>>()

  function around(player: SteamId): Iterable<Circle> {
    const found = byPlayer.get(player)
    return found === undefined ? [] : found instanceof Set ? found : [found]
  }

  function setPeople(circle: Circle, people: readonly SteamId[]): void {
    for (const player of circle.people) {
      const found = byPlayer.get(player)
      if (found === circle) byPlayer.delete(player)
      else if (found instanceof Set && found.delete(circle) && found.size === 0) byPlayer.delete(player)
    }
    circle.people = people
    for (const player of people) {
      const found = byPlayer.get(player)
      if (found === undefined) byPlayer.set(player, circle)
      else if (found instanceof Set) found.add(circle)
      else byPlayer.set(player, new Set([found, circle]))
    }
  }

  /** Puts a user into these circles of a kind and out of others; returns those that are new. */
  function enter(
    user: User,
    kind: 'group' | 'night',
    all: Map<number, Circle>,
    ids: ReadonlySet<number>,
  ): Circle[] {
    const mine = kind === 'group' ? user.groups : user.nights
    for (const [id, circle] of mine) if (!ids.has(id)) leave(user, circle, all, mine)
    const added: Circle[] = []
    for (const id of ids) {
      if (mine.has(id)) continue
      let circle = all.get(id)
      if (!circle) {
        circle = { kind, id, topic: `${kind}:${id}`, users: new Set(), people: [] }
        all.set(id, circle)
        added.push(circle)
      }
      circle.users.add(user)
      mine.set(id, circle)
    }
    return added
  }

  function leave(user: User, circle: Circle, all: Map<number, Circle>, mine: Map<number, Circle>): void {
    mine.delete(Number(circle.id))
    circle.users.delete(user)
    if (circle.users.size > 0) return
    setPeople(circle, [])
    all.delete(Number(circle.id))
  }

  async function readFriends(user: User): Promise<void> {
    const friends = await user.sees.friends()
    if (users.get(user.id) !== user) return
    user.friends ??= { kind: 'friends', id: user.id, topic: 'friends', users: new Set([user]), people: [] }
    setPeople(
      user.friends,
      friends.map((friend) => friend.steam_id),
    )
    user.former = new Set(friends.filter((friend) => !friend.isConnected).map((friend) => friend.steam_id))
  }

  /** Reads which groups and nights users are in, and those that are new here. */
  async function enterRooms(of: readonly User[]): Promise<void> {
    const rooms = await readRooms(
      queries,
      of.map((user) => user.id),
      clock(),
    )
    const groupsOf = Map.groupBy(rooms.memberships, (row) => row.steam_id)
    const playedBy = Map.groupBy(rooms.played, (row) => row.steam_id)
    const nightsOf = Map.groupBy(rooms.ofGroups, (row) => row.group_id!)
    const added: Circle[] = []
    for (const user of of) {
      if (users.get(user.id) !== user) continue
      const groupIds = (groupsOf.get(user.id) ?? []).map((row) => row.group_id)
      const nightIds = [
        ...(playedBy.get(user.id) ?? []),
        ...groupIds.flatMap((groupId) => nightsOf.get(groupId) ?? []),
      ].map((row) => row.night_id)
      added.push(...enter(user, 'group', groups, new Set(groupIds)))
      added.push(...enter(user, 'night', nights, new Set(nightIds)))
    }
    await readPeople(added)
  }

  async function readPeople(circles: readonly Circle[]): Promise<void> {
    const idsOf = (kind: Circle['kind']) =>
      circles.filter((circle) => circle.kind === kind).map((circle) => Number(circle.id))
    const [members, read] = await Promise.all([
      listMemberIdsByGroup(queries, idsOf('group')),
      readWatchedNights(queries, idsOf('night')),
    ])
    for (const circle of circles) {
      // Everybody may have left meanwhile.
      if (circle.users.size === 0) continue
      if (circle.kind === 'group') setPeople(circle, members.get(Number(circle.id)) ?? [])
      if (circle.kind !== 'night') continue
      const night = read.get(Number(circle.id)) ?? GONE
      circle.isListedAnew = night.listed !== circle.night?.listed
      circle.night = night
      setPeople(circle, [...night.players.keys()])
    }
  }

  return {
    around,
    user: (id: SteamId) => users.get(id),
    users: () => users.values(),
    group: (id: number) => groups.get(id),
    night: (id: number) => nights.get(id),

    /** The user of this id, who is added without circles. */
    add(id: SteamId, sees: Sees): User {
      const known = users.get(id)
      if (known) return known
      const user: User = {
        id,
        sees,
        friends: undefined,
        former: new Set(),
        groups: new Map(),
        nights: new Map(),
      }
      users.set(id, user)
      return user
    },

    remove(user: User): void {
      users.delete(user.id)
      enter(user, 'group', groups, new Set())
      enter(user, 'night', nights, new Set())
      if (user.friends) setPeople(user.friends, [])
    },

    /**
     * Reads again what these tags are about, and all circles of `added`. Afterwards every circle has the right users.
     */
    async update(tags: Iterable<string>, isEverything: boolean, added: Iterable<User>): Promise<void> {
      const befriended = new Set(isEverything ? users.values() : added)
      const moved = new Set(befriended)
      const stale = new Set(isEverything ? [...groups.values(), ...nights.values()] : [])
      for (const tag of tags) {
        const [kind, id] = tag.split(':') as [string, string]
        const user = users.get(id)
        if (user && kind === 'friends') befriended.add(user)
        if (user && (kind === 'groups' || kind === 'nights')) moved.add(user)
        const group = groups.get(Number(kind === 'nights' ? id.slice(1) : id))
        if (group && kind === 'group') stale.add(group)
        if (group && kind === 'nights' && id.startsWith('g'))
          for (const member of group.users) moved.add(member)
        const night = kind === 'night' ? nights.get(Number(id)) : undefined
        if (night) stale.add(night)
      }
      for (const some of chunksOf(befriended)) await Promise.all(some.map(readFriends))
      if (moved.size > 0) await enterRooms([...moved])
      if (stale.size > 0) await readPeople([...stale])
    },
  }
}

function chunksOf(users: ReadonlySet<User>): User[][] {
  const all = [...users]
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, nth) =>
    all.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE),
  )
}

/** A night that was deleted. */
const GONE: WatchedNight = { groupId: null, host: null, players: new Map(), listed: '' }
