/** All tables, in the order in which they are copied; the reset of a demo goes the other way. */
import { type Schema, tables } from './schema.ts'

/** Every table, after those that it refers to. */
export const TABLES = [...(Object.keys(tables) as (keyof typeof tables)[]), 'changes'] as const

/** Tables that a public demo does not use, or in which players write nothing. Part of `used_once` is emptied. */
const KEPT_BY_RESET: readonly (keyof Schema)[] = [
  'apps',
  'blocked_accounts',
  'changes',
  'installation',
  'operator_log',
  'platform_days',
  'platform_hosts',
  'used_once',
]

/** The tables that a reset empties, each before those that it refers to. */
export const EMPTIED_BY_RESET = TABLES.filter((table) => !KEPT_BY_RESET.includes(table)).toReversed()
