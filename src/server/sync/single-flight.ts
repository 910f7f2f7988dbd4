/** At most one call in flight per library and friend list; concurrent callers share it (REF-5, SYNC-9). */
import { SteamError, type Urgency } from '../steam/port.ts'
import { withinMs } from '../time.ts'

/** How long a caller waits for a less urgent call; short enough to leave time for a call of its own. */
const WAIT_FOR_LESS_URGENT_MS = 9_000

const RANK: Record<Urgency, number> = { interactive: 2, group: 1, background: 0 }

type Flight<Outcome> = { urgency: Urgency; outcome: Promise<Outcome> }

/** The calls in flight of one server, by key. */
export function createSingleFlight<Outcome>() {
  const inFlight = new Map<string, Flight<Outcome>>()

  /**
   * Starts a call, or joins the running one. A caller that joined a less urgent call, which is refused or given up
   * sooner, starts its own when that call fails or takes too long.
   */
  async function share(key: string, urgency: Urgency, start: () => Promise<Outcome>): Promise<Outcome> {
    const running = inFlight.get(key)
    if (running) {
      if (RANK[urgency] <= RANK[running.urgency]) return running.outcome
      const outcome = await outcomeInTime(running.outcome)
      if (outcome !== undefined) return outcome
      if (inFlight.get(key) !== running && inFlight.has(key)) return share(key, urgency, start)
    }
    const flight = { urgency, outcome: start() }
    inFlight.set(key, flight)
    try {
      return await flight.outcome
    } finally {
      if (inFlight.get(key) === flight) inFlight.delete(key)
    }
  }

  return {
    share,
    /** Resolves when no call is in flight. */
    idle: async (): Promise<void> => {
      while (inFlight.size > 0)
        await Promise.allSettled([...inFlight.values()].map((flight) => flight.outcome))
    },
  }
}

/** The outcome of a call; undefined when Steam failed or the call takes too long. */
async function outcomeInTime<Outcome>(outcome: Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await withinMs(outcome, WAIT_FOR_LESS_URGENT_MS)
  } catch (error) {
    if (error instanceof SteamError) return undefined
    throw error
  }
}
