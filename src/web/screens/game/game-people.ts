/** Logic of a game's page: who of my friends plays it, owns it or is in it. */
import type { Friend, GamePage, Player } from '#shared/entities.ts'

/** A friend on the page; `minutes` is null when their library is not known. */
export type FriendOfGame = Player & Pick<Friend, 'personastate' | 'playing'> & { minutes: number | null }

export type GamePeople = {
  /** In the game now, whether or not their library is known. */
  now: FriendOfGame[]
  /** The others who have played it, most hours first. */
  plays: FriendOfGame[]
  /** The others who own it and have never played it. */
  owns: FriendOfGame[]
  /** The most minutes of any of them, for the bars. */
  most: number
}

/**
 * Parts the friends of a game. Each stands in one part only, in the given order.
 * @param page its friends are in order of playtime
 * @param friends the stored friend list, which also knows the game that people with unknown libraries are in
 */
export function gamePeople(
  page: Pick<GamePage, 'appid' | 'name' | 'friends'>,
  friends: readonly Friend[],
): GamePeople {
  const byId = new Map(friends.map((friend) => [friend.steam_id, friend]))
  const people: GamePeople = { now: [], plays: [], owns: [], most: 0 }
  const owners = new Set<string>()
  for (const { playtime_minutes: minutes, playing, ...person } of page.friends) {
    owners.add(person.steam_id)
    people.most = Math.max(people.most, minutes)
    const other = byId.get(person.steam_id)?.playing
    const row = { ...person, minutes, playing: playing ? page.name : (other ?? null) }
    people[playing ? 'now' : minutes > 0 ? 'plays' : 'owns'].push(row)
  }
  for (const { steam_id, display_name, avatar_url, personastate, playing, playing_appid } of friends)
    if (playing_appid === page.appid && !owners.has(steam_id))
      people.now.push({ steam_id, display_name, avatar_url, personastate, playing, minutes: null })
  return people
}
