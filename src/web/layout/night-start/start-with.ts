import type { Group, SteamId } from '#shared/entities.ts'

/** Whom a night is started with: a group, friends, of whom some may be chosen already, or either, which is then chosen in the dialog. */
export type StartWith =
  { group: Pick<Group, 'group_id' | 'name'> } | { friends: readonly SteamId[] } | 'friends' | 'any'
