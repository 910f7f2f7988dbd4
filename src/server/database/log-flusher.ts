/** Flushes SQLite's write-ahead log to the disk without blocking the event loop (decision 018). */
import { type FileHandle, open } from 'node:fs/promises'

export type LogFlusher = {
  /**
   * Resolves when everything that was written to the log before the call is on the disk. Calls during a flush share the
   * one after it.
   * @throws the error of the first flush that failed, from then on always: the system may have dropped what it could not
   * write, and a later flush would succeed without it
   */
  flush(): Promise<void>
  /** Closes the log after the flushes that were asked for. */
  close(): Promise<void>
}

/** A flusher of the log at `path`, which is opened with the first flush. */
export function createLogFlusher(path: string): LogFlusher {
  let handle: Promise<FileHandle> | undefined
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined

  async function start(): Promise<void> {
    handle ??= open(path, 'r+')
    await (await handle).datasync()
    if (!waiting) running = undefined
  }

  return {
    flush: () => {
      if (!running) return (running = start())
      waiting ??= running.then(() => {
        waiting = undefined
        return (running = start())
      })
      return waiting
    },
    close: async () => {
      await (waiting ?? running)?.catch(() => {})
      await (await handle)?.close()
    },
  }
}
