/** The real Steam client against a scripted Steam, with a recording budget and without real pauses. */
import type { ServerResponse } from 'node:http'
import { createSteamClient, type SteamTiming } from '../../src/server/steam/client.ts'
import { SteamError, type CallBudget, type Urgency } from '../../src/server/steam/port.ts'
import { answer, scriptedServer, type Script } from './scripted-server.ts'

/** A key with characters that need escaping in URLs. */
export const KEY = 'SECRET0123456789ABCDEF&key=+%'
/** The account that requests are about. */
export const ME = '76561197960265730'
export const HTML = { 'content-type': 'text/html; charset=UTF-8' }
/** Steam's page with status 403 for a wrong key. */
export const KEY_REFUSED =
  '<html><head><title>Forbidden</title></head><body><h1>Forbidden</h1>Access is denied. Retrying will not help. ' +
  'Please verify your <pre>key=</pre> parameter.</body></html>'

type Options = {
  timing?: Partial<SteamTiming>
  take?: CallBudget['take']
  report?: CallBudget['report']
  now?: number
  random?: number
}

/** Creates the client; pauses end at once and are recorded. */
export async function clientOf(script: Script, options: Options = {}) {
  const server = await scriptedServer(script)
  const said: unknown[] = []
  const pauses: number[] = []
  const turns: Urgency[] = []
  const outcomes: Parameters<CallBudget['report']>[1][] = []
  const log = {
    debug: (fields: object, text: string) => void said.push([fields, text]),
    warn: (fields: object, text: string) => void said.push([fields, text]),
  }
  const steam = createSteamClient({
    apiUrl: server.url,
    apiKey: KEY,
    log,
    budget: {
      take: async (host, urgency) => {
        turns.push(urgency)
        return (await options.take?.(host, urgency)) ?? { failing: false }
      },
      report: async (host, outcome) => {
        outcomes.push(outcome)
        await options.report?.(host, outcome)
      },
    },
    timing: options.timing,
    random: () => options.random ?? 1,
    sleep: async (ms) => void pauses.push(ms),
    now: () => options.now ?? Date.UTC(2025, 0, 1),
  })
  return { steam, ...server, said, pauses, turns, outcomes }
}

/** The SteamError that a call must end with. */
export async function failureOf(call: Promise<unknown>): Promise<SteamError> {
  const error: unknown = await call.then(
    (value) => {
      throw new Error(`the call did not fail but returned ${JSON.stringify(value)}`)
    },
    (reason: unknown) => reason,
  )
  if (!(error instanceof SteamError)) throw error
  return error
}

/** A script that responds to every request with this JSON. */
export const json = (value: unknown) => (response: ServerResponse) =>
  answer(response, 200, JSON.stringify(value))
/** The response of GetOwnedGames for a player with these games. */
export const owned = (...games: object[]) => ({ response: { game_count: games.length, games } })
export const portal = { appid: 400, name: 'Portal', playtime_forever: 90, img_icon_url: 'cf' }
