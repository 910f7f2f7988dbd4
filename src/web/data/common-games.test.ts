// @vitest-environment jsdom
import { expect, test, beforeEach } from 'vitest'
import { groupMember, type LibraryStatus, type SharedGame, sharedGame } from '#shared/entities.ts'
import { isPlayableTogether } from '#shared/playable.ts'
import {
  countedOf,
  fittingFirst,
  memberHours,
  missingMembers,
  peopleCounted,
  playTogether,
  useGamesShown,
} from './common-games.ts'
import { blank } from '../../../tests/support/blank.ts'
import { act, renderHook } from '@testing-library/react'

const ADA = '76561197960265731'
const BOB = '76561197960265732'

const game = (modes: SharedGame['modes'], playtimes: SharedGame['playtimes'] = {}) =>
  blank(sharedGame, { appid: 400, name: 'Portal', playtimes, modes })
const member = (steam_id: string, library_status: LibraryStatus = 'ok') =>
  blank(groupMember, { user_id: steam_id, steam_id, joined: true, library_status })

test('only games known to be multiplayer are playable together', () => {
  const coop = game(['single', 'coop'])
  expect([game(['single']), coop, game([])].filter(isPlayableTogether)).toEqual([coop])
})

test('GPAGE-25: games to play together are those not known to be for one player, unknown ones at the end', () => {
  const [unknown, single, coop, online] = [
    game([]),
    game(['single']),
    game(['single', 'coop']),
    game(['online']),
  ]
  expect(playTogether([unknown, single, coop, online])).toEqual([coop, online, unknown])
})

test('GPAGE-14: hours are listed by member, most first, including members who are not in the list', () => {
  expect(memberHours(game([], { [ADA]: 30, [BOB]: 90 }), [member(ADA)])).toEqual([
    { steamId: BOB, member: undefined, minutes: 90 },
    { steamId: ADA, member: member(ADA), minutes: 30 },
  ])
})

test('GPAGE-19: members whose library is not known are listed as missing', () => {
  expect(missingMembers([member(ADA), member(BOB, 'private')], ADA)).toEqual([
    { member: member(BOB, 'private'), reason: 'private' },
  ])
})

test('a hidden library is explained by who has not joined, the other member first', () => {
  const reasons = (mine: boolean, theirs: boolean, status: LibraryStatus = 'hidden') =>
    missingMembers(
      [
        { ...member(ADA), joined: mine },
        { ...member(BOB, status), joined: theirs },
      ],
      ADA,
    ).map(({ reason }) => reason)
  expect(reasons(true, true)).toEqual(['hidden'])
  expect(reasons(true, false)).toEqual(['unjoined'])
  expect(reasons(false, false)).toEqual(['unjoined'])
  expect(reasons(false, true)).toEqual(['unseen'])
  expect(reasons(false, true, 'private')).toEqual(['private'])
  // My own hidden library counts for me, whether or not I have joined.
  expect(missingMembers([{ ...member(ADA, 'hidden'), joined: false }], ADA)).toMatchObject([
    { reason: 'hidden' },
  ])
})

test('LIST-10: games for fewer members than are counted go below, in the same order', () => {
  const of = (players_max: number | null) => ({ ...game(['coop'], { [ADA]: 1, [BOB]: 2 }), players_max })
  const [one, two, unknown, many] = [of(1), of(2), of(null), of(999)]
  expect(fittingFirst([one, unknown, many, two])).toEqual([unknown, many, two, one])
  const fitting = [unknown, many, two]
  expect(fittingFirst(fitting)).toBe(fitting)
  // Who lacks a near miss wants to play too.
  const short = { ...two, lacking: ['76561197960265733'] }
  expect(peopleCounted([short])).toBe(3)
  expect(fittingFirst([short, { ...short, players_max: 3 }])[1]).toBe(short)
  expect(peopleCounted([game(['coop'], { [ADA]: 1 })])).toBeUndefined()
  expect(peopleCounted([])).toBeUndefined()
})

test('GPAGE-19: the number rests on those who are counted for me; of these some may not be counted for others', () => {
  const [ada, bob] = [member(ADA, 'hidden'), { ...member(BOB), joined: false }]
  const dan = member('76561197960265733', 'private')
  expect(countedOf([ada, bob, dan], ADA)).toEqual({
    counted: 2,
    all: 3,
    without: [dan],
    onlyMine: [ada, bob],
  })
  expect(countedOf([member(ADA)], ADA)).toMatchObject({ without: [], onlyMine: [] })
})

beforeEach(() => localStorage.clear())

test('games to play together are shown unless all games were chosen, in every component', () => {
  const one = renderHook(useGamesShown).result
  const other = renderHook(useGamesShown).result
  expect(one.current[0]).toBe('together')
  act(() => one.current[1]('all'))
  expect([one.current[0], other.current[0]]).toEqual(['all', 'all'])
  expect({ ...localStorage }).toEqual({ games_shown: 'all' })
  act(() => other.current[1]('together'))
  expect(one.current[0]).toBe('together')
  expect({ ...localStorage }).toEqual({})
})
