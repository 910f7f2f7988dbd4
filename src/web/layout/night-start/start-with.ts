import type { Group } from '#shared/entities.ts'

/** Whom a night is started with: a group, friends, or either, which is then chosen in the dialog. */
export type StartWith = { group: Pick<Group, 'group_id' | 'name'> } | 'friends' | 'any'
