import type { Group, SteamId } from '#shared/entities.ts'

/**
 * Whom a night is started with: a group, of which only some may be asked at first; friends, of whom some may be chosen
 * already; or either, which is then chosen in the dialog.
 */
export type StartWith =
  | { group: Pick<Group, 'group_id' | 'name'>; asked?: readonly SteamId[] }
  | { friends: readonly SteamId[] }
  | 'friends'
  | 'any'

/** What the dialog begins with, to play again as before (MEMORY-8); `at` in milliseconds. */
export type StartAs = { title: string | null; at: number }
