/**
 * The router's key of the history entry that this visit began with, read when the pages start: the code of a screen may
 * come after the user has navigated.
 */
export const arrivedAt = (history.state as { key?: string } | null)?.key ?? 'default'
