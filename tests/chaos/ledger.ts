/**
 * What may be found after a server was killed: for every value that was written, the last acknowledged one, or the
 * one that was under way when the server died. Each value has one writer that waits for its answers.
 */
export type Ledger = ReturnType<typeof createLedger>

export function createLedger() {
  const admissible = new Map<string, Set<string>>()
  /** Written since the last look; nothing else can have changed. */
  const touched = new Set<string>()
  let acknowledged = 0

  return {
    /** How many writes were acknowledged. */
    get acknowledged() {
      return acknowledged
    },
    touched,

    /** What a value is, with nothing under way. */
    settle(name: string, value: string): void {
      admissible.set(name, new Set([value]))
      touched.add(name)
    },

    /**
     * Writes `value` with `send`, which resolves to what became of it: written, refused, or nobody knows because no
     * answer came. Resolves to the same.
     */
    async write(name: string, value: string, send: () => Promise<Outcome>): Promise<Outcome> {
      const before = admissible.get(name) ?? new Set()
      touched.add(name)
      admissible.set(name, new Set([...before, value]))
      const outcome = await send()
      if (outcome === 'written') {
        admissible.set(name, new Set([value]))
        acknowledged++
      } else if (outcome === 'refused') admissible.set(name, before)
      return outcome
    },

    /** Looks a value up after a restart: complains when it is none of those that may be there, and settles it. */
    found(name: string, value: string): string | undefined {
      const expected = admissible.get(name)
      if (!expected?.has(value)) return `${name} is ${value}, not ${[...(expected ?? [])].join(' or ')}`
      admissible.set(name, new Set([value]))
      return undefined
    },

    /** What a value is when nothing is under way; undefined otherwise. */
    valueOf(name: string): string | undefined {
      const [value, ...others] = admissible.get(name) ?? []
      return others.length === 0 ? value : undefined
    },

    /** Names of all values that were ever written. */
    names: () => [...admissible.keys()],
  }
}

export type Outcome = 'written' | 'refused' | 'unknown'

/** What became of a write by its answer; a connection that breaks says nothing. */
export async function outcomeOf(answer: Promise<Response>): Promise<{ outcome: Outcome; json?: unknown }> {
  try {
    const response = await answer
    const text = await response.text()
    // Busy is said before anything is begun; after other failures nobody knows how far it came.
    if (response.status >= 500 && response.status !== 503) return { outcome: 'unknown' }
    return response.ok
      ? { outcome: 'written', json: text === '' ? undefined : JSON.parse(text) }
      : { outcome: 'refused' }
  } catch {
    return { outcome: 'unknown' }
  }
}
