/** Imported before a program: its clock is wrong by CLOCK_AHEAD_MS milliseconds, as on a machine without NTP. */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const now = Date.now

globalThis.Date = class extends Date {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now() + aheadMs] : given) as [number]))
  }
  static override now(): number {
    return now() + aheadMs
  }
} as DateConstructor
