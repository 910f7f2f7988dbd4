/** Nights whose date is being found: the proposed times, and what players answer to them (DATE-1). */
import { type Kysely, sql } from 'kysely'

export async function addDates(
  db: Kysely<never>,
  _engine: 'sqlite' | 'postgres',
  { isDistributed }: { isDistributed: boolean },
): Promise<void> {
  // Servers of earlier versions delete nights and players without these rows.
  const ofNight = sql.raw(isDistributed ? '' : 'REFERENCES nights ON DELETE CASCADE')
  const ofPlayer = sql.raw(
    isDistributed ? '' : ', FOREIGN KEY (night_id, steam_id) REFERENCES night_people ON DELETE CASCADE',
  )
  await sql`CREATE TABLE night_dates (
    night_id bigint PRIMARY KEY ${ofNight},
    times text NOT NULL,
    close_at bigint,
    due_at bigint NOT NULL)`.execute(db)
  await sql`CREATE INDEX night_dates_by_turn ON night_dates (due_at)`.execute(db)
  await sql`CREATE TABLE night_date_answers (
    night_id bigint NOT NULL,
    steam_id text NOT NULL,
    answers text NOT NULL,
    answered_at bigint NOT NULL,
    PRIMARY KEY (night_id, steam_id)${ofPlayer})`.execute(db)
  await sql`CREATE INDEX night_date_answers_by_person ON night_date_answers (steam_id, night_id)`.execute(db)
}
