/**
 * `node scripts/citus-statements.mjs LOG COORDINATOR`: explains every statement that the tests ran, which the log of the
 * coordinator has (`log_statement = all`), on a database that has been distributed, and writes docs/operate/citus.md: which are
 * routed to one shard, which to several and why, and which are run by the coordinator. Fails when one goes to several
 * shards and none of the reasons below is its.
 */
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { format, resolveConfig } from 'prettier'
import { placements } from '../src/server/database/several/placements.ts'
import { root } from './prepare.mjs'

/** Why a statement goes to several shards: the first reason whose pattern it matches. */
const reasons = [
  [
    /"(token_hash|steam_id|group_id|night_id|id_hash|picture_key)" in \(…\)/,
    'a list: at most one shard for each friend, member or night in it',
  ],
  [/^insert into .* values …/, 'several rows: at most one shard for each player, group or night'],
  [
    /^(delete from|update) "(sessions|used_once|syncs|library_changes|playtime_months|pictures|deleted_accounts)" .*where "(expires_at|started_at|at|month|created_at|deleted_at|result)" /,
    'housekeeping, once an hour',
  ],
  [
    /^select "sync_id" from "syncs" where "result" = \?$|^select night_id from night_people |"nights" where "starts_at" = \?$|^update "group_game_players" set "appid"/,
    'a test',
  ],
  [
    /"push_subscriptions" /,
    'a device of notifications that changes its user or has ended; a sign-out of all users',
  ],
  [/"operator_log"|"blocked_at" is not null/, "the operator's page"],
  [/"avatar_url" like|"used_once" where "kind" not in/, 'a demo: its reset, and the address of its pictures'],
  [/"deleted_accounts" where "deleted_at"/, 'housekeeping, once an hour'],
  [
    /"nights" where .*"starts_at" <=? |"status" in \(…\) and "starts_at"/,
    'nights whose time has come, once a minute',
  ],
  [
    /"refreshes" where .*order by/,
    'the next rows of the refresh list, of each shard; as often as Steam is read',
  ],
  [
    /"handover_hash"|"sessions" .*"(steam_id|session_id)"/,
    'sign-in, sign-out and settings: sessions are sharded by token',
  ],
  [/"token" = |"share_token" = |"calendar_feeds"/, 'a link: looked up in an index of each shard'],
  [/"syncs" .*"target"/, 'a sync looks for another of the same library; as often as Steam is read'],
  [
    /"requested_by" = |"target" = |"added_by" = |"corrected_by" = |"drawn_by" = |"host_steam_id" = |"owner_steam_id" /,
    "a player's part in groups and nights: limits, export and deletion",
  ],
  [/"group_games" where "appid"/, 'a game that a group has added, by its appid; kept in memory'],
  [/"group_members"|"group_departures"/, "a player's groups, which are sharded by group"],
  [/"night_people"/, "a player's nights, which are sharded by night"],
  [/"nights".*"group_id" = /, "a group's nights, which are sharded by night"],
  [/"pictures"/, 'pictures by address, and unused ones'],
]

const tables = Object.keys(placements)
const [log, coordinator] = process.argv.slice(2)
const examples = await readExamples(log)
const client = new pg.Client({ connectionString: coordinator })
await client.connect()
const found = []
for (const [text, example] of examples) found.push({ text, ...(await explain(example)) })
await client.end()

const unexplained = found.filter(({ where, why }) => where === 'several shards' && !why)
for (const { text } of unexplained) console.error(`goes to several shards: ${text}`)
const refused = found.filter(({ where }) => where === 'refused')
for (const { text, why } of refused) console.error(`refused (${why}): ${text}`)
await write()
if (unexplained.length + refused.length > 0) process.exit(1)

/** One example of each statement about our tables, by its text with lists of any length as one. */
async function readExamples(path) {
  const byText = new Map()
  let record = ''
  /** The last statement of each connection, by its process; the log mixes them. */
  const lastOf = new Map()
  const take = (entry) => {
    const connection = /\[(\d+)\]/.exec(entry)?.[1]
    const last = lastOf.get(connection)
    const parameters = /DETAIL: {2}parameters: (.*)$/s.exec(entry)?.[1]
    if (parameters !== undefined && last) {
      lastOf.delete(connection)
      const values = [...parameters.matchAll(/\$\d+ = (NULL|'(?:[^']|'')*')/g)].map((match) => match[1])
      // Connections write at the same time, so an entry may be torn.
      const count = Math.max(...[...last.statement.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))
      const text = normal(last.statement)
      if (values.length === count && !byText.has(text)) byText.set(text, { ...last, values })
      return
    }
    const statement = /LOG: {2}(?:execute [^:]*|statement): (.*)$/s.exec(entry)?.[1]?.trim()
    lastOf.delete(connection)
    // Those in capitals are of migrations and tests, and a statement about a whole table is a test's.
    if (!statement || !/^(select|insert|update|delete)\b/.test(statement)) return
    if (!/^insert|\bwhere\b/.test(statement)) return
    if (!tables.some((table) => new RegExp(`(from|into|update|join) "?${table}"?\\b`, 'i').test(statement)))
      return
    const seen = { statement, values: [] }
    lastOf.set(connection, seen)
    // Otherwise its parameters are in the next entry.
    if (!statement.includes('$1') && !byText.has(normal(statement))) byText.set(normal(statement), seen)
  }
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (!/^\d{4}-\d\d-\d\d /.test(line)) {
      record += `\n${line}`
      continue
    }
    take(record)
    record = line
  }
  take(record)
  return byText
}

function normal(statement) {
  return statement
    .replace(/\s+/g, ' ')
    .replace(/\$\d+/g, '?')
    .replace(/<> all\(\?\)/g, 'not in (…)')
    .replace(/= any\(\?\)|in \(\?(, \?)*\)/g, 'in (…)')
    .replace(/in \('[^)]*\)/g, 'in (…)')
    .replace(/values \(.*?\)(, \(.*?\))*( |$)/, 'values … ')
    .trim()
}

async function explain({ statement, values }) {
  try {
    await client.query(`PREPARE explained AS ${statement}`)
    const run = `EXECUTE explained${values.length > 0 ? `(${values.join(', ')})` : ''}`
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON, COSTS OFF) ${run}`)
    const plan = JSON.stringify(rows[0]['QUERY PLAN'])
    const tasks = [...plan.matchAll(/"Task Count":(\d+)/g)].map((match) => Number(match[1]))
    if (tasks.length === 0) return { where: 'coordinator' }
    if (tasks.length === 1 && tasks[0] <= 1) return { where: 'one shard' }
    const text = normal(statement)
    return { where: 'several shards', why: reasons.find(([pattern]) => pattern.test(text))?.[1] }
  } catch (error) {
    return { where: 'refused', why: error.message }
  } finally {
    await client.query('DEALLOCATE ALL')
  }
}

async function write() {
  const of = (where) => found.filter((one) => one.where === where)
  const byReason = Map.groupBy(of('several shards'), ({ why }) => why ?? 'no reason')
  const short = (text) => `\`${text.replaceAll('"', '').replaceAll('|', '\\|').slice(0, 110)}\``
  const rows = Object.entries(placements).map(([table, { isReference, by, beside, why }]) => {
    const place = by
      ? `by \`${by}\`${beside ? `, beside ${beside}` : ''}`
      : isReference
        ? 'every machine'
        : 'coordinator'
    return `| ${table} | ${place} | ${why} |`
  })
  const text = `# Statements on a distributed PostgreSQL

Written by \`scripts/citus-statements.mjs\` from the statements that the tests run; do not edit.

| table | where its rows are | why |
| - | - | - |
${rows.join('\n')}

Of ${found.length} statements, ${of('one shard').length} are routed to one shard (or read the catalogue), ${of('coordinator').length} use only tables on the coordinator, and ${of('several shards').length} go to several shards:

| why | statements | for example |
| - | - | - |
${[...byReason].map(([why, list]) => `| ${why} | ${list.length} | ${short(list[0].text)} |`).join('\n')}
`
  const file = join(root, 'docs', 'operate', 'citus.md')
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }))
}
