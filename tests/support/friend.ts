/** Friends as the API returns them, for tests of pages. */
import { type Friend, friend } from '#shared/entities.ts'
import { blank } from './blank.ts'

let last = 76561197960265800n

/** A friend who is offline and whose library is known. */
export function friendNamed(display_name: string | null, part: Partial<Friend> = {}): Friend {
  last += 1n
  return blank(friend, { steam_id: String(last), display_name, library_status: 'ok', ...part })
}

/** Their names, in order. */
export const namesOf = (friends: readonly Friend[]) => friends.map(({ display_name }) => display_name)
