/**
 * Notifications on this device (PUSH-17): the browser's subscription to push messages, which the server sends to its address.
 * It belongs to the session that made it, so it ends with it, on both sides.
 */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { currentSession } from '../session.ts'
import { type InputOf, mutate, query } from './http.ts'
import { delay } from './timing.ts'

/** In `localStorage`: the user whose notifications are on here, because the browser's subscription does not say it. */
const OWNER = 'notifications_of'
/** How long turning on may take: the worker loads the pages' files first, and the browser calls its push service. */
const SUBSCRIBE_TIMEOUT_MS = 30_000

/** Whether notifications are on here; if they cannot be, why. */
export type DeviceState =
  'on' | 'off' | 'refused' | 'blocked' | 'unsupported' | 'home_screen_first' | 'insecure'

type Subscription = InputOf<'POST /api/users/:steamId/push_subscriptions'>['body']

/** What the server has of this browser, so that it is asked once while a page is open. */
let known: { endpoint: string; steamId: string; subscriptionId: string; isRefused: boolean } | undefined

/** What can be said at once, without asking the server. */
function stateNow(steamId: string): DeviceState {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    // Only browsers of iPhones and iPads have this property; they offer push to installed apps only.
    return 'standalone' in navigator ? 'home_screen_first' : 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const isOn = Notification.permission === 'granted' && localStorage.getItem(OWNER) === steamId
  return isOn ? 'on' : 'off'
}

/** Not in keys.ts, which the first load has. */
const keyOfDevice = (steamId: string) => ['device', steamId] as const

const deviceQuery = (steamId: string) =>
  queryOptions({
    queryKey: keyOfDevice(steamId),
    queryFn: () => readState(steamId),
    // The browser's settings can change at any time.
    staleTime: 0,
    placeholderData: () => stateNow(steamId),
  })

/** Whether notifications are on here. If they are, the server is told of this browser again, in case it has lost it (PUSH-16). */
function readState(steamId: string): Promise<DeviceState> {
  return inTurn(async () => {
    const state = stateNow(steamId)
    if (state === 'on') return stateAfter(await subscribe(steamId))
    // What is left of another user, or of a permission that was taken back; tried again at the next visit.
    await end().catch(() => undefined)
    return state
  })
}

/** Whether notifications are on here, kept up to date. */
export function useDevice(steamId: string) {
  const client = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const readAgain = () => void client.invalidateQueries({ queryKey: keyOfDevice(steamId) })
    navigator.serviceWorker?.addEventListener(
      'message',
      ({ data }) => {
        if (data === 'subscription_changed') readAgain()
      },
      { signal: stop.signal },
    )
    navigator.permissions?.query({ name: 'notifications' }).then(
      (permission) => permission.addEventListener('change', readAgain, { signal: stop.signal }),
      // A browser that cannot say it is asked again when its window is used.
      () => undefined,
    )
    return () => stop.abort()
  }, [client, steamId])
  return useQuery(deviceQuery(steamId))
}

/** Turns notifications on here. The browser asks whether it may show them, so only after a press (PUSH-17). */
export function useTurnOn(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<DeviceState> => {
      if ((await Notification.requestPermission()) !== 'granted') return stateNow(steamId)
      return inTurn(async () => {
        // Another subscription has another address, which may be taken.
        if (known?.isRefused) await forget(steamId)
        try {
          return stateAfter(await subscribe(steamId))
        } catch (error) {
          await end()
          throw error
        }
      })
    },
    onSuccess: (state) => client.setQueryData(keyOfDevice(steamId), state),
  })
}

/** Turns notifications off here. */
export function useTurnOff(steamId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      inTurn(async (): Promise<DeviceState> => {
        await forget(steamId)
        return stateNow(steamId)
      }),
    onSuccess: (state) => client.setQueryData(keyOfDevice(steamId), state),
  })
}

const stateAfter = (subscribed: { isRefused: boolean }): DeviceState =>
  subscribed.isRefused ? 'refused' : 'on'

/** Ends the browser's subscription, and takes it from the server. */
async function forget(steamId: string): Promise<void> {
  const subscriptionId = known?.subscriptionId
  await end()
  // Nothing arrives any more, whatever becomes of this: the server forgets an address that its push service refuses.
  if (subscriptionId !== undefined)
    await mutate('DELETE /api/users/:steamId/push_subscriptions/:subscriptionId', {
      params: { steamId, subscriptionId },
    }).catch(() => undefined)
}

/** Ends notifications of anybody but who is signed in here (PUSH-20). */
export function endOthers(): Promise<void> {
  return inTurn(async () => {
    const owner = localStorage.getItem(OWNER)
    if (owner !== null && owner !== currentSession()?.steamId) await end()
  })
}

/**
 * One after the other, in all tabs: the browser tells of a permission while a press that has asked for it goes on, and what is
 * being made must not count as left over. Browsers without locks have no notifications.
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request('notifications', work) : work()
}

/** Subscribes the browser, unless it is, and tells the server of it. */
async function subscribe(steamId: string): Promise<{ isRefused: boolean }> {
  const { pushManager } = await soon(registeredWorker())
  const before = await pushManager.getSubscription()
  const isMine = localStorage.getItem(OWNER) === steamId
  if (before && isMine && known?.endpoint === before.endpoint && known.steamId === steamId) return known
  const { public_key } = await query('GET /api/push/key', {})
  const isRight = isMine && before && serverKeyOf(before) === public_key
  // One of another user, or for a key that the server has no longer.
  if (before && !isRight) await before.unsubscribe()
  const subscription = isRight
    ? before
    : await soon(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }))
  localStorage.setItem(OWNER, steamId)
  const { subscription_id, is_refused } = await mutate('POST /api/users/:steamId/push_subscriptions', {
    params: { steamId },
    // Its type lacks what every subscription has.
    body: subscription.toJSON() as Subscription,
  })
  known = { endpoint: subscription.endpoint, steamId, subscriptionId: subscription_id, isRefused: is_refused }
  return known
}

/** The worker, which the first page of a visit registers only after a while. */
async function registeredWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/sw.js')
  return navigator.serviceWorker.ready
}

/** Ends the browser's subscription, and takes away what is shown of it. */
async function end(): Promise<void> {
  localStorage.removeItem(OWNER)
  known = undefined
  const registration = await navigator.serviceWorker?.getRegistration()
  const shown = await registration?.getNotifications?.()
  for (const notification of shown ?? []) notification.close()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}

/** @throws Error if it takes too long: a browser whose push service cannot be reached tries without end */
async function soon<Result>(work: Promise<Result>): Promise<Result> {
  const late = delay(SUBSCRIBE_TIMEOUT_MS).then((): never => {
    throw new Error('The browser did not subscribe in time')
  })
  return Promise.race([work, late])
}

/** The key of the server that a subscription is for, as the server writes it. */
function serverKeyOf({ options: { applicationServerKey } }: PushSubscription): string | undefined {
  if (!applicationServerKey) return undefined
  return btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
