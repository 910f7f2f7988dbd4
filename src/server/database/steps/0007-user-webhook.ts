/** Webhooks of users, which belong to no group (NIGHT-147). */
import { type Kysely, sql } from 'kysely'

export async function addUserWebhooks(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine === 'postgres') await sql`ALTER TABLE webhooks ALTER COLUMN group_id DROP NOT NULL`.execute(db)
  else for (const statement of copiedTables) await sql.raw(statement).execute(db)
  await sql`CREATE UNIQUE INDEX webhooks_of_users ON webhooks (created_by) WHERE group_id IS NULL`.execute(db)
}

/** SQLite cannot drop NOT NULL, so the table is copied, and the one that refers to it. */
const copiedTables = [
  `CREATE TABLE webhooks_copy (
    webhook_id integer PRIMARY KEY AUTOINCREMENT,
    group_id bigint UNIQUE REFERENCES groups,
    url text NOT NULL,
    format text NOT NULL,
    secret text NOT NULL,
    created_by text NOT NULL REFERENCES people,
    created_at bigint NOT NULL,
    last_ok_at bigint,
    last_error text,
    last_error_at bigint,
    gone_count integer NOT NULL DEFAULT 0,
    off_at bigint)`,
  `CREATE TABLE messages_copy (
    message_id integer PRIMARY KEY AUTOINCREMENT,
    webhook_id bigint NOT NULL REFERENCES webhooks_copy,
    event text NOT NULL,
    body text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at bigint NOT NULL,
    lease_until bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    done_at bigint)`,
  // By name: a database that is older than the baseline has its columns in another order.
  ...Object.entries({
    webhooks: `webhook_id, group_id, url, format, secret, created_by, created_at, last_ok_at, last_error, last_error_at,
      gone_count, off_at`,
    messages:
      'message_id, webhook_id, event, body, attempts, next_attempt_at, lease_until, created_at, done_at',
  }).map(([table, columns]) => `INSERT INTO ${table}_copy (${columns}) SELECT ${columns} FROM ${table}`),
  // Numbers that were given are not given again: receivers know messages by them.
  `DELETE FROM sqlite_sequence WHERE name IN ('webhooks_copy', 'messages_copy')`,
  `INSERT INTO sqlite_sequence (name, seq)
    SELECT name || '_copy', seq FROM sqlite_sequence WHERE name IN ('webhooks', 'messages')`,
  'DROP TABLE messages',
  'DROP TABLE webhooks',
  'ALTER TABLE webhooks_copy RENAME TO webhooks',
  'ALTER TABLE messages_copy RENAME TO messages',
  'CREATE INDEX webhooks_by_creator ON webhooks (created_by)',
  'CREATE INDEX messages_by_turn ON messages (next_attempt_at)',
  'CREATE INDEX messages_by_webhook ON messages (webhook_id)',
]
