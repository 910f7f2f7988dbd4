import { expect, test } from 'vitest'
import { GROUP_NAME_MAX } from '#shared/limits.ts'
import { groupsContract } from '#shared/contract/groups.ts'
import { charactersIn, isTooLong } from './forms/required-text.ts'

test('LIM-4: a name is too long here exactly when the server refuses it', () => {
  for (const character of ['x', '🎮', 'ß', '👨‍👩‍👧', 'e\u0301', '\ud83c'])
    for (const times of [0, 1, 20, 33, 34, 50, 51, 99, 100, 101])
      for (const name of [character.repeat(times), ` ${character.repeat(times)}\u3000`]) {
        const body = { name: `y${name}`, owner_steam_id: '76561197960265801' }
        const { success } = groupsContract.create.body.safeParse(body)
        expect({ name, isTooLong: isTooLong(body.name, GROUP_NAME_MAX) }).toEqual({
          name,
          isTooLong: !success,
        })
      }
})

test('spaces around a text do not count, spaces within it do', () => {
  expect([charactersIn(''), charactersIn('  '), charactersIn(' a b ')]).toEqual([0, 0, 3])
})
