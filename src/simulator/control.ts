/**
 * Turning the simulator's knobs over HTTP, for programs outside its process; only where it was started with `control`,
 * and never for pages of other sites. The platform has nothing like it.
 *
 * | request | what it does |
 * |---|---|
 * | `POST /_simulator/faults` | adds the fault rule in the JSON body (faults.ts), 204 |
 * | `DELETE /_simulator/faults` | removes all of them, 204 |
 * | `GET /_simulator/calls` | what was asked, oldest first |
 * | `DELETE /_simulator/calls` | forgets that, 204 |
 * | `POST /_simulator/latency` | `{"ms": 200}` before every answer, 204 |
 * | `POST /_simulator/players/<steam id>` | changes the fields in the JSON body (world.ts 'Player'), or makes the player, 204 |
 *
 * A body that cannot be used is answered 400 with one sentence.
 */
import { readFaultRule, type FaultRule } from './faults.ts'
import type { Population } from './population.ts'
import { json, text, type Reply } from './reply.ts'
import { objectAt, readPlayer, wholeAt, WorldError } from './world.ts'

type Knobs = {
  population: Population
  fail: (rule: FaultRule) => void
  clearFaults: () => void
  calls: () => readonly object[]
  clearCalls: () => void
  setLatency: (ms: number) => void
}

const DONE: Reply = { status: 204, headers: {}, body: '' }

/** Answers a request below `/_simulator/`. */
export function answerControl(method: string, path: string, body: string, knobs: Knobs): Reply {
  try {
    return control(`${method} ${path.slice('/_simulator/'.length)}`, body, knobs)
  } catch (error) {
    if (error instanceof WorldError || error instanceof SyntaxError) return text(`${error.message}\n`, 400)
    throw error
  }
}

function control(request: string, body: string, knobs: Knobs): Reply {
  const steamId = /^POST players\/(\d{17})$/.exec(request)?.[1]
  if (steamId !== undefined) {
    const patch = objectAt('The player', JSON.parse(body), undefined)
    const before = knobs.population.player(steamId)
    knobs.population.addPlayer(readPlayer('The player', { ...before, ...patch, steamid: steamId }))
    return DONE
  }
  switch (request) {
    case 'POST faults':
      knobs.fail(readFaultRule(JSON.parse(body)))
      return DONE
    case 'DELETE faults':
      knobs.clearFaults()
      return DONE
    case 'GET calls':
      return json(knobs.calls())
    case 'DELETE calls':
      knobs.clearCalls()
      return DONE
    case 'POST latency':
      knobs.setLatency(wholeAt('ms', objectAt('The body', JSON.parse(body), ['ms']).ms))
      return DONE
    default:
      return text('There is no such knob; see src/simulator/control.ts.\n', 404)
  }
}
