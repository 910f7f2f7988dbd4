/**
 * Every environment variable (OPS-1), read and checked once, and the files that some of them name.
 * Requirements: DEMO-9, OPS-12.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isCountry } from '#shared/countries.ts'
import { isSteamId } from '#shared/steam-id.ts'
import { isLoopback } from './client-address.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type Config = {
  port: number
  host: string
  /** Origin that browsers see, without a trailing slash. */
  publicUrl: string
  dataDir: string
  /** Connection string of PostgreSQL; undefined: SQLite in `dataDir`. */
  databaseUrl: string | undefined
  /** Key of the Steam Web API; undefined: demo mode with the built-in simulator. */
  steamApiKey: string | undefined
  /** A demo that is open to strangers; undefined: a demo for whoever runs it, or no demo. */
  demo: 'public' | undefined
  steamApiUrl: string
  steamOpenidUrl: string
  /** Of the store, whose prices users see who have chosen none. */
  storeCountry: string
  /** IP addresses and networks of the reverse proxies whose forwarding headers are trusted; empty: none. */
  trustProxy: string[]
  /** Hosts with their ports, as in `URL`, that webhooks may reach although they are not public (OPS-44); empty: none. */
  webhookAllow: string[]
  /** Size of the read cache, in megabytes (docs/develop/caching.md). */
  memoryMb: number
  /** Bearer token with which other machines may read /metrics; undefined: only this machine may (OPS-17). */
  metricsToken: string | undefined
  /** Steam ids of the operators (OPER-1); empty: none. */
  operators: string[]
  logLevel: (typeof LOG_LEVELS)[number]
}

/** An invalid variable; the message is one sentence with its name, the value, and the accepted values. */
export class ConfigError extends Error {
  constructor(name: string, given: string, accepted: string) {
    super(`${name} is "${given}", but it must be ${accepted}.`)
    this.name = 'ConfigError'
  }
}

type Environment = Record<string, string | undefined>

/**
 * Reads the configuration from environment variables; an empty variable counts as unset.
 * @throws ConfigError at the first invalid value; its message never contains a secret
 */
export function readConfig(env: Environment): Config {
  const port = numberOf(env, 'PORT', { min: 1, max: 65_535 }) ?? 3000
  return {
    port,
    host: valueOf(env, 'HOST') ?? '127.0.0.1',
    publicUrl: originOf(env, 'PUBLIC_URL') ?? `http://localhost:${port}`,
    dataDir: resolve(valueOf(env, 'DATA_DIR') ?? './data'),
    databaseUrl: databaseUrlOf(env),
    steamApiKey: steamApiKeyOf(env),
    demo: demoOf(env),
    steamApiUrl:
      httpUrlOf(env, 'STEAM_API_URL')?.replace(/(?<!\/)\/+$/, '') ?? 'https://api.steampowered.com',
    steamOpenidUrl: httpUrlOf(env, 'STEAM_OPENID_URL') ?? 'https://steamcommunity.com/openid/login',
    storeCountry: storeCountryOf(env),
    trustProxy: trustProxyOf(env),
    webhookAllow: webhookAllowOf(env),
    memoryMb: numberOf(env, 'MEMORY_MB', { min: 16, max: 65_536 }) ?? 256,
    metricsToken: metricsTokenOf(env),
    operators: operatorsOf(env),
    logLevel: choiceOf(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
  }
}

/**
 * Refuses operators in a demo, in which anyone can sign in as one of them (OPER-1). For servers only: a backup is made
 * wherever the key is missing.
 * @throws ConfigError
 */
export function refuseOperatorsOfDemo({ steamApiKey, operators }: Config): void {
  if (operators.length > 0 && steamApiKey === undefined)
    throw new ConfigError('OPERATORS', operators.join(','), 'unset without STEAM_API_KEY')
}

/**
 * Whether this is a demo for whoever runs it that other machines can reach, by its listening address or by the
 * address that browsers see (DEMO-15).
 */
export function isOpenDemo({ steamApiKey, demo, host, publicUrl }: Config): boolean {
  if (steamApiKey !== undefined || demo === 'public') return false
  return !isLoopback(host) || !isLoopback(new URL(publicUrl).host)
}

/** What an error shows in place of a secret. */
const NOT_SHOWN = '(not shown)'

/**
 * A secret, from its own variable or from the file that `<name>_FILE` names; the last newline of a file is not part of
 * it (OPS-32). Errors name the file, never what is in it.
 */
function secretOf(env: Environment, name: string): string | undefined {
  const variable = `${name}_FILE`
  const file = valueOf(env, variable)
  const given = valueOf(env, name)
  if (file === undefined) return given
  if (given !== undefined) throw new ConfigError(variable, file, `unset while ${name} is set`)
  return secretIn(variable, file)
}

function secretIn(variable: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      variable,
      file,
      code === 'ENOENT' ? 'a file that exists' : `a file that this user may read (${code})`,
    )
  }
  const secret = text.replace(/\r?\n$/, '')
  // An empty key would silently start the demo.
  if (secret.trim() === '') throw new ConfigError(variable, file, 'a file that is not empty')
  return secret
}

/** Variables whose values errors do not show. */
const SECRETS = ['DATABASE_URL', 'STEAM_API_KEY', 'METRICS_TOKEN']

/** @throws ConfigError for what only a shell would have read: quotes around a value, and a ~ at the beginning of a path */
function valueOf(env: Environment, name: string): string | undefined {
  const given = env[name]?.trim() || undefined
  const shown = SECRETS.includes(name) ? NOT_SHOWN : given
  if (given && /^(["']).*\1$/s.test(given))
    throw new ConfigError(name, shown!, 'a value without quotes around it')
  if (given?.startsWith('~') && (name === 'DATA_DIR' || name.endsWith('_FILE')))
    throw new ConfigError(name, given, 'a path without ~, which only a shell replaces')
  return given
}

/**
 * A variable in the form that the server uses; undefined when it is not set.
 * @param parse returns undefined for what is not accepted
 */
function read<Value>(
  env: Environment,
  name: string,
  accepted: string,
  parse: (given: string) => Value | undefined,
): Value | undefined {
  const given = valueOf(env, name)
  if (given === undefined) return undefined
  const value = parse(given)
  if (value === undefined) throw new ConfigError(name, withoutPassword(given), accepted)
  return value
}

function numberOf(
  env: Environment,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  return read(env, name, `a whole number from ${min} to ${max}`, (given) => {
    const number = /^\d{1,5}$/.test(given) ? Number(given) : NaN
    return number >= min && number <= max ? number : undefined
  })
}

function choiceOf<const Choice extends string | number>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const [only, ...others] = choices
  const accepted = others.length > 0 ? `one of ${choices.join(', ')}` : `${only}, or unset`
  return read(env, name, accepted, (given) => choices.find((each) => String(each) === given))
}

function originOf(env: Environment, name: string): string | undefined {
  const accepted = 'an http or https origin such as https://games.example.org'
  const parse = (given: string) => {
    const url = plainUrl(given)
    return url?.pathname === '/' ? url.origin : undefined
  }
  return read(env, name, accepted, parse)
}

/** Returned unchanged, because OpenID compares the endpoint as text. */
function httpUrlOf(env: Environment, name: string): string | undefined {
  const parse = (given: string) => plainUrl(given) && given
  return read(env, name, 'an http or https URL without a query', parse)
}

/** An http(s) URL without a query, a fragment or a password. */
function plainUrl(given: string): URL | undefined {
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return /[?#]/.test(given) || url.username || url.password ? undefined : url
}

/** The values of a comma-separated list; empty when the variable is not set. */
function listOf(
  env: Environment,
  name: string,
  accepted: string,
  parse: (value: string) => string | undefined,
): string[] {
  const values = read(env, name, accepted, (given) => {
    const parsed = given.split(',').map((value) => parse(value.trim()))
    return parsed.every((value) => value !== undefined) ? parsed : undefined
  })
  return values ?? []
}

function databaseUrlOf(env: Environment): string | undefined {
  const given = secretOf(env, 'DATABASE_URL')
  const passwordFile = valueOf(env, 'DATABASE_PASSWORD_FILE')
  if (given === undefined) {
    if (passwordFile !== undefined)
      throw new ConfigError('DATABASE_PASSWORD_FILE', passwordFile, 'unset without DATABASE_URL')
    return undefined
  }
  const refusal = (accepted: string) =>
    new ConfigError(
      'DATABASE_URL',
      // Without an '@', as in libpq's 'host=… password=…', a password follows '=' or ':'.
      valueOf(env, 'DATABASE_URL') === undefined
        ? NOT_SHOWN
        : withoutPassword(given).replace(/(=|:(?!\/\/)|\s).*/s, '$1…'),
      accepted,
    )
  const url = URL.parse(given)
  // What follows such a letter of a password would be taken for the path, and the rest of the password for a host.
  const afterScheme = given.replace(/^postgres(ql)?:\/\//i, '')
  const upToHost = afterScheme.slice(0, Math.max(0, afterScheme.lastIndexOf('@')))
  const hasOddLetters = afterScheme.includes('#') || /[/?]/.test(upToHost)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || hasOddLetters)
    throw refusal(
      'a PostgreSQL connection string such as postgres://user@host/name, with #, / and ? of a password written as %23, %2F ' +
        'and %3F',
    )
  if (url.host.includes(',')) throw refusal('a connection string with one host')
  if (/^(prefer|allow)$/.test(url.searchParams.get('sslmode') ?? ''))
    throw refusal(
      'a connection string with sslmode=disable, require or verify-full, because nothing else is tried in between',
    )
  if (passwordFile === undefined) return given
  if (url.password !== '')
    throw new ConfigError(
      'DATABASE_PASSWORD_FILE',
      passwordFile,
      'unset while the password is in DATABASE_URL',
    )
  url.password = encodeURIComponent(secretIn('DATABASE_PASSWORD_FILE', passwordFile))
  return url.href
}

function steamApiKeyOf(env: Environment): string | undefined {
  const given = secretOf(env, 'STEAM_API_KEY')
  if (given !== undefined && !/^[\x21-\x7e]+$/.test(given))
    throw new ConfigError('STEAM_API_KEY', NOT_SHOWN, 'the key of the Steam Web API, without spaces')
  return given
}

function demoOf(env: Environment): 'public' | undefined {
  const given = choiceOf(env, 'DEMO', ['public'])
  if (given !== undefined && steamApiKeyOf(env) !== undefined)
    throw new ConfigError('DEMO', given, 'unset while STEAM_API_KEY is set')
  return given
}

function storeCountryOf(env: Environment): string {
  const accepted = 'the code of a country, such as DE'
  return read(env, 'STORE_COUNTRY', accepted, (code) => (isCountry(code) ? code : undefined)) ?? 'US'
}

function trustProxyOf(env: Environment): string[] {
  const accepted = 'a list of IP addresses or networks such as 10.0.0.1,192.168.0.0/16'
  return listOf(env, 'TRUST_PROXY', accepted, (address) => {
    const [ip = '', bits] = address.split('/')
    const version = isIP(ip)
    const bitsFit =
      bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
    return version !== 0 && bitsFit ? address : undefined
  })
}

function webhookAllowOf(env: Environment): string[] {
  const name = 'WEBHOOK_ALLOW'
  const accepted = 'a list of hosts with their ports such as 192.168.1.5:8443,ntfy.lan:443'
  const hosts = listOf(env, name, accepted, normalHost)
  if (hosts.length > 0 && demoOf(env))
    throw new ConfigError(name, hosts.join(','), 'unset while DEMO is public')
  return hosts
}

/** A host with its port, in the form of `hostWithPort`; undefined for anything else, such as a pattern or a network. */
function normalHost(given: string): string | undefined {
  const [, host = '', port = ''] = /^([^\s/?#@\\*%]+):(\d{1,5})$/.exec(given) ?? []
  const url = URL.parse(`http://${host}`)
  if (url?.port !== '' || Number(port) < 1 || Number(port) > 65535) return undefined
  return `${url.hostname}:${Number(port)}`
}

function metricsTokenOf(env: Environment): string | undefined {
  const given = secretOf(env, 'METRICS_TOKEN')
  if (given !== undefined && !/^[\x21-\x7e]{16,}$/.test(given))
    throw new ConfigError('METRICS_TOKEN', NOT_SHOWN, 'at least 16 characters without spaces')
  return given
}

function operatorsOf(env: Environment): string[] {
  const accepted = 'a list of steam ids such as 76561197960265730,76561197960265731'
  return listOf(env, 'OPERATORS', accepted, (id) => (isSteamId(id) ? id : undefined))
}

/** Removes user name, password, query and fragment from a URL, also from a malformed one, for error messages. */
function withoutPassword(url: string): string {
  return url.replace(/^([a-z]*:\/\/)?.*@/is, '$1…@').replace(/([?#]).*/s, '$1…')
}
