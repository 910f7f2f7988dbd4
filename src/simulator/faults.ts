/**
 * Simulated faults. A rule says which requests it matches, how many of them, and what goes wrong; only the first rule
 * that matches a request applies.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { errorPage, html, type Reply } from './reply.ts'
import { objectAt, textAt, wholeAt, WorldError } from './world.ts'

export const ENDPOINTS = [
  'GetOwnedGames',
  'GetFriendList',
  'GetPlayerSummaries',
  'GetWishlist',
  'GetItems',
  'sign_in_page',
  'sign_in',
  'check_authentication',
  'picture',
] as const
export type EndpointName = (typeof ENDPOINTS)[number]

/** Malformed JSON bodies of responses with status 200. */
export const WRONG_SHAPES = [
  /** `{}`. */
  'empty_object',
  /** `[]` instead of an object. */
  'not_an_object',
  /** The list (games, friends, players, store items, wishes) is missing; its count stays. */
  'list_missing',
  /** The list is an object. */
  'list_is_object',
  /** The last entry of the list has no appid or steamid. */
  'entry_without_id',
  /** The last entry's numbers are text. */
  'numbers_as_text',
  /** The first entry is listed twice. */
  'entry_twice',
  /** `game_count` is one more than the number of games. */
  'count_differs',
] as const
export type WrongShape = (typeof WRONG_SHAPES)[number]

export type FaultRule = {
  /** Matches only this endpoint; default: every endpoint. */
  endpoint?: EndpointName
  /** Matches only requests about this player. */
  steamId?: string
  /** Number of requests it applies to; default: all, until the rules are cleared. */
  times?: number
} & (
  | {
      /** This status, with an HTML page unless a body is given; for example 429 with `{'retry-after': '5'}`. */
      kind: 'status'
      status: number
      body?: string
      headers?: Record<string, string>
    }
  /** 200 with an HTML page, as during maintenance. */
  | { kind: 'html_200' }
  /** The first half of the correct body, as a complete response. */
  | { kind: 'truncated' }
  /** The correct headers and half of the body, then the connection closes. */
  | { kind: 'cut_off' }
  /** The correct response with the first half of its entries only, and a count that matches them. */
  | { kind: 'partial' }
  | { kind: 'wrong_shape'; shape: WrongShape }
  /** The correct response, with other values in the fields of one entry: of that appid or steamid, or the last one. */
  | { kind: 'fields'; of?: number | string; set: Record<string, unknown> }
  /** The correct response, delayed by `ms` milliseconds, or with a body that takes that long to arrive. */
  | { kind: 'slow'; ms: number; part?: 'headers' | 'body' }
  /** The correct response, sent when the promise resolves; only within the simulator's process. */
  | { kind: 'held'; until: Promise<unknown> }
  /** The connection is reset without a response. */
  | { kind: 'reset' }
  /** 302 to `location`. */
  | { kind: 'redirect'; location: string }
  /** 200 without a body. */
  | { kind: 'empty' }
)

/** Creates an empty list of rules. */
export function createFaults() {
  let rules: { rule: FaultRule; left: number }[] = []
  return {
    /** Adds a rule after the existing ones. */
    fail: (rule: FaultRule): void => void rules.push({ rule, left: rule.times ?? Infinity }),
    clear: (): void => void (rules = []),
    /** Returns the first rule that matches a request, and counts the request against its `times`. */
    take(endpoint: EndpointName, steamIds: readonly string[]): FaultRule | undefined {
      const hit = rules.find(
        ({ rule, left }) =>
          left > 0 &&
          (rule.endpoint === undefined || rule.endpoint === endpoint) &&
          (rule.steamId === undefined || steamIds.includes(rule.steamId)),
      )
      if (hit) hit.left -= 1
      return hit?.rule
    },
  }
}

/**
 * Sends a reply with the fault of a rule. Where nothing of the reply is sent, the request has had no effect either: an
 * assertion is not used up. `signal` ends all waits when the simulator closes.
 */
export async function sendFaulty(
  rule: FaultRule,
  reply: () => Reply,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  switch (rule.kind) {
    case 'status': {
      const page = errorPage(rule.status, 'An error occurred while processing your request.')
      return send(
        { ...page, headers: { ...page.headers, ...rule.headers }, body: rule.body ?? page.body },
        response,
      )
    }
    case 'html_200':
      return send(
        html('<html><head><title>Steam</title></head><body>Down for maintenance</body></html>'),
        response,
      )
    case 'truncated':
      return send(firstHalfOf(reply()), response)
    case 'cut_off':
      return cutOff(reply(), response)
    case 'partial':
      return send(withJson(reply(), firstHalf), response)
    case 'wrong_shape':
      return send(
        withJson(reply(), (json) => malformed(json, rule.shape)),
        response,
      )
    case 'fields':
      return send(
        withJson(reply(), (json) => withFields(json, rule)),
        response,
      )
    case 'slow':
      return sendSlowly(reply(), response, rule, signal)
    case 'held':
      await Promise.race([rule.until, once(signal, 'abort')])
      return send(reply(), response)
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'redirect':
      return send({ status: 302, headers: { location: rule.location }, body: '' }, response)
    case 'empty':
      return send({ ...reply(), status: 200, body: '' }, response)
  }
}

/** Sends a reply without any fault. */
export function send({ status, headers, body }: Reply, response: ServerResponse): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.byteLength }).end(bytes)
}

function firstHalfOf(reply: Reply): Reply {
  return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) }
}

function cutOff({ status, headers, body }: Reply, response: ServerResponse): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.byteLength })
  response.write(bytes.subarray(0, bytes.byteLength / 2), () => response.socket?.destroy())
}

async function sendSlowly(
  reply: Reply,
  response: ServerResponse,
  { ms, part = 'headers' }: { ms: number; part?: 'headers' | 'body' },
  signal: AbortSignal,
): Promise<void> {
  if (part === 'headers') {
    await pause(ms, undefined, { signal })
    return send(reply, response)
  }
  const bytes = Buffer.from(reply.body)
  const pieces = 10
  response.writeHead(reply.status, { ...reply.headers, 'content-length': bytes.byteLength })
  for (let nth = 0; nth < pieces; nth++) {
    await pause(ms / pieces, undefined, { signal })
    response.write(bytes.subarray((bytes.byteLength * nth) / pieces, (bytes.byteLength * (nth + 1)) / pieces))
  }
  response.end()
}

type Json = Record<string, unknown>
type Entry = Record<string, unknown>

function withJson(reply: Reply, change: (json: Json) => unknown): Reply {
  if (!reply.headers['content-type']?.startsWith('application/json')) return reply
  return { ...reply, body: JSON.stringify(change(JSON.parse(reply.body) as Json)) }
}

/** The response's list with its name and the object that contains it; undefined for a response without a list. */
function listIn(json: Json): { holder: Json; name: string; entries: Entry[] } | undefined {
  const holder = (json.response ?? json.friendslist) as Json
  const name = ['games', 'friends', 'players', 'store_items', 'items'].find((known) =>
    Array.isArray(holder?.[known]),
  )
  return name === undefined ? undefined : { holder, name, entries: holder[name] as Entry[] }
}

function withFields(json: Json, { of, set }: FaultRule & { kind: 'fields' }): Json {
  const entries = listIn(json)?.entries ?? []
  const entry = of === undefined ? entries.at(-1) : entries.find((one) => (one.appid ?? one.steamid) === of)
  if (entry) Object.assign(entry, set)
  return json
}

function firstHalf(json: Json): Json {
  const list = listIn(json)
  if (!list) return json
  list.entries.length = Math.floor(list.entries.length / 2)
  if ('game_count' in list.holder) list.holder.game_count = list.entries.length
  return json
}

/** Gives a response a wrong shape; one without the list that the shape changes becomes an empty object. */
function malformed(json: Json, shape: WrongShape): unknown {
  if (shape === 'empty_object') return {}
  if (shape === 'not_an_object') return []
  const list = listIn(json)
  if (!list) return {}
  const { holder, name, entries } = list
  const last = entries.at(-1)
  switch (shape) {
    case 'list_missing':
      delete holder[name]
      break
    case 'list_is_object':
      holder[name] = { ...entries }
      break
    case 'entry_without_id':
      delete last?.appid
      delete last?.steamid
      break
    case 'numbers_as_text':
      for (const [field, value] of Object.entries(last ?? {}))
        if (typeof value === 'number') last![field] = `${value} minutes`
      break
    case 'entry_twice':
      entries.push({ ...entries[0]! })
      if ('game_count' in holder) holder.game_count = entries.length
      break
    case 'count_differs':
      holder.game_count = entries.length + 1
      break
  }
  return json
}

/**
 * Validates a rule from the control API.
 * @throws WorldError
 */
export function readFaultRule(json: unknown): FaultRule {
  const rule = objectAt('The rule', json, [
    ...[
      'endpoint',
      'steamId',
      'times',
      'kind',
      'status',
      'body',
      'headers',
      'shape',
      'ms',
      'part',
      'location',
      'of',
      'set',
    ],
  ])
  const hits = {
    ...(rule.endpoint !== undefined && { endpoint: oneOf('endpoint', rule.endpoint, ENDPOINTS) }),
    ...(rule.steamId !== undefined && { steamId: textAt('steamId', rule.steamId) }),
    ...(rule.times !== undefined && { times: wholeAt('times', rule.times) }),
  }
  const kind = oneOf('kind', rule.kind, KINDS)
  switch (kind) {
    case 'status': {
      const headers = rule.headers === undefined ? {} : objectAt('headers', rule.headers, undefined)
      return {
        ...hits,
        kind,
        status: wholeAt('status', rule.status, 599, 200),
        ...(rule.body !== undefined && { body: textAt('body', rule.body) }),
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, textAt(`headers.${name}`, value)]),
        ),
      }
    }
    case 'wrong_shape':
      return { ...hits, kind, shape: oneOf('shape', rule.shape, WRONG_SHAPES) }
    case 'fields':
      return {
        ...hits,
        kind,
        ...(rule.of !== undefined && { of: typeof rule.of === 'number' ? rule.of : textAt('of', rule.of) }),
        set: objectAt('set', rule.set, undefined),
      }
    case 'slow':
      return {
        ...hits,
        kind,
        ms: wholeAt('ms', rule.ms),
        ...(rule.part !== undefined && { part: oneOf('part', rule.part, ['headers', 'body'] as const) }),
      }
    case 'redirect':
      return { ...hits, kind, location: textAt('location', rule.location) }
    case 'html_200':
    case 'truncated':
    case 'cut_off':
    case 'partial':
    case 'reset':
    case 'empty':
      return { ...hits, kind }
  }
}

const KINDS = [
  ...(['status', 'html_200', 'truncated', 'cut_off', 'partial', 'wrong_shape', 'fields'] as const),
  ...(['slow', 'reset', 'redirect', 'empty'] as const),
]

function oneOf<T extends string>(field: string, value: unknown, accepted: readonly T[]): T {
  const found = accepted.find((known) => known === value)
  if (found === undefined) throw new WorldError(field, `one of ${accepted.join(', ')}`, value)
  return found
}
