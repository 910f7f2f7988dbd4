/**
 * The migration steps of people, libraries, groups and syncs. Released steps are never changed (`migrations.ts`).
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { EngineSql } from './engine-sql.ts'
import type { Tx } from './schema.ts'

/** The first tables. */
export async function createTables(tx: Tx, { blob, serial }: EngineSql): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(tx)
  const bytes = sql.raw(blob)
  await run(sql`CREATE TABLE people (
    steam_id text PRIMARY KEY,
    display_name text,
    avatar_url text,
    personastate integer NOT NULL DEFAULT 0,
    playing text,
    profile_at bigint,
    friends_status text NOT NULL DEFAULT 'never',
    friends_at bigint,
    signed_in_at bigint,
    library_visibility text NOT NULL DEFAULT 'connected')`)
  await run(sql`CREATE TABLE libraries (
    steam_id text PRIMARY KEY REFERENCES people,
    version bigint NOT NULL,
    status text NOT NULL,
    packed ${bytes},
    game_count integer NOT NULL DEFAULT 0,
    total_minutes bigint NOT NULL DEFAULT 0,
    synced_at bigint,
    checked_at bigint NOT NULL)`)
  await run(sql`CREATE TABLE library_changes (
    steam_id text NOT NULL REFERENCES people,
    at bigint NOT NULL,
    appid bigint NOT NULL,
    kind text NOT NULL,
    minutes bigint NOT NULL,
    PRIMARY KEY (steam_id, at, appid, kind))`)
  await run(sql`CREATE INDEX library_changes_by_time ON library_changes (at)`)
  await run(sql`CREATE TABLE friendships (
    steam_id text NOT NULL REFERENCES people,
    friend_steam_id text NOT NULL REFERENCES people,
    since bigint,
    PRIMARY KEY (steam_id, friend_steam_id))`)
  await run(sql`CREATE INDEX friendships_by_friend ON friendships (friend_steam_id, steam_id)`)
  await run(sql`CREATE TABLE sessions (
    ${serial('session_id')},
    steam_id text NOT NULL REFERENCES people,
    token_hash text NOT NULL UNIQUE,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    user_agent text NOT NULL)`)
  await run(sql`CREATE INDEX sessions_by_person ON sessions (steam_id)`)
  await run(sql`CREATE INDEX sessions_by_end ON sessions (expires_at)`)
  await run(sql`CREATE TABLE used_once (
    kind text NOT NULL,
    value text NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (kind, value))`)
  await run(sql`CREATE INDEX used_once_by_end ON used_once (expires_at)`)
  await run(sql`CREATE TABLE pictures (
    picture_key text PRIMARY KEY,
    content_type text,
    bytes ${bytes},
    source_url text,
    fetched_at bigint,
    created_at bigint NOT NULL)`)
  await run(sql`CREATE INDEX pictures_by_source ON pictures (source_url)`)
  await run(sql`CREATE TABLE groups (
    ${serial('group_id')},
    name text NOT NULL,
    owner_steam_id text NOT NULL REFERENCES people,
    picture_url text,
    picture_key text REFERENCES pictures,
    created_at bigint NOT NULL,
    synced_at bigint)`)
  await run(sql`CREATE INDEX groups_by_owner ON groups (owner_steam_id)`)
  await run(sql`CREATE INDEX groups_by_picture ON groups (picture_key)`)
  await run(sql`CREATE TABLE group_members (
    group_id bigint NOT NULL REFERENCES groups,
    steam_id text NOT NULL REFERENCES people,
    joined_at bigint NOT NULL,
    PRIMARY KEY (group_id, steam_id))`)
  await run(sql`CREATE INDEX group_members_by_person ON group_members (steam_id, group_id)`)
  await run(sql`CREATE TABLE syncs (
    ${serial('sync_id')},
    steam_id text NOT NULL REFERENCES people,
    kind text NOT NULL,
    target text NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint,
    result text NOT NULL,
    counted integer NOT NULL,
    item_count integer)`)
  await run(sql`CREATE INDEX syncs_by_person ON syncs (steam_id, started_at)`)
  await run(sql`CREATE INDEX syncs_by_time ON syncs (started_at)`)
  await run(sql`CREATE TABLE refreshes (
    steam_id text PRIMARY KEY REFERENCES people,
    requested_by text NOT NULL,
    requested_at bigint NOT NULL,
    priority integer NOT NULL,
    attempts integer NOT NULL,
    next_attempt_at bigint NOT NULL,
    lease_owner text,
    lease_until bigint NOT NULL)`)
  await run(sql`CREATE INDEX refreshes_by_turn ON refreshes (priority, next_attempt_at)`)
  await run(sql`CREATE TABLE platform_hosts (
    host text PRIMARY KEY,
    blocked_until bigint NOT NULL,
    blocked_by text,
    held_until bigint NOT NULL,
    failures integer NOT NULL,
    next_call_at double precision NOT NULL)`)
  await run(sql`CREATE TABLE platform_days (
    host text NOT NULL,
    day text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (host, day))`)
  await run(sql`CREATE TABLE apps (
    appid bigint PRIMARY KEY,
    name text,
    kind integer,
    icon_hash text,
    header_url text,
    categories text,
    store_due_at bigint NOT NULL DEFAULT 0)`)
  await run(sql`CREATE INDEX apps_by_store_turn ON apps (store_due_at)`)
}

/** A URL of 2,048 characters, percent-encoded, is too long for a B-tree index of PostgreSQL. */
export async function indexLongUrls(tx: Tx, { equality }: EngineSql): Promise<void> {
  await sql`DROP INDEX pictures_by_source`.execute(tx)
  await sql`CREATE INDEX pictures_by_source ON pictures ${equality('source_url')}`.execute(tx)
}

/**
 * Adds: facts about the installation; when members joined or left a group; deleted accounts; friend lists in the
 * refresh list; the browser and hand-over token of a session; changes of pictures, for their daily limit.
 */
export async function addConsentAndQuotas(tx: Tx, { serial }: EngineSql): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(tx)
  await run(sql`CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL)`)
  const secret = randomBytes(32).toString('base64url')
  await run(sql`INSERT INTO installation (name, value) VALUES ('secret', ${secret})`)

  await run(sql`ALTER TABLE group_members RENAME COLUMN joined_at TO added_at`)
  await run(sql`ALTER TABLE group_members ADD COLUMN joined_at bigint`)
  await run(sql`ALTER TABLE group_members ADD COLUMN added_by text`)
  // Only owners count as joined: the other members were added without being asked.
  await run(sql`UPDATE group_members SET joined_at = added_at WHERE steam_id =
    (SELECT owner_steam_id FROM groups WHERE groups.group_id = group_members.group_id)`)
  // Deleting an account clears `added_by` in other people's memberships.
  await run(sql`CREATE INDEX group_members_by_adder ON group_members (added_by) WHERE added_by IS NOT NULL`)
  await run(sql`CREATE TABLE group_departures (
    group_id bigint NOT NULL REFERENCES groups,
    steam_id text NOT NULL REFERENCES people,
    left_at bigint NOT NULL,
    PRIMARY KEY (group_id, steam_id))`)
  await run(sql`CREATE INDEX group_departures_by_person ON group_departures (steam_id, group_id)`)

  await run(sql`ALTER TABLE people ADD COLUMN deleted_at bigint`)
  await run(sql`CREATE TABLE deleted_accounts (
    id_hash text PRIMARY KEY,
    deleted_at bigint NOT NULL,
    recent_uses text NOT NULL)`)
  // Deleting an account searches `target` for its steam id, so group syncs no longer store ids there.
  await run(sql`UPDATE syncs SET target = '' WHERE kind = 'group_games'`)
  await run(sql`CREATE INDEX syncs_by_target ON syncs (target)`)

  await run(sql`ALTER TABLE refreshes ADD COLUMN games_due integer NOT NULL DEFAULT 1`)
  await run(sql`ALTER TABLE refreshes ADD COLUMN friends_due integer NOT NULL DEFAULT 0`)

  await run(sql`ALTER TABLE sessions ADD COLUMN browser_hash text`)
  await run(sql`ALTER TABLE sessions ADD COLUMN handover_hash text`)
  await run(sql`ALTER TABLE sessions ADD COLUMN handover_until bigint`)
  await run(sql`CREATE UNIQUE INDEX sessions_by_handover ON sessions (handover_hash)`)

  await run(sql`CREATE TABLE picture_changes (
    ${serial('change_id')},
    steam_id text NOT NULL REFERENCES people,
    at bigint NOT NULL)`)
  await run(sql`CREATE INDEX picture_changes_by_person ON picture_changes (steam_id, at)`)
  await run(sql`CREATE INDEX picture_changes_by_time ON picture_changes (at)`)
}

/** Who was removed from a group, who may come back to it, and who does not want to see it listed any more. */
export async function addTermsOfDepartures(tx: Tx): Promise<void> {
  // Whoever has left until now did so by their own choice.
  for (const [column, value] of [
    ['removed', 0],
    ['may_return', 1],
    ['forgotten', 0],
  ] as const)
    await sql`ALTER TABLE group_departures ADD COLUMN ${sql.ref(column)} integer NOT NULL DEFAULT ${sql.lit(value)}`.execute(
      tx,
    )
}

/** Whether a game is free to play; the store is asked again about those it has answered for. */
export async function addFreeGames(tx: Tx): Promise<void> {
  await sql`ALTER TABLE apps ADD COLUMN is_free integer`.execute(tx)
  await sql`UPDATE apps SET store_due_at = 0 WHERE kind IS NOT NULL`.execute(tx)
}

/** Games that their owner hides, the appid of the game being played, and minutes played by month. */
export async function addHiddenGamesAndMonths(tx: Tx, { blob }: EngineSql): Promise<void> {
  await sql`ALTER TABLE people ADD COLUMN hidden_appids text`.execute(tx)
  await sql`ALTER TABLE people ADD COLUMN playing_appid bigint`.execute(tx)
  await sql`ALTER TABLE libraries ADD COLUMN tracked_since bigint`.execute(tx)
  await sql`CREATE TABLE playtime_months (
    steam_id text NOT NULL REFERENCES people,
    month integer NOT NULL,
    packed ${sql.raw(blob)} NOT NULL,
    PRIMARY KEY (steam_id, month))`.execute(tx)
  await sql`CREATE INDEX playtime_months_by_month ON playtime_months (month)`.execute(tx)
}

/**
 * What transactions changed, for the caches of all servers. SQLite numbers the rows. On PostgreSQL transactions do not
 * become visible in the order of any number, so a row has the id of its transaction (postgres.ts).
 */
export async function addChanges(tx: Tx, { changes }: EngineSql): Promise<void> {
  for (const statement of changes) await statement.execute(tx)
}

/**
 * When the platform last responded about a friend list, also that it is private (SYNC-25); and until when the server of a
 * running sync is at it (SYNC-26).
 */
export async function addTimesOfSyncs(tx: Tx): Promise<void> {
  await sql`ALTER TABLE people ADD COLUMN friends_checked_at bigint`.execute(tx)
  await sql`ALTER TABLE syncs ADD COLUMN alive_until bigint`.execute(tx)
}

/** How many can play a game, as groups have corrected it. */
export async function addGamePlayers(tx: Tx): Promise<void> {
  await sql`CREATE TABLE group_game_players (
    group_id bigint NOT NULL REFERENCES groups,
    appid bigint NOT NULL,
    players_max integer NOT NULL,
    corrected_by text,
    at bigint NOT NULL,
    PRIMARY KEY (group_id, appid))`.execute(tx)
  // Deleting an account clears `corrected_by`.
  await sql`CREATE INDEX group_game_players_by_person ON group_game_players (corrected_by)
    WHERE corrected_by IS NOT NULL`.execute(tx)
}
