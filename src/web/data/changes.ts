/**
 * What has changed is read again as soon as the server says so. One stream for each browser: one of its tabs has it and
 * passes on what it says. No page asks by itself, except once a minute while there is no stream.
 * Requirements: LIVE-11 to LIVE-14, NIGHT-89.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useSyncExternalStore } from 'react'
import type { Change, Topic } from '#shared/contract/live.ts'
import { currentSession } from '../session.ts'
import { query } from './http.ts'
import { keys } from './keys.ts'
import { setAnswered } from './offline.ts'
import { delay, delayOrOnline } from './timing.ts'
import { exchangeSettled } from './token-exchange.ts'

/** What each topic is about. Whatever of it is on the screen is read again, and the rest when it is shown next. */
const keysOf = (me: string, topic: Topic): QueryKey[] => {
  const [what, id] = topic.split(':') as [Topic, string?]
  if (id !== undefined)
    return what.startsWith('group')
      ? [keys.group(Number(id)), keys.sharedGames(Number(id)), keys.nightSettings(Number(id))]
      : [keys.night(Number(id)), keys.share(Number(id))]
  switch (what) {
    case 'games':
      return [keys.libraries(), keys.friends(me), keys.comparisons(), keys.activity(me), keys.lately(me)]
    case 'friends':
      return [keys.friends(me), keys.summaries()]
    // Whoever is no member or player any more is not told of the group or night itself.
    case 'groups':
      return [keys.groupList(me), keys.allGroups(), keys.activity(me), keys.lately(me)]
    case 'nights':
      return [keys.nightLists(), keys.allNights(), keys.lately(me)]
    case 'sync':
      return [keys.sync(me), keys.webhooks()]
    case 'session':
    default:
      return []
  }
}

/** The server sends at least a comment every 30 seconds; a stream that is silent for longer is lost. */
const SILENCE_MS = 45_000
/** A proxy that passes on nothing for this long at the beginning holds the stream back. */
const FIRST_BYTE_MS = 10_000
/** How often everything on the screen is read while there is no stream. */
const WITHOUT_STREAM_MS = 60_000
/** Before the stream is opened again: doubled at each failure, and a part of it random, so that not all come at once. */
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 15_000
/** All pages are told at once; they do not read at once. */
const SPREAD_MS = 300
/** After reading. */
const LONGEST_REST_MS = 5000
/**
 * The server repeats to a new stream what changed in the last three seconds. A page that began to read longer ago than this
 * reads everything again.
 */
const REPLAYED_MS = 2500
/** How often a tab that is seen asks whether the one with the stream is there, and how long that may take. */
const ASK_EVERY_MS = 1000
const NO_ANSWER_MS = 1500

type State = 'connecting' | 'live' | 'lost'
/**
 * What tabs say to each other: what has changed and how the stream is; a tab without it asks whether the one that has it is
 * there, or says that it has just been opened.
 */
type Message = { topics: Topic[] | 'all' } | { state: State } | 'are you there' | 'I am new'

let state: State = 'connecting'
const listeners = new Set<() => void>()

function setState(next: State): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

/** Whether changes are shown as they happen; `lost` when they were and are not any more. */
export function useLiveState(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

type Period = { since: number; end: AbortSignal }

/**
 * Reads again what has changed for a user until `end`.
 * @param since when the page began to read, by `performance.now()`
 */
export function followChanges(client: QueryClient, me: string, { since, end }: Period): void {
  let left = new AbortController()
  const follow = (from: number) =>
    followUntilLeft(client, me, { since: from, end: AbortSignal.any([left.signal, end]) })
  follow(since)
  // Browsers keep no page for Back that has a stream.
  addEventListener('pagehide', () => left.abort(), { signal: end })
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    left = new AbortController()
    follow(-Infinity)
  }
  addEventListener('pageshow', onShow, { signal: end })
}

function followUntilLeft(client: QueryClient, me: string, { since, end }: Period): void {
  if (end.aborted) return
  const name = `changes ${me}`
  const others = new BroadcastChannel(name)
  const topics = new Set<Topic>()
  /** Whether this tab has the stream. */
  let isMine = false
  /** When that tab was last heard from. */
  let heardAt = 0
  /** Whether this tab may have missed a change. */
  let hasMissed = false
  /** Whether it listens too late to be told what has changed since it began to read. */
  let isLate = performance.now() - since > REPLAYED_MS
  /** Changes that a new tab, which may have read before them, is told as well. */
  let recent: { at: number; topics: Topic[] }[] = []

  const read = politely(end, () => {
    const changed = [...topics].flatMap((topic) => keysOf(me, topic))
    topics.clear()
    return client.invalidateQueries({
      predicate: ({ queryKey }) => changed.some((key) => key.every((part, nth) => queryKey[nth] === part)),
    })
  })
  const readAll = politely(end, () => client.invalidateQueries())

  function hear(message: Message): void {
    if (message === 'are you there' || message === 'I am new') {
      if (!isMine) return
      post({ state })
      if (message === 'I am new') for (const { topics: missed } of replayed()) post({ topics: missed })
    } else if ('state' in message) setState(message.state)
    else if (message.topics === 'all') readAll()
    else {
      for (const topic of message.topics) topics.add(topic)
      read()
    }
  }

  function replayed() {
    return recent.filter(({ at }) => performance.now() - at < REPLAYED_MS)
  }

  function post(message: Message): void {
    if (!end.aborted) others.postMessage(message)
  }

  /** Says it to this tab and to the others. */
  function say(message: Message): void {
    post(message)
    hear(message)
  }

  /** One tab has the stream. When it is closed or crashes, the browser gives its lock to another. */
  async function haveStreamInTurn(): Promise<void> {
    let steal = false
    while (!end.aborted) {
      const [waiting, having] = [new AbortController(), new AbortController()]
      heardAt = performance.now()
      post('are you there')
      const timer = setInterval(() => {
        if (isMine || document.visibilityState === 'hidden') heardAt = performance.now()
        // A tab that is frozen keeps its lock, and answers nobody.
        steal ||= performance.now() - heardAt > NO_ANSWER_MS
        if (steal) waiting.abort()
        else if (!isMine) post('are you there')
      }, ASK_EVERY_MS)
      const options = steal ? { steal } : { signal: AbortSignal.any([waiting.signal, end]) }
      await navigator.locks
        .request(name, options, async () => {
          isMine = true
          await haveStream(AbortSignal.any([having.signal, end]))
        })
        // Another tab took the stream while this one was frozen and may have missed changes; or this one stops waiting, to
        // take it itself.
        .catch(() => isMine && !end.aborted && readAll())
      clearInterval(timer)
      having.abort()
      steal = !isMine && steal
      isMine = false
    }
  }

  /** Browsers offer locks only on https and localhost; elsewhere each tab has a stream while it is seen. */
  async function haveStreamWhileSeen(): Promise<void> {
    while (!end.aborted) {
      const hidden = new AbortController()
      const onChange = () => document.visibilityState === 'hidden' && hidden.abort()
      document.addEventListener('visibilitychange', onChange)
      onChange()
      await haveStream(AbortSignal.any([hidden.signal, end]))
      document.removeEventListener('visibilitychange', onChange)
      await new Promise<void>((resolve) =>
        document.addEventListener('visibilitychange', () => resolve(), { once: true, signal: end }),
      )
      hasMissed = true
    }
  }

  /** Keeps a stream open until `stop`. */
  async function haveStream(stop: AbortSignal): Promise<void> {
    let failures = 0
    let readAt = performance.now()
    while (!stop.aborted) {
      const { retryMs, isHeldBack } = await listen(me, stop, {
        onOpen() {
          failures = 0
          say({ state: 'live' })
          if (hasMissed || performance.now() - since > REPLAYED_MS) say({ topics: 'all' })
          hasMissed = false
        },
        onChange(changed) {
          recent = [...replayed(), { at: performance.now(), topics: changed }]
          say({ topics: changed })
        },
      })
      if (stop.aborted) return
      hasMissed = true
      say({ state: 'lost' })
      const waitMs = isHeldBack ? WITHOUT_STREAM_MS - FIRST_BYTE_MS : delayAfter(++failures)
      await delayOrOnline(Math.max(retryMs, waitMs), stop)
      if (stop.aborted || performance.now() - readAt < WITHOUT_STREAM_MS) continue
      readAt = performance.now()
      say({ topics: 'all' })
    }
  }

  others.onmessage = ({ data }: MessageEvent<Message>) => {
    if (typeof data !== 'string') {
      heardAt = performance.now()
      // This tab misses what happens between that stream and its own.
      hasMissed = true
      if (isLate) readAll()
      isLate = false
    }
    hear(data)
  }
  post('I am new')
  void ('locks' in navigator ? haveStreamInTurn() : haveStreamWhileSeen())
  end.addEventListener('abort', () => {
    others.close()
    setState('connecting')
  })
}

/**
 * Reads a moment later, as all pages are told at once, and then rests longer than it took, so that a change a second
 * keeps no server busy.
 */
function politely(stop: AbortSignal, work: () => Promise<unknown>): () => void {
  return coalesced(async () => {
    await delay(Math.random() * SPREAD_MS, stop)
    const startedAt = performance.now()
    if (!stop.aborted) await work()
    await delay(Math.min(3 * (performance.now() - startedAt), LONGEST_REST_MS), stop)
  })
}

function delayAfter(failures: number): number {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS)
  return longest * (0.5 + Math.random() / 2)
}

type Listening = { onOpen: () => void; onChange: (topics: Topic[]) => void }

/** Resolves when the stream has ended, whatever the reason, with the time that the server asks to wait. */
async function listen(me: string, stop: AbortSignal, { onOpen, onChange }: Listening) {
  const silence = new AbortController()
  const result = { retryMs: 0, isHeldBack: true }
  let timer = setTimeout(() => silence.abort(), FIRST_BYTE_MS)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
    if (!result.isHeldBack) return
    result.isHeldBack = false
    setAnswered('server')
    onOpen()
  }
  try {
    await exchangeSettled(stop)
    const response = await fetch(`/api/users/${me}/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${currentSession()?.token}` },
      cache: 'no-store',
      signal: AbortSignal.any([stop, silence.signal]),
    })
    if (!response.ok || !response.body) {
      result.isHeldBack = false
      result.retryMs = Number(response.headers.get('retry-after') ?? 0) * 1000
      await response.body?.cancel()
      if (response.status === 401) await findOutWhetherSignedIn(me)
      return result
    }
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(
        new EventSourceParserStream({ onComment: heard, onRetry: (ms) => (heard(), (result.retryMs = ms)) }),
      )
    for (const reader = events.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) return result
      heard()
      const { topics } = JSON.parse(value.data) as Change
      if (topics.includes('session')) await findOutWhetherSignedIn(me)
      onChange(topics)
    }
  } catch {
    // A lost connection; the caller opens it again.
    if (stop.aborted || silence.signal.aborted) return result
    result.isHeldBack = false
    setAnswered('nobody')
    return result
  } finally {
    clearTimeout(timer)
  }
}

/** Any call signs the page out when its session has ended. */
async function findOutWhetherSignedIn(steamId: string): Promise<void> {
  await query('GET /api/users/:steamId/sync_status', { params: { steamId } }).catch(() => undefined)
}

/**
 * A function that starts `work`. Calls while it is running have it done once more afterwards, because what it read may be
 * older than they are.
 */
export function coalesced(work: () => Promise<unknown>): () => void {
  let isRunning = false
  let isWantedAgain = false
  const run = async (): Promise<void> => {
    isRunning = true
    do {
      isWantedAgain = false
      await work().catch(() => undefined)
    } while (isWantedAgain)
    isRunning = false
  }
  return () => {
    if (isRunning) isWantedAgain = true
    else void run()
  }
}
