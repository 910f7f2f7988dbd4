/**
 * Each draw has a seed of its own, and a night that of its next draw. They were one chain before: hashed 32 times, a night's
 * secret gave the hash that was shown, and hashed 32 minus n times the seed of its nth draw.
 */
import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

const CHAIN = 32

export async function addDrawSeeds(db: Kysely<never>): Promise<void> {
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
