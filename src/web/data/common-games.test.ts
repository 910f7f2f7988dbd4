import { expect, test } from 'vitest'
import type { GroupMember, LibraryStatus, SharedGame } from '#shared/entities.ts'
import { memberHours, isPlayableTogether, missingMembers } from './common-games.ts'

const ADA = '76561197960265731'
const BOB = '76561197960265732'

function game(modes: SharedGame['modes'], playtimes: SharedGame['playtimes'] = {}): SharedGame {
  return { appid: 400, name: 'Portal', image_url: null, total_playtime: 0, playtimes, modes }
}

function member(steam_id: string, library_status: LibraryStatus = 'ok'): GroupMember {
  return {
    user_id: steam_id,
    steam_id,
    display_name: null,
    avatar_url: null,
    joined: true,
    library_status,
    library_synced_at: null,
  }
}

test('only games known to be playable with others are playable together', () => {
  const coop = game(['single', 'coop'])
  expect([game(['single']), coop, game([])].filter(isPlayableTogether)).toEqual([coop])
})

test('hours stand with their members, most first, also when a member is not known', () => {
  expect(memberHours(game([], { [ADA]: 30, [BOB]: 90 }), [member(ADA)])).toEqual([
    { steamId: BOB, member: undefined, minutes: 90 },
    { steamId: ADA, member: member(ADA), minutes: 30 },
  ])
})

test('members whose library is not known are named as missing', () => {
  expect(missingMembers([member(ADA), member(BOB, 'private')])).toEqual([member(BOB, 'private')])
})
