/**
 * Every environment variable (OPS-1), read and checked once, and the files that some of them name.
 * Requirements: DEMO-9, OPS-12.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { isCountry } from '#shared/countries.ts'
import { isSteamId } from '#shared/steam-id.ts'
import { isLoopback } from './client-address.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type Config = ReturnType<typeof readConfig>

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
 * @throws ConfigError at an invalid value; its message never contains a secret
 */
export function readConfig(env: Environment) {
  const variables = new Variables(env)
  const port = variables.number('PORT', { min: 1, max: 65_535 }) ?? 3000
  const steamApiKey = variables.secret('STEAM_API_KEY', STEAM_API_KEY)
  const demo = variables.choice('DEMO', ['public'])
  if (demo !== undefined && steamApiKey !== undefined)
    throw new ConfigError('DEMO', demo, 'unset while STEAM_API_KEY is set')
  const webhookAllow = variables.list('WEBHOOK_ALLOW', WEBHOOK_ALLOW)
  if (webhookAllow.length > 0 && demo)
    throw new ConfigError('WEBHOOK_ALLOW', webhookAllow.join(','), 'unset while DEMO is public')
  return {
    port,
    host: variables.value('HOST') ?? '127.0.0.1',
    /** Origin that browsers see, without a trailing slash. */
    publicUrl: variables.read('PUBLIC_URL', ORIGIN) ?? `http://localhost:${port}`,
    dataDir: resolve(variables.value('DATA_DIR') ?? './data'),
    /** Connection string of PostgreSQL; undefined: SQLite in `dataDir`. */
    databaseUrl: databaseUrlOf(variables),
    /** Undefined: demo mode with the built-in simulator. */
    steamApiKey,
    /** A demo that is open to strangers; undefined: a demo for whoever runs it, or no demo. */
    demo,
    steamApiUrl:
      variables.read('STEAM_API_URL', HTTP_URL)?.replace(/(?<!\/)\/+$/, '') ?? 'https://api.steampowered.com',
    steamOpenidUrl: variables.read('STEAM_OPENID_URL', HTTP_URL) ?? 'https://steamcommunity.com/openid/login',
    /** Of the store, whose prices users see who have chosen none. */
    storeCountry: variables.read('STORE_COUNTRY', COUNTRY) ?? 'US',
    /** Reverse proxies whose forwarding headers are trusted. */
    trustProxy: variables.list('TRUST_PROXY', NETWORK),
    /** Hosts that webhooks may reach although they are not public (OPS-44). */
    webhookAllow,
    /** Size of the read cache (docs/develop/caching.md). */
    memoryMb: variables.number('MEMORY_MB', { min: 16, max: 65_536 }) ?? 512,
    /** Bearer token with which other machines may read /metrics; undefined: only this machine may (OPS-17). */
    metricsToken: variables.secret('METRICS_TOKEN', METRICS_TOKEN),
    /** Steam ids (OPER-1). */
    operators: variables.list('OPERATORS', OPERATOR),
    logLevel: variables.choice('LOG_LEVEL', LOG_LEVELS) ?? 'info',
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

/** What a variable accepts; `parse` returns it in the form that the server uses, undefined for anything else. */
type Accepted<Value> = { accepted: string; parse: (given: string) => Value | undefined }

const STEAM_API_KEY = where(/^[\x21-\x7e]+$/, 'the key of the Steam Web API, without spaces')
const METRICS_TOKEN = where(/^[\x21-\x7e]{16,}$/, 'at least 16 characters without spaces')
const COUNTRY = where(isCountry, 'the code of a country, such as DE')
const OPERATOR = where(isSteamId, 'a list of steam ids such as 76561197960265730,76561197960265731')
const NETWORK = where(isNetwork, 'a list of IP addresses or networks such as 10.0.0.1,192.168.0.0/16')
/** Kept as it is given, because OpenID compares the endpoint as text. */
const HTTP_URL = where((given) => plainUrl(given) !== undefined, 'an http or https URL without a query')
const ORIGIN: Accepted<string> = {
  accepted: 'an http or https origin such as https://games.example.org',
  parse: (given) => {
    const url = plainUrl(given)
    return url?.pathname === '/' ? url.origin : undefined
  },
}
/** Hosts with their ports, in the form of `hostWithPort`; no patterns and no networks. */
const WEBHOOK_ALLOW: Accepted<string> = {
  accepted: 'a list of hosts with their ports such as 192.168.1.5:8443,ntfy.lan:443',
  parse: (given) => {
    const [, host = '', port = ''] = /^([^\s/?#@\\*%]+):(\d{1,5})$/.exec(given) ?? []
    const url = URL.parse(`http://${host}`)
    if (url?.port !== '' || Number(port) < 1 || Number(port) > 65535) return undefined
    return `${url.hostname}:${Number(port)}`
  },
}

function where(valid: RegExp | ((given: string) => boolean), accepted: string): Accepted<string> {
  const isValid = (given: string) => (valid instanceof RegExp ? valid.test(given) : valid(given))
  return { accepted, parse: (given) => (isValid(given) ? given : undefined) }
}

function isNetwork(given: string): boolean {
  const [ip = '', bits] = given.split('/')
  return isIP(ip) !== 0 && (bits === undefined || (ipaddr.isValidCIDR(given) && Number(bits) > 0))
}

/** An http(s) URL without a query, a fragment or a password. */
function plainUrl(given: string): URL | undefined {
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return /[?#]/.test(given) || url.username || url.password ? undefined : url
}

const NOT_SHOWN = '(not shown)'
/** Variables whose values errors do not show. */
const SECRETS = ['DATABASE_URL', 'STEAM_API_KEY', 'METRICS_TOKEN']

class Variables {
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  /** @throws ConfigError for what only a shell would have read: quotes around a value, and a ~ at the beginning of a path */
  value(name: string): string | undefined {
    const given = this.#env[name]?.trim() || undefined
    const shown = SECRETS.includes(name) ? NOT_SHOWN : given
    if (given && /^(["']).*\1$/s.test(given))
      throw new ConfigError(name, shown!, 'a value without quotes around it')
    if (given?.startsWith('~') && (name === 'DATA_DIR' || name.endsWith('_FILE')))
      throw new ConfigError(name, given, 'a path without ~, which only a shell replaces')
    return given
  }

  /** @throws ConfigError */
  read<Value>(name: string, { accepted, parse }: Accepted<Value>): Value | undefined {
    const given = this.value(name)
    if (given === undefined) return undefined
    const value = parse(given)
    if (value === undefined) throw new ConfigError(name, withoutPassword(given), accepted)
    return value
  }

  number(name: string, { min, max }: { min: number; max: number }): number | undefined {
    return this.read(name, {
      accepted: `a whole number from ${min} to ${max}`,
      parse: (given) => {
        const number = /^\d{1,5}$/.test(given) ? Number(given) : NaN
        return number >= min && number <= max ? number : undefined
      },
    })
  }

  choice<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const accepted = choices.length > 1 ? `one of ${choices.join(', ')}` : `${choices[0]}, or unset`
    return this.read(name, { accepted, parse: (given) => choices.find((each) => each === given) })
  }

  /** The values of a comma-separated list; empty when the variable is not set. */
  list(name: string, { accepted, parse }: Accepted<string>): string[] {
    const all = (given: string) => {
      const parsed = given.split(',').map((value) => parse(value.trim()))
      return parsed.every((value) => value !== undefined) ? parsed : undefined
    }
    return this.read(name, { accepted, parse: all }) ?? []
  }

  /**
   * A secret, from its own variable or from the file that `<name>_FILE` names; the last newline of a file is not part of
   * it (OPS-32). Errors name the file, never what is in it.
   */
  secret(name: string, { accepted, parse }: Accepted<string> = { accepted: '', parse: (given) => given }) {
    const given = this.value(name)
    const file = this.value(`${name}_FILE`)
    if (file !== undefined && given !== undefined)
      throw new ConfigError(`${name}_FILE`, file, `unset while ${name} is set`)
    const secret = file === undefined ? given : this.secretIn(`${name}_FILE`)
    if (secret !== undefined && parse(secret) === undefined) throw new ConfigError(name, NOT_SHOWN, accepted)
    return secret
  }

  /** What is in the file that a variable names. */
  secretIn(name: string): string {
    const file = this.value(name)!
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const accepted = code === 'ENOENT' ? 'a file that exists' : `a file that this user may read (${code})`
      throw new ConfigError(name, file, accepted)
    }
    const secret = text.replace(/\r?\n$/, '')
    // An empty key would silently start the demo.
    if (secret.trim() === '') throw new ConfigError(name, file, 'a file that is not empty')
    return secret
  }
}

function databaseUrlOf(variables: Variables): string | undefined {
  const given = variables.secret('DATABASE_URL')
  const passwordFile = variables.value('DATABASE_PASSWORD_FILE')
  if (given === undefined) {
    if (passwordFile !== undefined)
      throw new ConfigError('DATABASE_PASSWORD_FILE', passwordFile, 'unset without DATABASE_URL')
    return undefined
  }
  const url = URL.parse(given)
  // What follows such a letter of a password would be taken for the path, and the rest of the password for a host.
  const afterScheme = given.replace(/^postgres(ql)?:\/\//i, '')
  const upToHost = afterScheme.slice(0, Math.max(0, afterScheme.lastIndexOf('@')))
  const hasOddLetters = afterScheme.includes('#') || /[/?]/.test(upToHost)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || hasOddLetters)
    throw new ConfigError(
      'DATABASE_URL',
      // Without an '@', as in libpq's 'host=… password=…', a password follows '=' or ':'.
      variables.value('DATABASE_URL') === undefined
        ? NOT_SHOWN
        : withoutPassword(given).replace(/(=|:(?!\/\/)|\s).*/s, '$1…'),
      'a PostgreSQL connection string such as postgres://user@host/name, with #, / and ? of a password written as %23, %2F ' +
        'and %3F',
    )
  if (passwordFile === undefined) return given
  if (url.password !== '')
    throw new ConfigError(
      'DATABASE_PASSWORD_FILE',
      passwordFile,
      'unset while the password is in DATABASE_URL',
    )
  url.password = encodeURIComponent(variables.secretIn('DATABASE_PASSWORD_FILE'))
  return url.href
}

/** Removes user name, password, query and fragment from a URL, also from a malformed one, for error messages. */
function withoutPassword(url: string): string {
  return url.replace(/^([a-z]*:\/\/)?.*@/is, '$1…@').replace(/([?#]).*/s, '$1…')
}
