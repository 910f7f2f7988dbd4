/**
 * Who is concerned when something of a player, a group or a night changes, among the users who have a page open at this
 * server. Their friends, groups and nights are kept here and no others, so a change costs nothing where nobody looks.
 */
import type { Topic } from '#shared/contract/live.ts'
import type { SteamId } from '#shared/entities.ts'
import { column } from '../database/chunks.ts'
import type { Queries } from '../database/schema.ts'
import { listMemberIdsByGroup } from '../storage/groups/memberships.ts'
import { readRooms, readWatchedNights, type WatchedNight } from '../storage/players/watched.ts'

/** An open response that sends events; `http/event-streams.ts` implements it. */
export type EventStream = {
  /** Says what has changed. A client that is not ready gets everything that it missed as one event. */
  send(topics: Iterable<Topic>): void
  end(): void
  /** Calls `listener` once, when the response has ended for any reason. */
  onClose(listener: () => void): void
}

/** What a user may know of others, as the access rules say. */
export type Sees = {
  /** Those on the user's friend list, or some of them: whether they are connected, and whether they show their library. */
  friends(
    among?: readonly SteamId[],
  ): Promise<readonly { steam_id: SteamId; isConnected: boolean; isLibraryShown: boolean }[]>
  /** Whether the user may see players' libraries, and whether these count in every night that their owners are in. */
  libraries(of: readonly SteamId[]): Promise<ReadonlyMap<SteamId, { isShown: boolean; counts: boolean }>>
}

/** An open page. */
export type Page = {
  readonly tokenHash: string
  readonly stream: EventStream
  /** When its session ends if it is not used. */
  expiresAt: number
  /** While it waits to be let in. */
  opening: { letIn: () => void; refuse: (error: unknown) => void } | undefined
}

/** A user with open pages. */
export type User = {
  readonly id: SteamId
  readonly sees: Sees
  readonly pages: Set<Page>
  readonly friends: Circle
  /** Those on the friend list with whom the user is not connected, as was last told. */
  former: Set<SteamId>
  /** The user's groups and nights, by topic. */
  readonly rooms: Map<string, Circle>
}

/** People, and the users who are concerned by what they do. */
export type Circle = {
  readonly kind: 'friends' | 'group' | 'night'
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
  /** Groups and nights, by topic. */
  const rooms = new Map<string, Circle>()
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

  /** Puts a user into these rooms and out of others; returns those that are new here. */
  function enter(user: User, topics: ReadonlySet<RoomTopic>): Circle[] {
    for (const [topic, circle] of user.rooms) {
      if (topics.has(topic as RoomTopic)) continue
      user.rooms.delete(topic)
      circle.users.delete(user)
      if (circle.users.size > 0) continue
      setPeople(circle, [])
      rooms.delete(topic)
    }
    const added: Circle[] = []
    for (const topic of topics) {
      let circle = rooms.get(topic)
      if (!circle) {
        const kind = topic.startsWith('group') ? 'group' : 'night'
        circle = { kind, topic, users: new Set(), people: [] }
        rooms.set(topic, circle)
        added.push(circle)
      }
      circle.users.add(user)
      user.rooms.set(topic, circle)
    }
    return added
  }

  async function readFriends(user: User): Promise<void> {
    const friends = await user.sees.friends()
    if (users.get(user.id) !== user) return
    setPeople(user.friends, column(friends, 'steam_id'))
    user.former = new Set(friends.filter((friend) => !friend.isConnected).map((friend) => friend.steam_id))
  }

  /** Reads which groups and nights users are in, and those that are new here. */
  async function enterRooms(of: readonly User[]): Promise<void> {
    const found = await readRooms(queries, column(of, 'id'), clock())
    const groupsOf = Map.groupBy(found.memberships, (row) => row.steam_id)
    const playedBy = Map.groupBy(found.played, (row) => row.steam_id)
    const nightsOf = Map.groupBy(found.ofGroups, (row) => row.group_id!)
    const added: Circle[] = []
    for (const user of of) {
      if (users.get(user.id) !== user) continue
      const topics = new Set<RoomTopic>()
      for (const { group_id } of groupsOf.get(user.id) ?? []) {
        topics.add(`group:${group_id}`)
        for (const { night_id } of nightsOf.get(group_id) ?? []) topics.add(`night:${night_id}`)
      }
      for (const { night_id } of playedBy.get(user.id) ?? []) topics.add(`night:${night_id}`)
      added.push(...enter(user, topics))
    }
    await readPeople(added)
  }

  async function readPeople(circles: readonly Circle[]): Promise<void> {
    const idsOf = (kind: Circle['kind']) =>
      circles.filter((circle) => circle.kind === kind).map(({ topic }) => idIn(topic))
    const [members, read] = await Promise.all([
      listMemberIdsByGroup(queries, idsOf('group')),
      readWatchedNights(queries, idsOf('night')),
    ])
    for (const circle of circles) {
      // Everybody may have left since.
      if (circle.users.size === 0) continue
      const id = idIn(circle.topic)
      if (circle.kind === 'group') setPeople(circle, members.get(id) ?? [])
      else {
        const night = read.get(id) ?? GONE
        circle.isListedAnew = night.listed !== circle.night?.listed
        circle.night = night
        setPeople(circle, [...night.players.keys()])
      }
    }
  }

  return {
    users,
    around,
    /** A group or night that one of the users is in or sees, by topic. */
    room: (topic: string) => rooms.get(topic),

    /** The user of this id, who is added without circles. */
    add(id: SteamId, sees: Sees): User {
      const known = users.get(id)
      if (known) return known
      const friends: Circle = { kind: 'friends', topic: 'friends', users: new Set(), people: [] }
      const user: User = { id, sees, pages: new Set(), friends, former: new Set(), rooms: new Map() }
      friends.users.add(user)
      users.set(id, user)
      return user
    },

    remove(user: User): void {
      users.delete(user.id)
      enter(user, new Set())
      setPeople(user.friends, [])
    },

    /**
     * Reads again what these tags are about, and all circles of `added`. Afterwards every circle has the right users.
     */
    async update(tags: Iterable<string>, isEverything: boolean, added: Iterable<User>): Promise<void> {
      const befriended = new Set(isEverything ? users.values() : added)
      const moved = new Set(befriended)
      const stale = new Set(isEverything ? rooms.values() : [])
      for (const tag of tags) {
        const [kind, id] = tag.split(':') as [string, string]
        const user = users.get(id)
        if (user && kind === 'friends') befriended.add(user)
        if (user && (kind === 'groups' || kind === 'nights')) moved.add(user)
        const room = rooms.get(tag)
        if (room) stale.add(room)
        if (kind === 'nights' && id.startsWith('g'))
          for (const member of rooms.get(`group:${id.slice(1)}`)?.users ?? []) moved.add(member)
      }
      const toRead = [...befriended]
      while (toRead.length > 0) await Promise.all(toRead.splice(0, AT_ONCE).map(readFriends))
      if (moved.size > 0) await enterRooms([...moved])
      if (stale.size > 0) await readPeople([...stale])
    },
  }
}

type RoomTopic = Extract<Topic, `${string}:${number}`>

const idIn = (topic: Topic) => Number(topic.slice(topic.indexOf(':') + 1))

/** A night that was deleted. */
const GONE: WatchedNight = { groupId: null, host: null, players: new Map(), listed: '' }
