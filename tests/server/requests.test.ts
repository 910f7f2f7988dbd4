/** What each request costs, and how it is counted. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'

test('an unexpected error is logged once, with the request id of the response', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const app = await startTestApp({ logger })
  const ada = await app.player()
  const { group_id } = await app.group({ owner: ada })
  await app.database.queries.schema.dropTable('libraries').execute()
  const response = await ada.request(`/api/groups/${group_id}/members`)
  const { request_id } = (await response.json()) as { request_id: string }
  expect([response.status, request_id]).toEqual([500, expect.stringMatching(/^[0-9a-f-]{36}$/)])
  const failures = lines
    .map((line) => JSON.parse(line) as { level: number; reqId: string; msg: string })
    .filter(({ level }) => level >= 50)
  expect(failures).toMatchObject([{ reqId: request_id, msg: 'request failed' }])
})
