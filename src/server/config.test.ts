import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/folders.ts'
import { ConfigError, isOpenDemo, readConfig, refuseOperatorsOfDemo } from './config.ts'

test('OPS-1: the defaults are localhost:3000, SQLite in ./data and demo mode', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    steamApiKey: undefined,
    demo: undefined,
    steamApiUrl: 'https://api.steampowered.com',
    steamOpenidUrl: 'https://steamcommunity.com/openid/login',
    storeCountry: 'US',
    trustProxy: [],
    webhookAllow: [],
    memoryMb: 512,
    metricsToken: undefined,
    operators: [],
    logLevel: 'info',
  })
})

test('OPS-1, OPS-32: docs/operate/configuration.md has every variable, with its default', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/configuration.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) => {
    const [, names = '', defaults = ''] = row.split('|')
    const values = [...defaults.matchAll(/`([^`]+)`|unset/g)]
    return [...names.matchAll(/\w+/g)].map(([name], nth) => [name, values[nth]![1]] as const)
  })
  const read = new Set<string>()
  const defaults = readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }))
  const files = [...page.matchAll(/`([A-Z_]+_FILE)`/g)].map(([, name]) => name!)
  expect([...listed.map(([name]) => name), ...files].sort()).toEqual([...read].sort())
  const given = listed.map(([name, value]) => [name, value?.replace('$PORT', '3000')] as const)
  expect(readConfig(Object.fromEntries(given))).toEqual(defaults)
})

test('OPS-1: PUBLIC_URL follows PORT unless it is given', () => {
  expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  expect(readConfig({ PORT: '8080', PUBLIC_URL: 'https://games.example.org/' }).publicUrl).toBe(
    'https://games.example.org',
  )
})

test('OPS-1: TRUST_PROXY accepts IP addresses and networks', () => {
  expect(readConfig({ TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,fd00::/8' }).trustProxy).toEqual([
    '10.0.0.1',
    '192.168.0.0/16',
    'fd00::/8',
  ])
})

test('OPS-44: WEBHOOK_ALLOW is a list of hosts with ports, in the form that URLs have', () => {
  const given = '192.168.1.5:8443, NTFY.lan:443,[FD00:0::5]:8080,0x7f.1:80,bücher.lan:0443'
  expect(readConfig({ WEBHOOK_ALLOW: given }).webhookAllow).toEqual([
    '192.168.1.5:8443',
    'ntfy.lan:443',
    '[fd00::5]:8080',
    '127.0.0.1:80',
    'xn--bcher-kva.lan:443',
  ])
  expect(() => readConfig({ WEBHOOK_ALLOW: 'ntfy.lan:443', DEMO: 'public' })).toThrow(
    'WEBHOOK_ALLOW is "ntfy.lan:443", but it must be unset while DEMO is public.',
  )
})

test('OPER-1: OPERATORS is a list of steam ids', () => {
  expect(readConfig({ OPERATORS: '76561197960265730, 76561197960265731' }).operators).toEqual([
    '76561197960265730',
    '76561197960265731',
  ])
})

test('OPER-1: OPERATORS is refused in a demo, public or not', () => {
  for (const DEMO of ['', 'public'])
    expect(() => refuseOperatorsOfDemo(readConfig({ DEMO, OPERATORS: '76561197960265730' }))).toThrow(
      new ConfigError('OPERATORS', '76561197960265730', 'unset without STEAM_API_KEY'),
    )
  refuseOperatorsOfDemo(readConfig({ OPERATORS: '76561197960265730', STEAM_API_KEY: 'key' }))
})

test('DEMO-15: a demo that other machines can reach is open, unless it is public', () => {
  const isOpen = (env: Record<string, string>) => isOpenDemo(readConfig(env))
  const local: Record<string, string>[] = [
    {},
    { HOST: '::1' },
    { HOST: '127.0.0.2' },
    { HOST: 'localhost' },
    { PUBLIC_URL: 'http://[::1]:3000' },
  ]
  const open: Record<string, string>[] = [
    ...[{ HOST: '0.0.0.0' }, { HOST: '::' }, { HOST: '192.168.0.2' }, { HOST: 'games.example.org' }],
    ...[{ PUBLIC_URL: 'https://games.example.org' }, { PUBLIC_URL: 'http://192.168.0.2:3000' }],
  ]
  expect([...local, ...open].filter(isOpen)).toEqual(open)
  for (const env of open)
    expect([isOpen({ ...env, DEMO: 'public' }), isOpen({ ...env, STEAM_API_KEY: 'key' })]).toEqual([
      false,
      false,
    ])
})

describe('OPS-12, OPS-17, OPER-1: a wrong value is refused in one sentence that names the variable, what was given and what is accepted', () => {
  const wrong = {
    PORT: ['0', '65536', '80a', '3e3'],
    PUBLIC_URL: [
      'games.example.org',
      'ftp://games.example.org',
      'https://games.example.org/app',
      'https://a?x=1',
    ],
    STEAM_API_URL: ['https://api.steampowered.com?', 'api.steampowered.com'],
    STEAM_OPENID_URL: ['https://steamcommunity.com/openid/login#', 'file:///etc/passwd'],
    DATABASE_URL: ['mysql://localhost/games', 'games.sqlite', '"postgres://me@db/games"'],
    TRUST_PROXY: ['proxy.local', '10.0.0.0/33', '10.0.0.0/0'],
    WEBHOOK_ALLOW: [
      ...['ntfy.lan', 'https://ntfy.lan:443', 'ntfy.lan:443/topic', 'me@ntfy.lan:443', '*.lan:443', ':443'],
      ...['ntfy.lan:0', 'ntfy.lan:65536', '192.168.0.0/16:443', 'fd00::5:443', 'ntfy.lan:443,', 'a:1:2'],
    ],
    METRICS_TOKEN: ['too-short'],
    OPERATORS: ['76561197960265730;76561197960265731', '76561197960265730,', 'gabe'],
    DEMO: ['yes'],
    LOG_LEVEL: ['loud'],
    STORE_COUNTRY: ['Germany'],
    DATA_DIR: ['~/shelf', "'/data'"],
    STEAM_API_KEY: ['"0123456789ABCDEF"'],
    STEAM_API_KEY_FILE: ['~/key'],
  }
  test.each(Object.entries(wrong).flatMap(([name, values]) => values.map((given) => [name, given] as const)))(
    '%s=%s',
    (name, given) => {
      expect(() => readConfig({ [name]: given })).toThrow(ConfigError)
      expect(() => readConfig({ [name]: given })).toThrow(
        new RegExp(`^${name} is "[^"]+", but it must be .+\\.$`),
      )
    },
  )
})

test('OPS-12: a value with quotes that a shell would have removed is refused, also where quotes are part of it', () => {
  expect(() => readConfig({ DATA_DIR: '"/data"' })).toThrow(
    'DATA_DIR is ""/data"", but it must be a value without quotes around it.',
  )
})

test.each(['ge#heim', '1#geheim', '1/geheim', '1?geheim', 'pa#ge@heim'])(
  'OPS-12: a password in DATABASE_URL with letters that must be encoded (%s) is refused, and no piece of it is shown',
  (password) => {
    const DATABASE_URL = `postgres://me:${password}@db.example.org/games`
    expect(() => readConfig({ DATABASE_URL })).toThrow(
      /^DATABASE_URL is "[^"]+", but it must be .* written as %23, %2F and %3F\.$/,
    )
    expect(() => readConfig({ DATABASE_URL })).not.toThrow(/heim/)
  },
)

test('DEMO-9: DEMO=public is refused where there is a key', () => {
  expect(() => readConfig({ DEMO: 'public', STEAM_API_KEY: 'key' })).toThrow(
    'DEMO is "public", but it must be unset while STEAM_API_KEY is set.',
  )
  expect(readConfig({ DEMO: 'public' })).toMatchObject({ demo: 'public' })
})

function messageOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'accepted'
}

test('the message never contains a secret', () => {
  expect(messageOf({ STEAM_API_KEY: 'two words' })).toContain('STEAM_API_KEY')
  expect(messageOf({ STEAM_API_KEY: 'two words' })).not.toContain('two words')
  expect(messageOf({ METRICS_TOKEN: 'too-short' })).not.toContain('too-short')
  expect(messageOf({ WEBHOOK_ALLOW: 'me:hunter2@ntfy.lan:443' })).toMatch(
    /^WEBHOOK_ALLOW is "…@ntfy\.lan:443"/,
  )
  for (const [given, shown] of [
    ['games.sqlite', 'games.sqlite'],
    ['mysql://user:hunter2@host/db', 'mysql://…@host/db'],
    ['postgres://user:a/hunter2@host/db', 'postgres://…@host/db'],
    ['postgres://user:a@hunter2@ho st/db', 'postgres://…@ho …'],
    ['user:hunter2@host/db', '…@host/db'],
    ['mysql://host/db?password=hunter2', 'mysql://host/db?…'],
    ['mysql://host/db#hunter2', 'mysql://host/db#…'],
    ['host=localhost user=user password=hunter2', 'host=…'],
    ['postgres://user:hunter2', 'postgres://user:…'],
    ['postgres://user:hunter2/db', 'postgres://user:…'],
  ] as const)
    expect(messageOf({ DATABASE_URL: given })).toBe(
      `DATABASE_URL is "${shown}", but it must be a PostgreSQL connection string such as postgres://user@host/name, with #, / and ? of a password written as %23, %2F and %3F.`,
    )
})

describe('OPS-32: secrets from files', () => {
  const folder = temporaryFolder('secrets')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string, content: string) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  test('OPS-32: are read without the newline at their end', () => {
    const config = readConfig({
      STEAM_API_KEY_FILE: file('key', 'KEY-OF-FILE\n'),
      METRICS_TOKEN_FILE: file('token', 'a-token-of-a-file\r\n'),
      DATABASE_URL_FILE: file('url', 'postgres://me:secret@db/games'),
    })
    expect(config).toMatchObject({
      steamApiKey: 'KEY-OF-FILE',
      metricsToken: 'a-token-of-a-file',
      databaseUrl: 'postgres://me:secret@db/games',
    })
  })

  test('OPS-32: the password of DATABASE_URL may be in a file of its own, and be any text', () => {
    const password = "a b/c:d@e#f?g%h'é"
    const { databaseUrl } = readConfig({
      DATABASE_URL: 'postgres://me@db/games',
      DATABASE_PASSWORD_FILE: file('password', `${password}\n`),
    })
    const url = new URL(databaseUrl!)
    expect([decodeURIComponent(url.password), url.username, url.host, url.pathname]).toEqual([
      password,
      'me',
      'db',
      '/games',
    ])
  })

  test('OPS-32: a secret that is given twice is refused', () => {
    const secret = file('twice', 'content-of-the-file')
    expect(messageOf({ STEAM_API_KEY: 'key', STEAM_API_KEY_FILE: secret })).toBe(
      `STEAM_API_KEY_FILE is "${secret}", but it must be unset while STEAM_API_KEY is set.`,
    )
    expect(messageOf({ DATABASE_URL: 'postgres://me:x@db/y', DATABASE_PASSWORD_FILE: secret })).toBe(
      `DATABASE_PASSWORD_FILE is "${secret}", but it must be unset while the password is in DATABASE_URL.`,
    )
    expect(messageOf({ DATABASE_PASSWORD_FILE: secret })).toMatch(/^DATABASE_PASSWORD_FILE is .+\.$/)
    expect(messageOf({ DEMO: 'public', STEAM_API_KEY_FILE: secret })).toMatch(/^DEMO is "public"/)
  })

  test.each(['STEAM_API_KEY_FILE', 'METRICS_TOKEN_FILE', 'DATABASE_URL_FILE'])(
    'OPS-32: %s names a file that cannot be read or is empty',
    (name) => {
      const missing = join(folder, 'missing')
      const directory = join(folder, `folder-${name}`)
      mkdirSync(directory)
      expect(messageOf({ [name]: missing })).toBe(
        `${name} is "${missing}", but it must be a file that exists.`,
      )
      expect(messageOf({ [name]: directory })).toBe(
        `${name} is "${directory}", but it must be a file that this user may read (EISDIR).`,
      )
      const empty = file('empty', ' \n')
      expect(messageOf({ [name]: empty })).toBe(
        `${name} is "${empty}", but it must be a file that is not empty.`,
      )
    },
  )

  test('OPS-32: content of a file is never shown', () => {
    const wrong = file('wrong', 'hunter2 is not right')
    for (const name of ['STEAM_API_KEY', 'DATABASE_URL'])
      expect(messageOf({ [`${name}_FILE`]: wrong })).toMatch(
        new RegExp(`^${name} is "\\(not shown\\)", but it must be .+\\.$`),
      )
  })
})
