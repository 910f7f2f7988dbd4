/** A response that stays open and sends events (LIVE-1), as features and `live` see it; `http/event-streams.ts` has it. */
import type { Topic } from '#shared/contract/live.ts'

export type EventStream = {
  /** Says what has changed. A client that is not ready gets everything that it missed as one event. */
  send(topics: Iterable<Topic>): void
  /** Ends the response. */
  end(): void
  /** Calls `listener` once, when the response has ended for any reason. */
  onClose(listener: () => void): void
}
