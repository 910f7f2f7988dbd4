/**
 * A browser with notifications, for the tests of them. Its worker, permissions and notifications are real. The subscription is
 * not, because Chromium makes one only with Google's service: here its keys and address are the test's own.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page, Worker } from '@playwright/test'
import type { Product, TestPlayer } from '../support/product.ts'
import type { Device as Subscriber, PushService } from '../support/push-service.ts'
import { expect, prepareTab, profileOptions } from './support.ts'

/** What `PushSubscription` has of its own in this browser, besides what it sends. */
type Held = Subscriber['subscription'] & { key: string }

export type Device = Awaited<ReturnType<typeof openDevice>>

/** Opens a browser in which a player is signed in, on a desk unless `kind` is another of Playwright's devices. */
export async function openDevice(
  browser: Browser,
  product: Product,
  service: PushService,
  { token, steam_id }: TestPlayer,
  kind: BrowserContextOptions = {},
) {
  const localStorage = [
    { name: 'token', value: token },
    { name: 'steam_id', value: steam_id },
  ]
  const context = await browser.newContext({
    ...profileOptions(product),
    ...kind,
    serviceWorkers: 'allow',
    storageState: { cookies: [], origins: [{ origin: product.url, localStorage }] },
  })
  let held: Held | undefined
  /** What the push service has for it. */
  let subscriber: Subscriber | undefined
  let permission: 'granted' | 'denied' | 'prompt' = 'granted'
  /** How often a page asked for permission. */
  let asked = 0
  /** Why the browser does not subscribe. */
  let refusal: string | undefined

  await context.exposeBinding('push', async (_source, does: string, key: string) => {
    if (does === 'ask') {
      asked += 1
      // Who is asked presses 'Allow'.
      if (permission === 'prompt') await permit('granted')
    }
    if (does === 'unsubscribe') end()
    if (does === 'subscribe') {
      if (refusal !== undefined) return { refusal }
      if (!held) subscribe(key)
    }
    return held
  })
  await context.addInitScript(replaceSubscriptions)
  const page = await context.newPage()
  await prepareTab(page)
  const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo')
  // What it sets lasts as long as this session.
  const settings = await browser.newBrowserCDPSession()

  /** What the user has said to the browser, or says in its settings while a page is open. */
  const permit = async (setting: typeof permission) => {
    permission = setting
    await settings.send('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting,
      origin: product.url,
      browserContextId: targetInfo.browserContextId!,
    })
  }
  await permit('granted')

  /** As a browser does when a page unsubscribes: its push service has no such address any more. */
  function end(): void {
    subscriber?.leave()
    held = subscriber = undefined
  }

  function subscribe(key: string): void {
    subscriber = service.subscribe(key)
    held = { ...subscriber.subscription, key }
  }

  return {
    context,
    page,
    subscription: () => held,
    /** What its push service has received and read for it. */
    received: () => subscriber?.notifications() ?? [],
    asked: () => asked,
    /** The browser refuses to subscribe, with this text. */
    refuse: (text: string | undefined) => void (refusal = text),
    /** Another subscription, as when the browser replaces it by itself or had it for another key. */
    replace: (key = held!.key) => {
      end()
      subscribe(key)
    },
    permit,
    worker: () => workerOf(context),
    deliver: (message: object) => deliver(page, product.url, message),
    close: async () => {
      await settings.detach()
      await context.close()
    },
  }
}

/** Runs in pages: subscriptions come from the test. */
function replaceSubscriptions(): void {
  const { push, PushManager, Notification } = globalThis as unknown as {
    push: (does: string, key?: string) => Promise<(Held & { refusal?: string }) | undefined>
    PushManager?: typeof globalThis.PushManager
    Notification: typeof globalThis.Notification
  }
  if (!PushManager) return
  const bytesOf = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer
  const asSubscription = (held: Held | undefined) =>
    held
      ? {
          endpoint: held.endpoint,
          options: { userVisibleOnly: true, applicationServerKey: bytesOf(held.key) },
          toJSON: () => ({ endpoint: held.endpoint, expirationTime: held.expirationTime, keys: held.keys }),
          unsubscribe: async () => (await push('unsubscribe'), true),
        }
      : null
  Object.assign(PushManager.prototype, {
    getSubscription: async () => asSubscription(await push('read')),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      const held = await push('subscribe', applicationServerKey)
      if (held?.refusal !== undefined) throw new DOMException(held.refusal, 'AbortError')
      return asSubscription(held)
    },
  })
  const ask = Notification.requestPermission.bind(Notification)
  Notification.requestPermission = async () => (await push('ask'), ask())
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker')
}

/**
 * Hands a message to the worker as the browser does, decrypted, and waits until it is shown: Chromium forgets a
 * notification that is being shown while somebody asks which there are.
 */
async function deliver(page: Page, origin: string, message: object): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const worker = await workerOf(page.context())
  await worker.evaluate(() => {
    const scope = globalThis as unknown as Scope
    const { registration } = scope
    scope.shown = new Promise((resolve) => {
      registration.showNotification = async (...shown) => {
        const done = ServiceWorkerRegistration.prototype.showNotification.apply(registration, shown)
        resolve(done)
        return done
      }
    })
  })
  await session.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId,
    data: JSON.stringify(message),
  })
  await worker.evaluate(() => (globalThis as unknown as Scope).shown)
  await session.detach()
}

/** The worker's global scope, as far as tests use it. */
type Scope = EventTarget & {
  registration: ServiceWorkerRegistration
  /** Done when the next message is shown. */
  shown: Promise<void>
  NotificationEvent: new (type: string, init: { notification: Notification }) => Event
}

/** The notifications that the browser shows. */
export const shownOn = async (device: Device) =>
  (await device.worker()).evaluate(async () => {
    const { registration } = globalThis as unknown as Scope
    const shown = await registration.getNotifications()
    return (shown as (Notification & { badge: string })[]).map(({ title, body, tag, icon, badge, data }) => ({
      title,
      body,
      tag,
      pictures: [icon, badge],
      data: data as unknown,
    }))
  })

/**
 * Presses the notification that is shown. Only a press by hand may open a window, so the pages that the worker opens are
 * noted instead: {@link openedBy}.
 */
export async function press(device: Device): Promise<void> {
  await (
    await device.worker()
  ).evaluate(async () => {
    const worker = globalThis as unknown as Scope & { clients: object; opened: string[] }
    worker.opened = []
    Object.assign(worker.clients, { openWindow: async (href: string) => void worker.opened.push(href) })
    const [notification] = await worker.registration.getNotifications()
    worker.dispatchEvent(new worker.NotificationEvent('notificationclick', { notification: notification! }))
  })
  await expect.poll(() => shownOn(device)).toEqual([])
}

/** The pages that the worker opened for the last press. */
export async function openedBy(device: Device): Promise<string[]> {
  const worker = await device.worker()
  return worker.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
}
