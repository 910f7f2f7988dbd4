/** One call in flight per library and list, however many ask (REF-5, SYNC-9). */
import { SteamError, type Urgency } from '../steam/port.ts'

/** A click waits this long for what is being read less urgently; then there is still time to ask by itself. */
const WAIT_FOR_LESSER_MS = 9_000

const RANK: Record<Urgency, number> = { interactive: 2, group: 1, background: 0 }

type Flight<Outcome> = { urgency: Urgency; outcome: Promise<Outcome> }

/** The calls in flight of one server, by key. */
export function createSingleFlight<Outcome>() {
  const inFlight = new Map<string, Flight<Outcome>>()

  /**
   * Starts a call, or joins the running one. A caller that joined a call of less urgency, which may be refused or given
   * up sooner, starts one of its own when that one fails or takes long.
   */
  async function share(key: string, urgency: Urgency, start: () => Promise<Outcome>): Promise<Outcome> {
    const running = inFlight.get(key)
    if (running) {
      if (RANK[urgency] <= RANK[running.urgency]) return running.outcome
      const outcome = await patiently(running.outcome)
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
    /** Resolves when nothing is in flight any more. */
    idle: async (): Promise<void> => {
      while (inFlight.size > 0)
        await Promise.allSettled([...inFlight.values()].map((flight) => flight.outcome))
    },
  }
}

/** An outcome; undefined when the platform failed or it takes too long. */
async function patiently<Outcome>(outcome: Promise<Outcome>): Promise<Outcome | undefined> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), WAIT_FOR_LESSER_MS)
  })
  try {
    return await Promise.race([outcome, enough])
  } catch (error) {
    if (error instanceof SteamError) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}
