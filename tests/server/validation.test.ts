/** ERR-5: input of the wrong type is a 400 that names the field and says what is wrong. */
import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { pathOf } from '#shared/path.ts'
import { api, nextSteamId, startTestApp, type TestApp, type TestPlayer } from '../support/app.ts'

let app: TestApp
let ada: TestPlayer
let groupId: number
let nightId: number
beforeAll(async () => {
  // To others the operator's page does not exist, whatever they send (OPER-2).
  const steamId = nextSteamId()
  app = await startTestApp({ lasting: true, env: { OPERATORS: steamId } })
  ada = await app.player({ steamId })
  groupId = (await app.group({ owner: ada })).group_id
  nightId = (await ada.call(api.nights.start, {}, { group_id: groupId })).night_id
})
afterAll(() => app.close())

/** A valid input for each field; a new field needs a line here. */
const good = (field: string): unknown => {
  const inputs: Record<string, unknown> = {
    name: 'Friday',
    owner_steam_id: ada.steam_id,
    steam_id: ada.steam_id,
    steam_ids: [ada.steam_id],
    picture_url: 'https://example.org/a.png',
    library_visibility: 'connected',
    theme: 'dark',
    language: 'de',
    country: 'DE',
    wishlist: true,
    where: 'gog',
    may_return: false,
    // A night has either this or people.
    group_id: undefined,
    except: undefined,
    starts_at: new Date(Date.now() + 60_000).toISOString(),
    // A night has either these or one start.
    times: undefined,
    close_times_at: undefined,
    answers: {},
    zone: 'Europe/Berlin',
    repeat: { every: 'week', zone: 'Europe/Berlin' },
    title: 'Friday',
    forbids: false,
    faces: true,
    any_owner: true,
    vote_closes_at: new Date(Date.now() + 120_000).toISOString(),
    players_max: 4,
    answer: 'in',
    word: 'late',
    marks: [],
    by: 'votes',
    reason: 'too long',
    replaces: 1,
    link: 'https://skribbl.io',
    url: 'https://1.1.1.1/hook',
    format: 'json',
    weekly: true,
    shares: true,
    not_tonight_forbids: true,
    about: 'name',
    who: 'anyone',
    action: 'block',
    version: 'a',
    notifications: { asked: false },
    endpoint: 'https://1.1.1.1/push',
    expirationTime: null,
    keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) },
  }
  if (!(field in inputs)) throw new Error(`add a valid ${field} here`)
  return inputs[field]
}

const calls: [string, Endpoint][] = Object.values(api)
  .flatMap((noun) => Object.values<Endpoint>(noun))
  .map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint])
const fieldsOf = ({ body }: Endpoint) =>
  'shape' in body ? Object.keys((body as Endpoint['params']).shape) : []
const withBody = calls.flatMap(([name, endpoint]) =>
  fieldsOf(endpoint).map((field): [string, string, Endpoint] => [name, field, endpoint]),
)

async function send(endpoint: Endpoint, body: unknown) {
  const id = endpoint.path.startsWith('/api/nights/') ? nightId : groupId
  const path = pathOf(endpoint.path, {
    id,
    steamId: ada.steam_id,
    gameId: 400,
    sessionId: 1,
    token: 'x',
  })
  const response = await ada.request(path, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  // A night has a status of its own.
  return {
    ...(JSON.parse(text || '{}') as { error?: string; code?: string; field?: string }),
    status: response.status,
  }
}

describe.each(withBody)('%s: %s', (_name, field, endpoint) => {
  const rest = () => Object.fromEntries(fieldsOf(endpoint).map((name) => [name, good(name)]))

  test.each([[null], [5], ['x'], [[]], [{}], [true], [[null]]])('as %j', async (value) => {
    const body = { ...rest(), [field]: value }
    const answer = await send(endpoint, body)
    // A group may be called 'x'; what the contract accepts is not refused as invalid input.
    if (endpoint.body.safeParse(body).success && answer.status !== 400 && answer.status < 500) return
    expect(answer).toMatchObject({ status: 400, error: expect.stringMatching(/\S/) as string })
    expect(answer.field === field || answer.field?.startsWith(`${field}.`)).toBe(true)
    // Of an object that was sent a field may be missing.
    const wrong = answer.field === field ? /is missing|expected|received|zod/i : /expected|received|zod/i
    expect(answer.error).not.toMatch(wrong)
  })

  test('left out', async () => {
    const body: Record<string, unknown> = rest()
    delete body[field]
    const answer = await send(endpoint, body)
    if (endpoint.body.safeParse(body).success && answer.status < 500) return
    expect(answer).toMatchObject({ status: 400, field })
    expect(['Group name required.', `${field}: is missing`]).toContain(answer.error)
  })

  test.each([[null], [5], ['x'], [[]], [true]])('in a body that is %j', async (body) => {
    expect(await send(endpoint, body)).toMatchObject({ status: 400, field: 'body' })
  })
})

describe('ERR-5: the text says what is expected', () => {
  const { create, addMembers } = api.groups
  const cases: [string, Endpoint, object, string][] = [
    ['a name of the wrong type', create, { name: 5 }, 'name: must be text'],
    ['a name that is a list', create, { name: [] }, 'name: must be text'],
    ['a name that is null', create, { name: null }, 'Group name required.'],
    ['ids that are text', addMembers, { steam_ids: 'x' }, 'steam_ids: must be a list'],
    ['an empty list of ids', addMembers, { steam_ids: [] }, 'steam_ids: must have at least 1 entry'],
    [
      'too many ids',
      addMembers,
      { steam_ids: Array<string>(101).fill('76561197960265730') },
      'steam_ids: must have at most 100 entries',
    ],
    ['a number', addMembers, { steam_ids: [76561197960265730] }, 'steam_ids.0: must be text'],
    ['an invalid id', addMembers, { steam_ids: ['7'] }, 'steam_ids.0: is not the steam id of a player'],
    [
      'an unknown choice',
      api.privacy.changeSettings,
      { library_visibility: 'friends' },
      'library_visibility: must be one of connected, groups, nobody',
    ],
  ]
  test.each(cases)('%s', async (_name, endpoint, body, text) => {
    const answer = await send(endpoint, body)
    expect(answer).toMatchObject({ status: 400, error: text })
  })
})
