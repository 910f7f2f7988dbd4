/** A deleted account leaves no data in the files of SQLite and PostgreSQL (DEL-5). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteAccount } from '../../src/server/features/groups/departures.ts'
import { SQLITE_FILE } from '../../src/server/database/open.ts'
import { ensurePlayers, readPlayers, saveProfiles } from '../../src/server/storage/players/players.ts'
import { api, engines, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'
import { startReceiver } from '../support/hooks.ts'
import { friendsWithGames, inNight } from '../support/nights.ts'
import { profileOf } from '../support/rows.ts'

const NAME = 'Gone With The Wind'

const remove = (player: TestPlayer) => player.attempt(api.privacy.deleteAccount, player.user)

test('DEL-5: SQLite: the database and its log contain neither name nor id', async () => {
  const app = await startTestApp({ engine: 'sqlite' })
  // Enough people that pages are split and merged by the deletions.
  const ada = await app.player({ name: 'Ada' })
  const strangers = await app.strangersConnectedWith(ada, 300)
  const leaving: TestPlayer[] = []
  for (let nth = 0; nth < 20; nth++) {
    const friends = nth % 2 === 0 ? [ada] : []
    leaving.push(await app.player({ name: `${NAME} ${nth}`, games: { Portal: nth }, friends }))
    await app.strangersConnectedWith(ada, 20)
  }
  expect(strangers).toHaveLength(300)
  await app.deps.sync.syncFriends(ada.steam_id)
  for (const player of leaving) expect((await remove(player)).status).toBe(204)

  const folder = app.place.dataDir
  const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
  expect(bytes.includes('Ada')).toBe(true)
  expect(bytes.includes(NAME)).toBe(false)
  // Friend lists have the ids as packed numbers.
  expect(leaving.filter((player) => bytes.includes(player.steam_id))).toEqual([])
})

test('DEL-5: SQLite: unused parts of pages do not contain them either, once housekeeping has run', async () => {
  const app = await startTestApp({ engine: 'sqlite' })
  const { database } = app
  // Unordered ids split pages all over the file; then every fifth person is deleted.
  const ids = Array.from({ length: 6000 }, (_, nth) =>
    String(76561197960265729n + ((BigInt(nth) * 2_654_435_761n) % 4_000_000_007n)),
  )
  for (let start = 0; start < ids.length; start += 250)
    await database.transaction((tx) => ensurePlayers(tx, ids.slice(start, start + 250)))
  await database.transaction((tx) =>
    saveProfiles(
      tx,
      ids.map((steamId) => profileOf(steamId, `${NAME} ${steamId}`)),
      Date.now(),
    ),
  )
  const gone = ids.filter((_, nth) => nth % 5 === 0)
  await database.transaction(async (tx) => {
    for (const id of gone) await deleteAccount(database, tx, id, Date.now())
  })
  const left = () => {
    const file = readFileSync(join(app.place.dataDir, SQLITE_FILE), 'latin1')
    return gone.filter((id) => file.includes(id))
  }
  app.deps.sync.start()
  await expect.poll(left, { timeout: 20_000 }).toEqual([])
  // The other rows are still there, and the database is still writable.
  expect((await readPlayers(database.queries, ids)).size).toBe(ids.length - gone.length)
  await database.transaction((tx) => ensurePlayers(tx, [gone[0]!]))
})

// The files of other machines cannot be read through the coordinator.
test.each(engines.filter((engine) => engine !== 'citus'))('DEL-5, SERIES-8: %s: nights', async (engine) => {
  const receiver = await startReceiver()
  const app = await startTestApp({ engine, web: receiver.web })
  // Mira stays, and hosts the night in which the one who goes wrote, voted and drew.
  const { host: mira, ada: ben, ben: going, appids } = await friendsWithGames(app, 3)
  const { group_id: groupId } = await app.group({ owner: going, members: [mira, ben] })
  const start = (title: string) => going.call(api.nights.start, {}, { group_id: groupId, title })

  const { display_name } = await going.call(api.library.summary, going.user)
  const secrets: string[] = [
    going.steam_id,
    display_name!,
    'Title of the gone',
    'Word of the gone',
    'Reason of the gone',
  ]
  const { secret } = await going.call(
    api.webhooks.set,
    { id: groupId },
    { url: `${receiver.url}/gone`, format: 'json' },
  )
  secrets.push(secret, `${receiver.url}/gone`)
  const night = await start('Title of the gone')
  const { token } = await going.call(api.invites.renewOfNight, { id: night.night_id })
  const feed = await going.call(api.calendar.renewFeed, going.user)
  secrets.push(token, feed.url.split('/').at(-1)!.replace('.ics', ''))
  await inNight(night, going).answer('in', 'Word of the gone')
  // A ballot that nobody else has, in the order in which it is stored.
  const marks = [2, 0, 1].map((nth) => ({ appid: appids[nth]!, mark: 'no' as const }))
  await inNight(night, going).vote(marks)
  secrets.push(marks.map(({ appid, mark }) => `${appid}:${mark}`).join(','))
  await inNight(night, mira).answer('in', 'Word of Mira')
  await inNight(night, mira).vote([{ appid: appids[0]!, mark: 'want' }])
  await inNight(night, going).close('draw')
  await inNight(night, going).draw()
  await inNight(night, going).redraw('Reason of the gone')

  // One series goes on with Mira, and one of hers leaves them out.
  const starts_at = new Date(Date.now() + 60 * 60_000).toISOString()
  const repeat = { starts_at, repeat: { every: 'week', zone: 'Europe/Berlin' } as const }
  const series = await going.call(
    api.nights.start,
    {},
    { group_id: groupId, title: 'Series of the gone', ...repeat },
  )
  secrets.push('Series of the gone')
  await inNight(series, mira).answer('in')
  await mira.call(api.nights.start, {}, { group_id: groupId, except: [going.steam_id], ...repeat })

  const before = await bytesOf(app)
  expect(secrets.filter((text) => !before.includes(text))).toEqual([])
  expect((await remove(going)).status).toBe(204)
  expect((await inNight(series, mira).read()).series).toBeNull()
  const after = await bytesOf(app)
  expect(after.includes('Word of Mira')).toBe(true)
  // Mira's friend list, which is hers, has the id as a packed number.
  expect(secrets.filter((text) => after.includes(text))).toEqual([])
})

/** All bytes of the database that are not free, as text. */
async function bytesOf(app: TestApp): Promise<string> {
  if (app.place.databaseUrl !== undefined) return vacuumedTables(app)
  const folder = app.place.dataDir
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))).toString('latin1')
}

async function vacuumedTables({ database: { queries } }: TestApp): Promise<string> {
  let bytes = ''
  for (const { name } of await queries.introspection.getTables()) {
    await sql`VACUUM FULL ${sql.table(name)}`.execute(queries)
    await sql`CHECKPOINT`.execute(queries)
    const { rows } = await sql<{ content: Uint8Array }>`
        SELECT pg_read_binary_file(pg_relation_filepath(oid)) AS content FROM pg_class
        WHERE oid = ${name}::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ${name}::regclass)`.execute(
      queries,
    )
    bytes += rows.map((row) => Buffer.from(row.content).toString('latin1')).join('')
  }
  return bytes
}
