/** The migration steps of game nights and operators. Released steps are never changed (`migrations.ts`). */
import { sql } from 'kysely'
import type { EngineSql } from './engine-sql.ts'
import type { Tx } from './schema.ts'

/**
 * Game nights with their people and draws; links by which people join; webhooks of groups with the messages to send;
 * addresses of calendars.
 */
export async function addNights(tx: Tx, { serial }: EngineSql): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(tx)
  await run(sql`ALTER TABLE groups ADD COLUMN not_tonight_forbids integer NOT NULL DEFAULT 0`)
  await run(sql`ALTER TABLE groups ADD COLUMN shares integer NOT NULL DEFAULT 1`)
  await run(sql`CREATE TABLE nights (
    ${serial('night_id')},
    group_id bigint REFERENCES groups,
    host_steam_id text REFERENCES people,
    title text,
    starts_at bigint NOT NULL,
    created_at bigint NOT NULL,
    planned integer NOT NULL,
    status text NOT NULL,
    version bigint NOT NULL,
    forbids integer NOT NULL,
    seed text NOT NULL,
    result text,
    decided_at bigint,
    ended_at bigint,
    presence_at bigint NOT NULL DEFAULT 0,
    calendar_sequence integer NOT NULL DEFAULT 0,
    start_announced integer NOT NULL DEFAULT 0,
    played_at bigint,
    share_token text UNIQUE)`)
  await run(sql`CREATE INDEX nights_by_group ON nights (group_id, starts_at)`)
  await run(sql`CREATE INDEX nights_by_host ON nights (host_steam_id)`)
  await run(sql`CREATE INDEX nights_by_status ON nights (status, starts_at)`)
  await run(sql`CREATE INDEX nights_by_time ON nights (starts_at)`)
  await run(sql`CREATE TABLE night_people (
    night_id bigint NOT NULL REFERENCES nights,
    steam_id text NOT NULL REFERENCES people,
    answer text,
    word text,
    answered_at bigint,
    voted_at bigint,
    marks text,
    added_by text,
    added_at bigint NOT NULL,
    gone integer NOT NULL DEFAULT 0,
    played integer NOT NULL DEFAULT 0,
    PRIMARY KEY (night_id, steam_id))`)
  await run(sql`CREATE INDEX night_people_by_person ON night_people (steam_id, night_id)`)
  // Deleting an account clears `added_by` and `drawn_by` in other people's rows.
  await run(sql`CREATE INDEX night_people_by_adder ON night_people (added_by) WHERE added_by IS NOT NULL`)
  await run(sql`CREATE TABLE night_draws (
    night_id bigint NOT NULL REFERENCES nights,
    number integer NOT NULL,
    appid bigint NOT NULL,
    "by" text NOT NULL,
    odds text NOT NULL,
    reason text,
    drawn_by text,
    at bigint NOT NULL,
    PRIMARY KEY (night_id, number))`)
  await run(sql`CREATE INDEX night_draws_by_drawer ON night_draws (drawn_by) WHERE drawn_by IS NOT NULL`)
  await run(sql`CREATE TABLE invites (
    token text PRIMARY KEY,
    group_id bigint UNIQUE REFERENCES groups,
    night_id bigint UNIQUE REFERENCES nights,
    created_by text NOT NULL REFERENCES people,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL)`)
  await run(sql`CREATE INDEX invites_by_creator ON invites (created_by)`)
  await run(sql`CREATE INDEX invites_by_end ON invites (expires_at)`)
  await run(sql`CREATE TABLE webhooks (
    ${serial('webhook_id')},
    group_id bigint NOT NULL UNIQUE REFERENCES groups,
    url text NOT NULL,
    format text NOT NULL,
    secret text NOT NULL,
    created_by text NOT NULL REFERENCES people,
    created_at bigint NOT NULL,
    last_ok_at bigint,
    last_error text,
    last_error_at bigint,
    gone_count integer NOT NULL DEFAULT 0,
    off_at bigint)`)
  await run(sql`CREATE INDEX webhooks_by_creator ON webhooks (created_by)`)
  await run(sql`CREATE TABLE messages (
    ${serial('message_id')},
    webhook_id bigint NOT NULL REFERENCES webhooks,
    event text NOT NULL,
    body text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at bigint NOT NULL,
    lease_until bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    done_at bigint)`)
  await run(sql`CREATE INDEX messages_by_turn ON messages (next_attempt_at)`)
  await run(sql`CREATE INDEX messages_by_webhook ON messages (webhook_id)`)
  await run(sql`CREATE TABLE calendar_feeds (
    token text PRIMARY KEY,
    steam_id text NOT NULL UNIQUE REFERENCES people,
    created_at bigint NOT NULL)`)
}

/**
 * For the operator's page: blocked accounts, reports of groups, the log of what operators did, and the servers. The
 * indexes are for its counts.
 */
export async function addOperators(tx: Tx, { serial, references }: EngineSql): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(tx)
  await run(sql`ALTER TABLE people ADD COLUMN blocked_at bigint`)
  await run(sql`CREATE INDEX people_blocked ON people (blocked_at) WHERE blocked_at IS NOT NULL`)
  await run(sql`CREATE INDEX people_signed_in ON people (signed_in_at) WHERE signed_in_at IS NOT NULL`)
  await run(sql`CREATE TABLE blocked_accounts (
    id_hash text PRIMARY KEY,
    blocked_at bigint NOT NULL,
    reason text NOT NULL,
    visibility_before text NOT NULL)`)
  await run(sql`CREATE TABLE group_reports (
    group_id bigint NOT NULL ${references('groups')},
    steam_id text NOT NULL ${references('people')},
    about text NOT NULL,
    reason text NOT NULL,
    name_then text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (group_id, steam_id))`)
  await run(sql`CREATE INDEX group_reports_by_person ON group_reports (steam_id)`)
  await run(sql`CREATE INDEX group_reports_by_time ON group_reports (at)`)
  await run(sql`CREATE TABLE operator_log (
    ${serial('entry_id')},
    at bigint NOT NULL,
    operator text,
    action text NOT NULL,
    account text,
    group_id bigint,
    detail text,
    reason text NOT NULL)`)
  await run(sql`CREATE INDEX operator_log_by_time ON operator_log (at)`)
  // Deleting an account clears both.
  await run(sql`CREATE INDEX operator_log_by_operator ON operator_log (operator)`)
  await run(sql`CREATE INDEX operator_log_by_account ON operator_log (account) WHERE account IS NOT NULL`)
  await run(sql`CREATE TABLE servers (
    server_id text PRIMARY KEY,
    version text NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    counters text NOT NULL)`)
}

/** The time zone that a night's time was chosen in, and whether its link shows the faces of who is in (NIGHT-52). */
export async function addZonesAndFaces(tx: Tx): Promise<void> {
  await sql`ALTER TABLE nights ADD COLUMN zone text`.execute(tx)
  await sql`ALTER TABLE nights ADD COLUMN faces integer NOT NULL DEFAULT 0`.execute(tx)
}

/** Whether a night may pick games for fewer people than are in (NIGHT-129). */
export async function addAnySize(tx: Tx): Promise<void> {
  await sql`ALTER TABLE nights ADD COLUMN any_size integer NOT NULL DEFAULT 0`.execute(tx)
}

/** Games that people of a night say they own (NIGHT-134). */
export async function addClaims(tx: Tx): Promise<void> {
  await sql`ALTER TABLE night_people ADD COLUMN claims text`.execute(tx)
}

/** When a server was stopped, so that a migration does not wait for its next sign of life (OPS-38). */
export async function addStopsOfServers(tx: Tx): Promise<void> {
  await sql`ALTER TABLE servers ADD COLUMN stopped_at bigint`.execute(tx)
}

/** Ends webhooks that somebody else than the group's owner has set, who could read their secret (NIGHT-113). */
export async function endOthersWebhooks(tx: Tx): Promise<void> {
  const { rows } = await sql<{ webhook_id: number }>`
    SELECT webhook_id FROM webhooks JOIN groups ON groups.group_id = webhooks.group_id
    WHERE webhooks.created_by <> groups.owner_steam_id`.execute(tx)
  for (const { webhook_id } of rows) {
    await sql`DELETE FROM messages WHERE webhook_id = ${webhook_id}`.execute(tx)
    await sql`DELETE FROM webhooks WHERE webhook_id = ${webhook_id}`.execute(tx)
  }
}
