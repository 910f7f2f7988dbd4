import { describe, expect, test } from 'vitest'
import { nameOf } from '#shared/names.ts'
import { friendNamed, namesOf } from '../../../../tests/support/friend.ts'
import { entriesOf, found } from '../../layout/find/find-ranking.ts'
import { friendParams, friendsShown } from '../../screens/friends/friends-shown.ts'
import { ownerParams, ownersShown } from '../../screens/game-friends/game-friends.ts'
import { findGames, NO_FILTER } from '../games/game-view.ts'
import { inPickingOrder, peopleMatching } from './people.ts'
import { readView } from '../query-string.ts'

describe('people to choose from', () => {
  test('PERM-20: without those who are no friends any more', () => {
    const friends = [
      friendNamed('Ada', { connected: false }),
      friendNamed('Bob'),
      friendNamed('Cal', { connected: true }),
    ]
    expect(namesOf(inPickingOrder(friends))).toEqual(['Bob', 'Cal'])
  })

  test('PAGE-20: then by name, those that begin with no letter or digit last', () => {
    const friends = [
      friendNamed('[BRICK] Otter'),
      friendNamed(null),
      friendNamed('🎮 Zoe'),
      friendNamed('zoe'),
      friendNamed('Émile'),
      friendNamed('player 10'),
      friendNamed('player 9'),
      friendNamed('لعبة'),
      friendNamed('\u202Eright'),
      friendNamed('_x_'),
      friendNamed('Frank'),
    ]
    const order = namesOf(inPickingOrder(friends))
    expect(order.slice(0, 7)).toEqual([
      'Émile',
      'Frank',
      'player 9',
      'player 10',
      '\u202Eright',
      'zoe',
      'لعبة',
    ])
    expect(new Set(order.slice(7, 10))).toEqual(new Set(['[BRICK] Otter', '🎮 Zoe', '_x_']))
    expect(order[10]).toBeNull()
  })

  test('PAGE-20: names that begin with what is typed come before names that contain it', () => {
    const people = [
      friendNamed('Cassandra'),
      friendNamed('Anders'),
      friendNamed('Sandy'),
      friendNamed('SANDOR'),
    ]
    expect(namesOf(peopleMatching(people, ' sand '))).toEqual(['Sandy', 'SANDOR', 'Cassandra'])
    expect(namesOf(peopleMatching(people, 'AN'))).toEqual(['Anders', 'Cassandra', 'Sandy', 'SANDOR'])
    expect(peopleMatching(people, '  ')).toBe(people)
    expect(peopleMatching(people, 'zz')).toEqual([])
  })

  test('people without a name are found by their id', () => {
    const nameless = friendNamed(null)
    expect(peopleMatching([friendNamed('Ada'), nameless], nameless.steam_id.slice(3))).toEqual([nameless])
  })
})

/** By a path that the types of pages do not follow: the simulator runs in Node. */
const simulator = '../../../simulator/demo-world.ts'
const { demoWorld } = (await import(simulator)) as {
  demoWorld: () => { apps: { name: string }[]; players: { personaname: string }[] }
}

describe('each name of the demo', () => {
  /** As it is typed: nobody types ®, and few type accents, apostrophes or ё. */
  const plainOf = (name: string) =>
    name
      .replace(/[™®©'’]/g, '')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/\p{P}+/gu, ' ')
      .toLowerCase()
  const { apps, players } = demoWorld()
  const foundByFind = (names: readonly string[], typed: string) =>
    found([{ kind: 'all', entries: entriesOf(names, (name) => name) }], typed, names.length).flatMap(
      ({ items }) => items,
    )

  test('LIST-1, NAV-10: of a game is found by its plain form in lists of games, by friends who play it, and by Find', () => {
    const names = [...new Set(apps.map(({ name }) => name))]
    for (const name of names) {
      const search = plainOf(name)
      const game = { appid: 1, name, modes: [], features: [], kind: null }
      expect(findGames([game], { ...NO_FILTER, search }).games).toEqual([game])
      const player = friendNamed('Ada', { playing: name })
      expect(friendsShown([player], { ...readView(friendParams, ''), search })).toEqual([player])
      expect(foundByFind([name], search)).toEqual([name])
    }
  })

  test('PAGE-10, NAV-10: of a player is found by its plain form where players are listed or chosen, and by Find', () => {
    for (const name of [...players.map((player) => player.personaname), 'Тихий Ёж', 'Zoë d’Été']) {
      const friend = friendNamed(name)
      const search = plainOf(nameOf(friend))
      expect(peopleMatching([friend], search)).toEqual([friend])
      expect(friendsShown([friend], { ...readView(friendParams, ''), search })).toEqual([friend])
      const owner = { ...friend, playtime_minutes: 1 }
      expect(ownersShown([owner], { ...readView(ownerParams, ''), search }, new Map()).plays).toEqual([owner])
      expect(foundByFind([nameOf(friend)], search)).toEqual([nameOf(friend)])
    }
  })
})
