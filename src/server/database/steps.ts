/**
 * The steps that upgrade an earlier database. A released step is never changed, and imports nothing that changes; later
 * changes are new steps at the end, and in `schema.ts`, from which new databases are created.
 */
import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { StorageError } from './database.ts'

export type Step = (db: Kysely<never>) => Promise<void>
/** By their names, which sort in the order of the steps. */
export type Steps = Readonly<Record<string, Step>>

/** Stands for steps that every upgradable database already has. */
export function tooOld(): never {
  throw new StorageError(
    'The database is of a version of Shelfmates from before 26 November 2026, which this one cannot migrate; start the ' +
      'version of 26 November 2026 with it once, then this one.',
  )
}

/** How often in a row the push service of a device has refused a message for good (PUSH-11). */
async function addPushRefusals(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE push_subscriptions ADD COLUMN refusals integer NOT NULL DEFAULT 0`.execute(db)
}

/** Versions before the named steps counted theirs in a table. */
async function dropCountedSteps(db: Kysely<never>): Promise<void> {
  await sql`DROP TABLE IF EXISTS schema_steps`.execute(db)
}

/** Whether a night picks games that somebody lacks, and when its vote ends by itself. */
async function addFairPicks(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE nights ADD COLUMN any_owner integer NOT NULL DEFAULT 0`.execute(db)
  await sql`ALTER TABLE nights ADD COLUMN vote_closes_at bigint`.execute(db)
  await sql`CREATE INDEX nights_by_vote_end ON nights (vote_closes_at) WHERE vote_closes_at IS NOT NULL`.execute(
    db,
  )
}

type Result = { entries: { facts: Record<string, unknown> }[] }

/**
 * Drops who played a pick together afterwards, and which groups that a user left are not listed. Results of votes that
 * have ended no longer say either.
 */
async function dropEndedPromises(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE nights DROP COLUMN played_at`.execute(db)
  await sql`ALTER TABLE night_people DROP COLUMN played`.execute(db)
  await sql`ALTER TABLE group_departures DROP COLUMN forgotten`.execute(db)
  const { rows } = await sql<{
    night_id: number
    result: string
  }>`SELECT night_id, result FROM nights WHERE result IS NOT NULL`.execute(db)
  for (const { night_id, result } of rows) {
    const changed = JSON.parse(result) as Result
    for (const { facts } of changed.entries) delete facts.played_together
    await sql`UPDATE nights SET result = ${JSON.stringify(changed)} WHERE night_id = ${night_id}`.execute(db)
  }
}

const CHAIN = 32

/**
 * Each draw has a seed of its own, and a night that of its next draw. They were one chain before: hashed 32 times, a night's
 * secret gave the hash that was shown, and hashed 32 minus n times the seed of its nth draw.
 */
async function addDrawSeeds(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE night_draws ADD COLUMN seed text`.execute(db)
  const nights = await sql<{ night_id: number; seed: string }>`SELECT night_id, seed FROM nights`.execute(db)
  const draws = await sql<{ night_id: number; number: number; by: string }>`
    SELECT night_id, number, "by" FROM night_draws`.execute(db)
  const drawsOf = Map.groupBy(draws.rows, (draw) => draw.night_id)
  for (const { night_id, seed: secret } of nights.rows) {
    const made = drawsOf.get(night_id) ?? []
    for (const { number } of made.filter(({ by }) => by === 'draw'))
      await sql`UPDATE night_draws SET seed = ${seedOf(secret, number)}
        WHERE night_id = ${night_id} AND number = ${number}`.execute(db)
    await sql`UPDATE nights SET seed = ${seedOf(secret, made.length + 1)} WHERE night_id = ${night_id}`.execute(
      db,
    )
  }
}

function seedOf(secret: string, number: number): string {
  let seed = secret
  for (let times = CHAIN - number; times > 0; times--) seed = hash('sha256', Buffer.from(seed, 'hex'))
  return seed
}

/**
 * Drops what is not stored any more: that games for fewer people may be picked in a night, when presence of its players was
 * read last, and picture changes, which are counted with the other uses of a day.
 */
async function dropEndedRules(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE nights DROP COLUMN any_size`.execute(db)
  await sql`ALTER TABLE nights DROP COLUMN presence_at`.execute(db)
  await sql`DROP TABLE picture_changes`.execute(db)
}

/** Webhooks are of groups, and have the format of Discord or JSON, whose text other chats show. */
async function dropUserWebhooks(db: Kysely<never>): Promise<void> {
  await sql`DELETE FROM messages WHERE webhook_id IN (SELECT webhook_id FROM webhooks WHERE group_id IS NULL)`.execute(
    db,
  )
  await sql`DELETE FROM webhooks WHERE group_id IS NULL`.execute(db)
  await sql`DROP INDEX webhooks_of_users`.execute(db)
  await sql`UPDATE webhooks SET format = 'json' WHERE format IN ('slack', 'mattermost')`.execute(db)
}

/** The country whose prices a user sees. */
async function addCountry(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE people ADD COLUMN country text`.execute(db)
}

/** Servers write no heartbeats. */
async function dropServers(db: Kysely<never>): Promise<void> {
  await sql`DROP TABLE servers`.execute(db)
}

/** What games cost, by country. */
async function addPrices(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE prices (
    country text NOT NULL,
    appid bigint NOT NULL,
    asked_at bigint NOT NULL,
    read_at bigint,
    formatted text,
    cents bigint,
    discount_percent integer NOT NULL DEFAULT 0,
    discount_ends_at bigint,
    PRIMARY KEY (country, appid))`.execute(db)
  await sql`CREATE INDEX prices_by_time ON prices (asked_at)`.execute(db)
}

/** Games that users own outside Steam; what players said in nights that they own is the first of it. */
async function addElsewhere(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE people ADD COLUMN elsewhere text`.execute(db)
  const { rows } = await sql<{ steam_id: string; claims: string }>`
    SELECT steam_id, claims FROM night_people WHERE claims IS NOT NULL`.execute(db)
  for (const [steamId, claimed] of Map.groupBy(rows, (row) => row.steam_id)) {
    const appids = [...new Set(claimed.flatMap(({ claims }) => claims.split(',')))].slice(0, 500)
    const elsewhere = appids.map((appid) => `${appid}:other`).join(',')
    await sql`UPDATE people SET elsewhere = ${elsewhere} WHERE steam_id = ${steamId}`.execute(db)
  }
  await sql`ALTER TABLE night_people DROP COLUMN claims`.execute(db)
}

/** Games that members want to play with their group. */
async function addWishes(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE group_members ADD COLUMN wishes text`.execute(db)
}

/** Steam wishlists of users who let them be read. */
async function addWishlists(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE wishlists (
    steam_id text PRIMARY KEY,
    status text NOT NULL,
    appids text,
    due_at bigint NOT NULL DEFAULT 0)`.execute(db)
}

const HOUR_MS = 60 * 60_000

/**
 * When a vote became complete because somebody left. Links of nights end 12 hours after the start, also where the night was
 * moved after its link was made.
 */
async function addCompletedVotes(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE nights ADD COLUMN completed_at bigint`.execute(db)
  await sql`CREATE INDEX nights_by_completion ON nights (completed_at) WHERE completed_at IS NOT NULL`.execute(
    db,
  )
  // Read apart, because links and nights are sharded differently.
  const links = await sql<{ token: string; night_id: number }>`
    SELECT token, night_id FROM invites WHERE night_id IS NOT NULL`.execute(db)
  for (const { token, night_id } of links.rows) {
    const { rows } = await sql<{ starts_at: number; status: string }>`
      SELECT starts_at, status FROM nights WHERE night_id = ${night_id}`.execute(db)
    if (rows[0] && rows[0].status !== 'dating')
      await sql`UPDATE invites SET expires_at = ${rows[0].starts_at + 12 * HOUR_MS} WHERE token = ${token}`.execute(
        db,
      )
  }
}

/** The owner of a group can have its webhook tell once a week what happened (LATELY-4). */
async function addWeeklyMessages(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE webhooks ADD COLUMN weekly_due_at bigint`.execute(db)
  await sql`CREATE INDEX webhooks_by_week ON webhooks (weekly_due_at) WHERE weekly_due_at IS NOT NULL`.execute(
    db,
  )
}

/** Each server counts for itself how often Steam fails. */
async function dropFailures(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE platform_hosts DROP COLUMN held_until`.execute(db)
  await sql`ALTER TABLE platform_hosts DROP COLUMN failures`.execute(db)
}

/** Series end with their host (SERIES-7), so those that passed to somebody else end now. */
async function endSeriesPassedOn(db: Kysely<never>): Promise<void> {
  const passedOn = sql`SELECT series_id FROM night_series WHERE EXISTS (
    SELECT 1 FROM night_series_left_out WHERE night_series_left_out.series_id = night_series.series_id
      AND night_series_left_out.steam_id = night_series.host_steam_id)`
  const { rows } = await sql<{ series_id: number }>`${passedOn}`.execute(db)
  for (const { series_id } of rows)
    for (const table of ['night_series_nights', 'night_series_left_out', 'night_series'])
      await sql`DELETE FROM ${sql.table(table)} WHERE series_id = ${series_id}`.execute(db)
}

/** Games that are not on Steam, which members have added to their group. */
async function addGroupGames(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE group_games (
    group_id bigint NOT NULL REFERENCES groups,
    appid bigint NOT NULL,
    name text NOT NULL,
    link text,
    added_by text,
    added_at bigint NOT NULL,
    PRIMARY KEY (group_id, appid))`.execute(db)
  await sql`CREATE INDEX group_games_by_appid ON group_games (appid)`.execute(db)
  await sql`CREATE INDEX group_games_by_person ON group_games (added_by) WHERE added_by IS NOT NULL`.execute(
    db,
  )
}

/** Links by which users and groups share a year. */
async function addYearLinks(db: Kysely<never>): Promise<void> {
  await sql`CREATE TABLE year_links (
    token text PRIMARY KEY,
    created_by text NOT NULL REFERENCES people,
    group_id bigint REFERENCES groups,
    year integer NOT NULL,
    created_at bigint NOT NULL)`.execute(db)
  await sql`CREATE INDEX year_links_by_creator ON year_links (created_by)`.execute(db)
  await sql`CREATE INDEX year_links_by_group ON year_links (group_id) WHERE group_id IS NOT NULL`.execute(db)
}

export const allSteps: Steps = {
  '0001_baseline': tooOld,
  '0002_theme': tooOld,
  '0003_language': tooOld,
  '0004_push': tooOld,
  '0005_dates': tooOld,
  '0006_series': tooOld,
  '0007_user_webhook': tooOld,
  '0008_push_refusals': addPushRefusals,
  '0009_counted_steps': dropCountedSteps,
  '0010_fair_picks': addFairPicks,
  '0011_ended_promises': dropEndedPromises,
  '0012_draw_seeds': addDrawSeeds,
  '0013_ended_rules': dropEndedRules,
  '0014_user_webhooks_end': dropUserWebhooks,
  '0015_country': addCountry,
  '0016_servers_end': dropServers,
  '0017_prices': addPrices,
  '0018_elsewhere': addElsewhere,
  '0019_wishes': addWishes,
  '0020_wishlists': addWishlists,
  '0021_completed_votes': addCompletedVotes,
  '0022_weekly_messages': addWeeklyMessages,
  '0023_failures_end': dropFailures,
  '0024_series_end_with_host': endSeriesPassedOn,
  '0025_group_games': addGroupGames,
  '0026_year_links': addYearLinks,
}
