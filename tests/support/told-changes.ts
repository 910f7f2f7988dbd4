/**
 * For every test on SQLite: a transaction that changes what caches and open pages show must tell the cache tags of it
 * (OPS-37). Triggers note the tags of each row that changes, and the table `changes` crosses them out; what is left after a
 * transaction fails the run.
 */
import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'
import type { Schema } from '../../src/server/database/schema.ts'

/** A tag of a row, as SQL in which `row` is it, and the changes that it is told of: by default all that a page shows. */
type Told = {
  tag: string
  on?: readonly ('INSERT' | 'UPDATE' | 'DELETE')[]
  /** Only these columns, or all but these. */
  columns?: string
  except?: string
}
const person = `'person:' || row.steam_id`
const group = { tag: `'group:' || row.group_id` }
const groups = { tag: `'groups:' || row.steam_id` }
const night = { tag: `'night:' || row.night_id` }
const listed = ['INSERT', 'DELETE'] as const
const tables: Partial<Record<keyof Schema, Told[]>> = {
  people: [
    { tag: person, except: 'profile_at friends_checked_at theme language notifications' },
    {
      tag: `'profile:' || row.steam_id`,
      on: ['UPDATE'],
      columns:
        'display_name avatar_url personastate playing playing_appid signed_in_at blocked_at library_visibility',
    },
    { tag: `'library:' || row.steam_id`, on: ['UPDATE'], columns: 'hidden_appids elsewhere' },
  ],
  libraries: [
    { tag: person, except: 'checked_at tracked_since' },
    { tag: `'library:' || row.steam_id`, except: 'checked_at tracked_since' },
  ],
  wishlists: [{ tag: `'library:' || row.steam_id`, except: 'due_at' }],
  friend_lists: [{ tag: `'friends:' || row.steam_id` }],
  refreshes: [
    { tag: `'sync:' || row.requested_by`, on: ['INSERT'] },
    { tag: `'refresh:' || row.steam_id`, on: ['DELETE'] },
  ],
  syncs: [{ tag: `'sync:' || row.steam_id`, on: ['INSERT', 'UPDATE'], except: 'target' }],
  webhooks: [
    { tag: `'sync:' || row.created_by`, on: ['UPDATE'], columns: 'last_ok_at last_error last_error_at' },
  ],
  sessions: [{ tag: `'sessions:' || row.steam_id` }],
  groups: [group],
  group_members: [
    { ...group, except: 'wishes' },
    { ...groups, except: 'wishes' },
    { tag: `'wishes:' || row.group_id`, on: ['UPDATE'], columns: 'wishes' },
  ],
  group_departures: [{ ...groups, on: ['UPDATE'] }],
  group_game_players: [group],
  group_games: [group, { tag: `'app:' || row.appid`, except: 'added_by' }],
  apps: [{ tag: `'app:' || row.appid`, except: 'store_due_at' }],
  nights: [{ ...night, except: 'start_announced share_token' }],
  night_people: [night, { tag: `iif(row.gone = 0, 'nights:' || row.steam_id, ${night.tag})`, on: listed }],
  night_draws: [night],
  night_dates: [{ ...night, except: 'due_at' }],
  night_date_answers: [night],
}

/** The same database, whose transactions are watched; `fail` gets those that did not tell a tag. */
export async function watchingChanges(database: Database, fail = failRun): Promise<Database> {
  if (database.engine !== 'sqlite') return database
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx)
    await run('CREATE TEMP TABLE untold (tag text)')
    await run(`CREATE TEMP TRIGGER told AFTER INSERT ON main.changes BEGIN
      DELETE FROM untold WHERE tag = NEW.subject OR NEW.subject = '*'; END`)
    for (const [table, rules] of Object.entries(tables)) {
      const { rows } = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(tx)
      for (const [
        nth,
        { tag, on = ['INSERT', 'UPDATE', 'DELETE'], columns, except = '' },
      ] of rules.entries()) {
        const left = new Set(except.split(' '))
        const shown = columns?.split(' ') ?? rows.map(({ name }) => name).filter((name) => !left.has(name))
        const isChanged = shown.map((name) => `OLD.${name} IS NOT NEW.${name}`).join(' OR ')
        for (const event of on) {
          const when = event === 'UPDATE' ? `UPDATE OF ${shown.join(', ')}` : event
          await run(`CREATE TEMP TRIGGER ${table}_${nth}_${event} AFTER ${when} ON main.${table}
            ${event === 'UPDATE' ? `WHEN ${isChanged}` : ''} BEGIN
            INSERT INTO untold VALUES (${tag.replaceAll('row.', event === 'DELETE' ? 'OLD.' : 'NEW.')}); END`)
        }
      }
    }
  })
  let last: Error | undefined
  const complain = (untold: readonly { tag: string }[]) => {
    if (untold.length === 0 || !last) return
    last.message += `: ${untold.map(({ tag }) => tag).join(', ')}`
    fail(last)
  }
  let isClosed = false
  return {
    ...database,
    transaction: (work, options) => {
      const next = new Error('a transaction did not tell what it changed')
      return database.transaction(async (tx) => {
        const { rows } = await sql<{ tag: string }>`DELETE FROM untold RETURNING tag`.execute(tx)
        complain(rows)
        last = next
        return work(tx)
      }, options)
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      const { rows } = await database.transaction((tx) =>
        sql<{ tag: string }>`SELECT tag FROM untold`.execute(tx),
      )
      complain(rows)
      await database.close()
    },
  }
}

/** Outside the transaction and whoever might catch it. */
function failRun(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
