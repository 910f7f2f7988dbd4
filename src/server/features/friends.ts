/** A person's friends, and what they play and own (PROD-7, API-13 to API-18, API-47). */
import type { Friend, FriendWithGame, SteamId } from '#shared/entities.ts'
import type { ResponseOf } from '#shared/contract/endpoint.ts'
import type { friendsContract } from '#shared/contract/friends.ts'
import { EXCLUDED_TOP_GAME_APPID, FRIENDS_TOP_GAMES_ROWS } from '#shared/limits.ts'
import type { Deps } from '../deps.ts'
import { type Handlers, RawJson } from '../endpoint-handler.ts'
import { ownersOf, topGames } from '../library/algebra.ts'
import { overlapsInSteps } from '../library/overlap.ts'
import { inSlices } from '../library/slices.ts'
import type { CachedPerson } from '../cache/people-cache.ts'
import { visibilityOfFriends } from './access.ts'
import { isoTime } from '../time.ts'
import { gamePlayed, readLibrariesOfFriends, readVisibleLibraries, statusShown } from './visible-libraries.ts'

type FriendList = ResponseOf<typeof friendsContract.friends>

/** Handlers of the friend list and of what friends own. */
export function friendsHandlers(deps: Pick<Deps, 'database' | 'readCache' | 'sync' | 'catalogue'>) {
  const { readCache, sync, catalogue } = deps
  /** Friends in list order, for as long as the read cache holds them. */
  const ordered = new WeakMap<readonly CachedPerson[], readonly ListedFriend[]>()
  /** The indexes of friends in list order, by their ids: what is nearly sorted is sorted much faster. */
  const lastIndexes = new WeakMap<readonly SteamId[], readonly number[]>()

  return {
    friends: async ({ params, user }) => {
      await sync.refreshPresence(params.steamId)
      await readCache.refreshNow()
      return friendList(user)
    },

    friendsCached: ({ user }) => friendList(user),

    syncFriends: ({ params }) => sync.syncFriends(params.steamId),

    topGames: async ({ user }) => {
      const { readable } = await readLibrariesOfFriends(deps, user)
      const top = topGames(
        readable.map((friend) => friend.library),
        { limit: FRIENDS_TOP_GAMES_ROWS, excludedAppid: EXCLUDED_TOP_GAME_APPID },
      )
      await catalogue.ensure(top.map((game) => game.appid))
      return top.map(({ appid, total }) => ({ ...catalogue.summary(appid), total_playtime: total }))
    },

    gameFriends: async ({ params, user }) => {
      const { readable } = await readLibrariesOfFriends(deps, user)
      const owners = ownersOf(readable, params.gameId).map(
        ({ person, minutes }) => `${listed(person).asOwner}${minutes}}`,
      )
      return new RawJson<FriendWithGame[]>(`[${owners.join(',')}]`)
    },

    // Empty when my own library is unknown or private, as in a comparison.
    overlaps: async ({ user }) => {
      const [me] = await readVisibleLibraries(deps, user, [user])
      if (!me) return []
      const { readable } = await readLibrariesOfFriends(deps, user)
      const overlaps = await inSlices(
        overlapsInSteps(
          me.library,
          readable.map((friend) => friend.library),
        ),
      )
      return overlaps
        .map(({ common, alike }, nth) => ({ steam_id: readable[nth]!.person.steam_id, common, alike }))
        .sort((a, b) => b.common - a.common || (a.steam_id < b.steam_id ? -1 : 1))
    },
  } satisfies Handlers<typeof friendsContract>

  async function friendList(user: SteamId) {
    const [me] = await readCache.people([user])
    const people = await readCache.friends(user)
    const mayShow = await visibilityOfFriends(deps, user, people)
    const friends = ordered.get(people) ?? inOrder(people, await readCache.friendIds(user))
    const rest: Omit<FriendList, 'friends'> = {
      status: me?.friends_status ?? 'never',
      synced_at: isoTime(me?.friends_at),
    }
    const texts = friends.map(({ person, text }) =>
      mayShow(person) ? text.asFriend : friendText(person, false),
    )
    return new RawJson<FriendList>(`{"friends":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`)
  }

  /** Friends in list order: online first, then by name. `ids`: the cached list of their ids, the key of the last order. */
  function inOrder(people: readonly CachedPerson[], ids: readonly SteamId[]): readonly ListedFriend[] {
    const texts = people.map(listed)
    const last = lastIndexes.get(ids)
    const indexes = last?.length === people.length ? [...last] : [...people.keys()]
    indexes.sort((a, b) => (texts[a]!.order < texts[b]!.order ? -1 : 1))
    lastIndexes.set(ids, indexes)
    const friends = indexes.map((index) => ({ person: people[index]!, text: texts[index]! }))
    ordered.set(people, friends)
    return friends
  }
}

/** A person's row in lists, as JSON text, each form from its first use on. */
class ListedPerson {
  readonly #person: CachedPerson
  #asFriend: string | undefined
  #asOwner: string | undefined
  #order: string | undefined

  constructor(person: CachedPerson) {
    this.#person = person
  }

  /** In friend lists, when the library may be shown. */
  get asFriend(): string {
    return (this.#asFriend ??= friendText(this.#person, true))
  }

  /** In the list of a game's owners, up to the value of the minutes. */
  get asOwner(): string {
    return (this.#asOwner ??= ownerText(this.#person))
  }

  /** Sort key in friend lists. */
  get order(): string {
    return (this.#order ??= orderOf(this.#person))
  }
}
type ListedFriend = { person: CachedPerson; text: ListedPerson }

/** Cached, because each person is in many lists. */
const listedPeople = new WeakMap<CachedPerson, ListedPerson>()

function listed(person: CachedPerson): ListedPerson {
  let known = listedPeople.get(person)
  if (!known) listedPeople.set(person, (known = new ListedPerson(person)))
  return known
}

function ownerText({ steam_id, display_name, avatar_url }: CachedPerson): string {
  const owner: Omit<FriendWithGame, 'playtime_minutes'> = { steam_id, display_name, avatar_url }
  return `${JSON.stringify(owner).slice(0, -1)},"playtime_minutes":`
}

/** Online first, then by name; \0 sorts below every character of a name, so that shorter names come first. */
function orderOf({ steam_id, display_name, personastate }: CachedPerson): string {
  return `${personastate > 0 ? 0 : 1}${(display_name ?? steam_id).toLowerCase()}\0${steam_id}`
}

function friendText(person: CachedPerson, mayShow: boolean): string {
  const { steam_id, display_name, avatar_url, personastate } = person
  const library_status = statusShown(person, mayShow)
  return JSON.stringify({
    steam_id,
    display_name,
    avatar_url,
    personastate,
    ...gamePlayed(person, mayShow),
    library_status,
    joined_here: person.signed_in_at !== null,
    ...(person.isFormerFriend && { connected: false }),
  } satisfies Friend)
}
