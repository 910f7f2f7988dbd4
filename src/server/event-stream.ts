/** A response that stays open and sends events (NIGHT-40), as features and `live` see it; `http/event-streams.ts` has it. */

export type EventStream = {
  /** The last event that the client has seen, as it says. */
  readonly lastEventId: string | undefined
  /** Sends an event. A client that is not ready for several gets the last one of them. */
  send(event: { name: string; id: number; data: unknown }): void
  /** Ends the response. */
  end(reason: EndReason): void
  /** Calls `listener` once, when the response has ended for any reason. */
  onClose(listener: () => void): void
}

/** Why a stream has ended, for metrics: the client closed it or does not read, its session ended, and so on. */
export type EndReason = 'client' | 'slow' | 'session' | 'removed' | 'database' | 'shutdown'
