import { expect, test } from 'vitest'
import type { Friend, GamePage } from '#shared/entities.ts'
import { friendNamed } from '../../../../tests/support/friend.ts'
import { appidOf } from '../../ui/query-string.ts'
import { gamePeople } from './game-friends.tsx'

const ADA = '76561197960265801'
const BEN = '76561197960265802'
const CAT = '76561197960265803'

const owner = (steam_id: string, playtime_minutes: number, playing = false): GamePage['friends'][number] => ({
  steam_id,
  display_name: null,
  avatar_url: null,
  personastate: playing ? 1 : 0,
  playtime_minutes,
  playing,
})
const friend = (steam_id: string, part: Partial<Friend>) =>
  friendNamed(null, { steam_id, personastate: 1, library_status: 'private', ...part })
const page = (friends: GamePage['friends']) => ({ appid: 400, name: 'Portal', friends })
const ids = (people: { steam_id: string }[]) => people.map(({ steam_id }) => steam_id)

test('GAME-7: an id in the path is a positive 32-bit number, and nothing else', () => {
  expect(appidOf('400')).toBe(400)
  expect(appidOf('4294967295')).toBe(4_294_967_295)
  for (const text of [undefined, '', '0', '-1', '1.5', '1e3', '0400', ' 400', '4294967296', 'portal', '٤'])
    expect(appidOf(text)).toBeUndefined()
})

test('GAME-4: friends are in the game, play it, or own it and never played, each in one part only', () => {
  const people = gamePeople(page([owner(ADA, 90), owner(BEN, 60, true), owner(CAT, 0)]), [])
  expect(ids(people.now)).toEqual([BEN])
  expect(ids(people.plays)).toEqual([ADA])
  expect(ids(people.owns)).toEqual([CAT])
  expect(people.most).toBe(90)
  expect(people.now[0]?.playing).toBe('Portal')
})

test('GAME-4: a friend in the game whose library is not known is in it too, without hours', () => {
  const friends = [
    friend(ADA, { playing: 'Portal', playing_appid: 400 }),
    friend(BEN, { playing: 'Dota', playing_appid: 570 }),
    friend(CAT, { playing: 'Portal', playing_appid: 400, library_status: 'ok' }),
  ]
  const people = gamePeople(page([owner(CAT, 5, true), owner(BEN, 0)]), friends)
  expect(people.now.map(({ steam_id, minutes }) => [steam_id, minutes])).toEqual([
    [CAT, 5],
    [ADA, null],
  ])
  // Those in another game say so.
  expect(people.owns.map(({ playing }) => playing)).toEqual(['Dota'])
})
