/** An open response that sends events (LIVE-1), for features and `live`; `http/event-streams.ts` implements it. */
import type { Topic } from '#shared/contract/live.ts'

export type EventStream = {
  /** Says what has changed. A client that is not ready gets everything that it missed as one event. */
  send(topics: Iterable<Topic>): void
  /** Ends the response. */
  end(): void
  /** Calls `listener` once, when the response has ended for any reason. */
  onClose(listener: () => void): void
}
