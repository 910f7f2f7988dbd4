import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('the defaults are localhost:3000, SQLite in ./data and demo mode', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    steamApiKey: undefined,
    demo: undefined,
    demoResetHours: 4,
    steamApiUrl: 'https://api.steampowered.com',
    steamOpenidUrl: 'https://steamcommunity.com/openid/login',
    trustProxy: [],
    memoryMb: 256,
    metricsToken: undefined,
    logLevel: 'info',
  })
})

test('PUBLIC_URL follows PORT unless it is given', () => {
  expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  expect(readConfig({ PORT: '8080', PUBLIC_URL: 'https://games.example.org/' }).publicUrl).toBe(
    'https://games.example.org',
  )
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', STEAM_API_KEY: ' ' })).toMatchObject({ port: 3000, steamApiKey: undefined })
})

test('TRUST_PROXY accepts IP addresses and networks', () => {
  expect(readConfig({ TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,fd00::/8' }).trustProxy).toEqual([
    '10.0.0.1',
    '192.168.0.0/16',
    'fd00::/8',
  ])
})

describe('a wrong value is refused in one sentence that names the variable, what was given and what is accepted', () => {
  test.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '3e3'],
    ['PUBLIC_URL', 'games.example.org'],
    ['PUBLIC_URL', 'ftp://games.example.org'],
    ['PUBLIC_URL', 'https://games.example.org/app'],
    ['PUBLIC_URL', 'https://games.example.org?x=1'],
    ['DATABASE_URL', 'mysql://localhost/games'],
    ['DATABASE_URL', 'games.sqlite'],
    ['STEAM_API_URL', 'api.steampowered.com'],
    ['STEAM_OPENID_URL', 'file:///etc/passwd'],
    ['TRUST_PROXY', 'proxy.local'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/0'],
    ['METRICS_TOKEN', 'too-short'],
    ['DEMO', 'yes'],
    ['DEMO_RESET_HOURS', '5'],
    ['DEMO_RESET_HOURS', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, given) => {
    expect(() => readConfig({ [name]: given })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: given })).toThrow(
      new RegExp(`^${name} is "[^"]+", but it must be .+\\.$`),
    )
  })
})

test('DEMO=public is refused where there is a key', () => {
  expect(() => readConfig({ DEMO: 'public', STEAM_API_KEY: 'key' })).toThrow(
    'DEMO is "public", but it must be unset while STEAM_API_KEY is set.',
  )
  expect(readConfig({ DEMO: 'public', DEMO_RESET_HOURS: '12' })).toMatchObject({
    demo: 'public',
    demoResetHours: 12,
  })
})

test('the message never contains a secret', () => {
  const messageOf = (env: Record<string, string>) => {
    try {
      readConfig(env)
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  expect(messageOf({ STEAM_API_KEY: 'two words' })).toContain('STEAM_API_KEY')
  expect(messageOf({ STEAM_API_KEY: 'two words' })).not.toContain('two words')
  expect(messageOf({ METRICS_TOKEN: 'too-short' })).not.toContain('too-short')
  expect(messageOf({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).toContain('DATABASE_URL')
  expect(messageOf({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).not.toContain('hunter2')
})
