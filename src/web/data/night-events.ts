/**
 * The live stream of a night's page (NIGHT-89): says that the night has changed, which is then read again. One stream
 * per page; it rests while the page is in the background, and is opened again after a loss.
 */
import { useQueryClient } from '@tanstack/react-query'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useEffect, useState } from 'react'
import { currentSession } from '../session.ts'
import { coalesced } from './coalesced.ts'
import { keys } from './keys.ts'
import type { Night } from './nights.ts'
import { delayOrOnline } from './timing.ts'

/** The server sends at least a comment every 25 seconds (NIGHT-42); a stream that is silent for longer is lost. */
const SILENCE_MS = 60_000
/** Before the stream is opened again: doubled at each failure, and a part of it random, so that not all come at once. */
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 15_000

export type LiveState = 'connecting' | 'live' | 'lost'

/**
 * Reads the night again whenever it changes.
 * @param isEnabled whether the night was read and can still change
 */
export function useNightEvents(nightId: number, isEnabled: boolean): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    if (!isEnabled) return
    const refetch = coalesced(() => client.refetchQueries({ queryKey: keys.night(nightId) }))
    const version = () => client.getQueryData<Night>(keys.night(nightId))?.version
    return follow(() => `/api/nights/${nightId}/events?since=${version() ?? ''}`, refetch, setState)
  }, [client, nightId, isEnabled])
  return isEnabled ? state : 'live'
}

/**
 * Follows a stream of events while the page is visible.
 * @param pathOf its path now, with what is known already
 * @param onChange called at each change, and whenever changes may have been missed
 * @returns a function that ends it
 */
function follow(pathOf: () => string, onChange: () => void, onState: (state: LiveState) => void): () => void {
  const end = new AbortController()
  let connection: AbortController | undefined
  let isRunning = false
  /** What the server asks for, in milliseconds. */
  let retryMs = 0

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    let failures = 0
    while (isWanted()) {
      connection = new AbortController()
      await listen(pathOf(), AbortSignal.any([connection.signal, end.signal]), {
        onOpen: () => {
          failures = 0
          onState('live')
        },
        onRetry: (ms) => (retryMs = ms),
        onChange,
      })
      if (!isWanted()) break
      onState('lost')
      // It may have ended because I was removed; and until it is back, changes are found in this way.
      onChange()
      await delayOrOnline(Math.max(retryMs, delayAfter(++failures)))
    }
    isRunning = false
  }

  const isWanted = () => !end.signal.aborted && document.visibilityState === 'visible'
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') return connection?.abort()
    // Without waiting for the stream to open.
    onChange()
    void run()
  }
  document.addEventListener('visibilitychange', onVisibility)
  void run()
  return () => {
    end.abort()
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

function delayAfter(failures: number): number {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS)
  return longest * (0.5 + Math.random() / 2)
}

/** Resolves when the stream has ended, whatever the reason. */
async function listen(
  path: string,
  stop: AbortSignal,
  { onOpen, onRetry, onChange }: { onOpen: () => void; onRetry: (ms: number) => void; onChange: () => void },
): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  try {
    const response = await fetch(path, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${currentSession()?.token}` },
      cache: 'no-store',
      signal: AbortSignal.any([stop, silence.signal]),
    })
    if (!response.ok || !response.body) return await response.body?.cancel()
    onOpen()
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: heard, onRetry }))
    for (const reader = events.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) return
      heard()
      if (value.event === 'change') onChange()
    }
  } catch {
    // A lost connection; the caller opens it again.
  } finally {
    clearTimeout(timer)
  }
}
