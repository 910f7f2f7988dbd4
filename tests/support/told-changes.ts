/**
 * For every test on SQLite: a transaction that changes what caches and open pages show must tell the cache tags of it
 * (OPS-37). Triggers note the tags of each row that changes, and the table `changes` crosses them out; what is left after a
 * transaction fails the run.
 */
import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'
import type { Schema } from '../../src/server/database/schema.ts'

/**
 * The tags of a row, as SQL in which `row` is it, `listed` when it is added or deleted, and the columns that no page
 * shows.
 */
type Told = { tags: string[]; listed?: string[]; except?: string }
const group = `'group:' || row.group_id`
const night = `'night:' || row.night_id`
const tables: Partial<Record<keyof Schema, Told>> = {
  people: {
    tags: [`'person:' || row.steam_id`],
    except: 'profile_at friends_checked_at theme language notifications',
  },
  libraries: { tags: [`'person:' || row.steam_id`], except: 'checked_at tracked_since' },
  friend_lists: { tags: [`'friends:' || row.steam_id`] },
  sessions: { tags: [`'sessions:' || row.steam_id`] },
  groups: { tags: [group] },
  group_members: { tags: [group, `'groups:' || row.steam_id`] },
  group_departures: { tags: [`'groups:' || row.steam_id`] },
  group_game_players: { tags: [group] },
  apps: { tags: [`'app:' || row.appid`], except: 'store_due_at' },
  nights: { tags: [night], except: 'presence_at start_announced share_token' },
  night_people: { tags: [night], listed: [`'nights:' || row.steam_id`] },
  night_draws: { tags: [night] },
  night_dates: { tags: [night], except: 'due_at' },
  night_date_answers: { tags: [night] },
}

/** The same database, whose transactions are watched; `fail` gets those that did not tell a tag. */
export async function watchingChanges(database: Database, fail = failRun): Promise<Database> {
  if (database.engine !== 'sqlite') return database
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx)
    await run('CREATE TEMP TABLE untold (tag text)')
    await run(`CREATE TEMP TRIGGER told AFTER INSERT ON main.changes BEGIN
      DELETE FROM untold WHERE tag = NEW.subject OR NEW.subject = '*'; END`)
    for (const [table, { tags, listed = [], except = '' }] of Object.entries(tables)) {
      const { rows } = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(tx)
      const shown = rows.map(({ name }) => name).filter((name) => !except.split(' ').includes(name))
      const isChanged = shown.map((name) => `OLD.${name} IS NOT NEW.${name}`).join(' OR ')
      for (const [event, row, when, told] of [
        ['INSERT', 'NEW', '', [...tags, ...listed]],
        ['DELETE', 'OLD', '', [...tags, ...listed]],
        [`UPDATE OF ${shown.join(', ')}`, 'NEW', `WHEN ${isChanged}`, tags],
      ] as const)
        await run(`CREATE TEMP TRIGGER ${table}_${event.slice(0, 6)} AFTER ${event} ON main.${table} ${when} BEGIN
          INSERT INTO untold VALUES ${told.map((tag) => `(${tag.replaceAll('row.', `${row}.`)})`).join(', ')}; END`)
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
