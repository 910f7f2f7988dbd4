/** How far a copy is, for a terminal or for a log. */

/** Receives how far a copy is. */
export type Progress = {
  /** A step such as 'Copying' begins; `total` is in the unit of `advance`. */
  begin(step: string, total: number): void
  /** `amount` more is done, in the table of this name. */
  advance(amount: number, rows: number, table: string): void
  /** The step is over. */
  end(): void
}

/** What {@link createProgress} writes to. */
type Output = { isTTY?: boolean; write(text: string): unknown }

const TERMINAL_EVERY_MS = 100
const LOG_EVERY_MS = 30_000
/** Before that the time left is a guess. */
const ESTIMATED_AFTER_MS = 2000

/** Writes progress as one line that changes, at a terminal, or as a line per step and half minute elsewhere. */
export function createProgress(output: Output, now: () => number = Date.now): Progress {
  const terminal = output.isTTY === true
  let step = ''
  let total = 0
  let done = 0
  let doneRows = 0
  let startedAt = 0
  let shownAt = 0

  const show = (text: string) => output.write(terminal ? `\r\x1b[K${text}` : `${text}\n`)
  const rows = () => `${doneRows.toLocaleString('en')} rows`
  return {
    begin(name, amount) {
      step = name
      total = amount
      done = 0
      doneRows = 0
      startedAt = shownAt = now()
      if (terminal) show(`${step} …`)
    },
    advance(amount, count, table) {
      done += amount
      doneRows += count
      const at = now()
      if (at - shownAt < (terminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return
      shownAt = at
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const left =
        at - startedAt < ESTIMATED_AFTER_MS ? '' : `, ${timeLeft((at - startedAt) * (1 / share - 1))} left`
      show(`${step}: ${Math.floor(share * 100)} %, ${rows()}, ${table}${left}`)
    },
    end() {
      show(`${step}: ${rows()} in ${((now() - startedAt) / 1000).toFixed(1)} s`)
      if (terminal) output.write('\n')
    },
  }
}

function timeLeft(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
