/**
 * Records which values are possible after a server was killed: for each name, the last acknowledged value, or the one
 * being written when the server died. Each name has one writer, which waits for each response.
 */
export type Ledger = ReturnType<typeof createLedger>

export function createLedger() {
  const possible = new Map<string, Set<string>>()
  /** Names written since the last check; nothing else can have changed. */
  const touched = new Set<string>()
  let acknowledged = 0

  return {
    /** The number of acknowledged writes. */
    get acknowledged() {
      return acknowledged
    },
    touched,

    /** Sets a value that is known for certain. */
    settle(name: string, value: string): void {
      possible.set(name, new Set([value]))
      touched.add(name)
    },

    /**
     * Writes `value` with `send` and records its outcome: written, refused, or unknown because no response came.
     */
    async write(name: string, value: string, send: () => Promise<Outcome>): Promise<Outcome> {
      const before = possible.get(name) ?? new Set()
      touched.add(name)
      possible.set(name, new Set([...before, value]))
      const outcome = await send()
      if (outcome === 'written') {
        possible.set(name, new Set([value]))
        acknowledged++
      } else if (outcome === 'refused') possible.set(name, before)
      return outcome
    },

    /** Checks and records a value found after a restart; returns an error text when it is not a possible one. */
    found(name: string, value: string): string | undefined {
      const expected = possible.get(name)
      if (!expected?.has(value)) return `${name} is ${value}, not ${[...(expected ?? [])].join(' or ')}`
      possible.set(name, new Set([value]))
      return undefined
    },

    /** A value that is known for certain; undefined otherwise. */
    valueOf(name: string): string | undefined {
      const [value, ...others] = possible.get(name) ?? []
      return others.length === 0 ? value : undefined
    },

    /** A value that time changes by itself is not looked up any more. */
    forget(name: string): void {
      possible.delete(name)
      touched.delete(name)
    },

    /** The names of all values. */
    names: () => [...possible.keys()],
  }
}

/** The values of a ledger that are known for certain at this moment, as a ledger of its own. */
export function known(ledger: Ledger): Ledger {
  const copy = createLedger()
  for (const name of ledger.names()) {
    const value = ledger.valueOf(name)
    if (value !== undefined) copy.settle(name, value)
  }
  return copy
}

export type Outcome = 'written' | 'refused' | 'unknown'

/** The outcome of a write by its response; unknown when the connection broke. */
export async function outcomeOf(sent: Promise<Response>): Promise<{ outcome: Outcome; json?: unknown }> {
  try {
    const response = await sent
    const text = await response.text()
    // A 503 is sent before any work; after other failures the write may or may not have happened.
    if (response.status >= 500 && response.status !== 503) return { outcome: 'unknown' }
    return response.ok
      ? { outcome: 'written', json: text === '' ? undefined : JSON.parse(text) }
      : { outcome: 'refused' }
  } catch {
    return { outcome: 'unknown' }
  }
}
