/**
 * Control API of the simulator, for programs outside its process. Available only when started with `control`, and never
 * to pages of other sites. Steam has nothing like it.
 *
 * | request | effect |
 * |---|---|
 * | `POST /_simulator/faults` | adds the fault rule in the JSON body (faults.ts), 204 |
 * | `DELETE /_simulator/faults` | removes all rules, 204 |
 * | `GET /_simulator/calls` | the recorded requests, oldest first |
 * | `DELETE /_simulator/calls` | clears them, 204 |
 * | `POST /_simulator/latency` | `{"ms": 200}`: delays every response, 204 |
 * | `POST /_simulator/players/<steam id>` | creates or changes the player with the JSON body (world.ts), 204 |
 *
 * An invalid body gets a 400 with one sentence.
 */
import { readFaultRule, type FaultRule } from './faults.ts'
import type { Population } from './population.ts'
import { json, text, type Reply } from './reply.ts'
import { objectAt, readPlayer, wholeAt, WorldError } from './world.ts'

type Controls = {
  population: Population
  fail: (rule: FaultRule) => void
  clearFaults: () => void
  calls: () => readonly object[]
  clearCalls: () => void
  setLatency: (ms: number) => void
}

const DONE: Reply = { status: 204, headers: {}, body: '' }

/** Handles a request below `/_simulator/`. */
export function handleControl(method: string, path: string, body: string, controls: Controls): Reply {
  try {
    return control(`${method} ${path.slice('/_simulator/'.length)}`, body, controls)
  } catch (error) {
    if (error instanceof WorldError || error instanceof SyntaxError) return text(`${error.message}\n`, 400)
    throw error
  }
}

function control(request: string, body: string, controls: Controls): Reply {
  const steamId = /^POST players\/(\d{17})$/.exec(request)?.[1]
  if (steamId !== undefined) {
    const patch = objectAt('The player', JSON.parse(body), undefined)
    const before = controls.population.player(steamId)
    controls.population.addPlayer(readPlayer('The player', { ...before, ...patch, steamid: steamId }))
    return DONE
  }
  switch (request) {
    case 'POST faults':
      controls.fail(readFaultRule(JSON.parse(body)))
      return DONE
    case 'DELETE faults':
      controls.clearFaults()
      return DONE
    case 'GET calls':
      return json(controls.calls())
    case 'DELETE calls':
      controls.clearCalls()
      return DONE
    case 'POST latency':
      controls.setLatency(wholeAt('ms', objectAt('The body', JSON.parse(body), ['ms']).ms))
      return DONE
    default:
      return text('There is no such control; see src/simulator/control.ts.\n', 404)
  }
}
