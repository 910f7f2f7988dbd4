/**
 * What a changed cache tag tells whom (LIVE-2). This is the only place that says so. Nobody is told of anything that no
 * call would tell them (LIVE-3): where that depends on more than who is in what, a telling has a condition.
 */
import type { Topic } from '#shared/contract/live.ts'
import type { SteamId } from '#shared/entities.ts'
import type { Kind } from '../database/cache-tags.ts'
import type { Circle, Circles, User } from './circles.ts'

export type Telling = {
  user: User
  topic: Topic
  /** Only if it holds for `user` and the player `about`. */
  only?: Condition
  about?: SteamId
}

/**
 * `friend`: the player is on the user's friend list and connected with them. `friends_games`: and shows the user their
 * library. `friendship`: whether they are connected has changed. `library`: the user may see the player's library.
 * `counts`: or it counts in nights all the same.
 */
export type Condition = 'friend' | 'friends_games' | 'friendship' | 'library' | 'counts'

type Rule = (circles: Circles, id: string) => Iterable<Telling>

const nobody: Rule = () => []

const rules: Record<Kind, Rule> = {
  // What others see of a player has tags of its own.
  person: nobody,

  *profile(circles, id) {
    yield* own(circles, id, 'friends')
    for (const circle of circles.around(id)) {
      if (circle.kind === 'friends') yield* to(circle, circle.topic, { only: 'friend', about: id })
      else if (circle.kind === 'group') yield* to(circle, circle.topic)
      else for (const user of circle.users) if (isShown(circle, user, id)) yield { user, topic: circle.topic }
    }
  },

  *library(circles, id) {
    yield* own(circles, id, 'games', 'sync')
    for (const circle of circles.around(id)) {
      if (circle.kind === 'friends') yield* to(circle, 'games', { only: 'friends_games', about: id })
      else if (circle.kind === 'group') yield* to(circle, circle.topic, { only: 'library', about: id })
      else
        for (const user of circle.users)
          if (isShown(circle, user, id)) {
            const isIn = circle.night!.players.get(id)?.answer === 'in'
            yield { user, topic: circle.topic, only: isIn ? 'counts' : 'library', about: id }
          }
    }
  },

  *refresh(circles, id) {
    yield* own(circles, id, 'sync')
    for (const circle of circles.around(id))
      if (circle.kind === 'friends') yield* to(circle, 'sync', { only: 'friend', about: id })
  },

  sync: (circles, id) => own(circles, id, 'sync'),

  *friends(circles, id) {
    yield* own(circles, id, 'friends', 'sync')
    for (const circle of circles.around(id))
      if (circle.kind === 'friends') yield* to(circle, circle.topic, { only: 'friendship', about: id })
  },

  *group(circles, id) {
    const circle = circles.room(`group:${id}`)
    if (!circle) return
    yield* to(circle, circle.topic)
    yield* to(circle, 'groups')
  },

  *wishes(circles, id) {
    const circle = circles.room(`group:${id}`)
    if (circle) yield* to(circle, circle.topic)
  },

  groups: (circles, id) => own(circles, id, 'groups'),

  *night(circles, id) {
    const circle = circles.room(`night:${id}`)
    if (!circle) return
    for (const user of circle.users)
      if (circle.night!.players.has(user.id)) {
        yield { user, topic: circle.topic }
        // Told of every change, guests cannot tell what others see of it.
        if (circle.isListedAnew || isGuest(circle, user)) yield { user, topic: 'nights' }
      } else if (circle.isListedAnew) yield { user, topic: 'nights' }
  },

  *nights(circles, id) {
    const circle = id.startsWith('g') && circles.room(`group:${id.slice(1)}`)
    if (circle) yield* to(circle, 'nights')
    else yield* own(circles, id, 'nights')
  },

  // `live.ts` looks whether they have ended.
  sessions: nobody,
  app: nobody,
}

/** Whom a change concerns among those with open pages. */
export function tellingsOf(circles: Circles, tag: string): Iterable<Telling> {
  const colon = tag.indexOf(':')
  return rules[tag.slice(0, colon) as Kind](circles, tag.slice(colon + 1))
}

function* own(circles: Circles, id: SteamId, ...topics: Topic[]): Iterable<Telling> {
  const user = circles.users.get(id)
  if (user) for (const topic of topics) yield { user, topic }
}

function* to(
  { users }: Circle,
  topic: Topic,
  condition?: { only: Condition; about: SteamId },
): Iterable<Telling> {
  for (const user of users) yield { user, topic, ...condition }
}

/**
 * Whether a player of a night is shown to a user, who is one too. As `shownOutside` of `features/access.ts` says, without
 * those who can come at a proposed time (NIGHT-151).
 */
function isShown(circle: Circle, user: User, about: SteamId): boolean {
  const { players, host } = circle.night!
  const me = players.get(user.id)
  if (!me) return false
  const seesAll = me.answer === 'in' || !isGuest(circle, user)
  return seesAll || about === user.id || about === host || players.get(about)?.answer === 'in'
}

/** As `isGuest` of `features/access.ts` says. */
function isGuest({ night }: Circle, user: User): boolean {
  const { groupId, host, players } = night!
  if (groupId !== null) return !user.rooms.has(`group:${groupId}`)
  return user.id !== host && !players.get(user.id)!.isAdded
}
