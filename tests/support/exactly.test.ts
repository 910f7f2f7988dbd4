/** The tests' client takes a response only if it has the fields of the contract, all of them and no other. */
import { expect, test } from 'vitest'
import { libraryContract } from '#shared/contract/library.ts'
import { exactly } from './product.ts'

const summary = { steam_id: '76561198000000001', display_name: 'Ada', avatar_url: null }

test('a response with the fields of its contract is taken', () => {
  expect(exactly(libraryContract.summary, summary)).toEqual(summary)
})

test.each([
  ['one field too many', { ...summary, email: 'ada@example.org' }],
  ['one too few', { steam_id: summary.steam_id, display_name: 'Ada' }],
])('a response with %s is refused', (_name, response) => {
  expect(() => exactly(libraryContract.summary, response)).toThrow()
})
