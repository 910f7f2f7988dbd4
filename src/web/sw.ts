/**
 * The service worker (INST-1 to INST-6). It keeps the built files, which are the same for everybody, and the offline page. It
 * never answers for pages or calls: pages come from the network, calls do not pass it, so that no version can be stuck and
 * nothing of a user is kept. It shows notifications (PUSH-13 to PUSH-16).
 */
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute, NavigationRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst, NetworkOnly } from 'workbox-strategies'

declare const self: ServiceWorkerGlobalScope
/** The scripts and styles of this version and their typeface; vite.config.ts writes them here. */
declare const __FILES__: readonly string[]

const OFFLINE_PAGE = '/offline.html'
/** What the offline page needs, under names that stay. */
const NAMED = [OFFLINE_PAGE, '/offline.js', '/theme.js', '/logo.svg']
const DAY_SECONDS = 24 * 60 * 60

/**
 * Files whose names say what is in them, so one that is stored is right for ever. Those of earlier versions stay a month:
 * a page that was opened before a deploy still loads its screens, and so does one after a rollback.
 */
const built = new CacheFirst({
  cacheName: 'built',
  plugins: [new ExpirationPlugin({ maxEntries: 500, maxAgeSeconds: 30 * DAY_SECONDS })],
})
const named = new NetworkFirst({ cacheName: 'named' })
/** The offline page, if a page cannot be loaded or its response is an error of the server or a proxy. */
const pages = new NetworkOnly({
  plugins: [
    {
      // Also of a response that was preloaded.
      handlerWillRespond: async ({ response }) =>
        response.status >= 500 ? ((await caches.match(OFFLINE_PAGE)) ?? response) : response,
    },
    { handlerDidError: () => caches.match(OFFLINE_PAGE) },
  ],
})

registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), built)
registerRoute(({ url, sameOrigin }) => sameOrigin && NAMED.includes(url.pathname), named)
registerRoute(
  new NavigationRoute(pages, {
    denylist: [/^\/(api|auth|media|assets|share|simulator)(\/|$)/, /\.\w+$/],
  }),
)
// Passes on all others. If left to the browser, which preloaded them, they would be requested twice, but Steam confirms
// a sign-in once.
registerRoute(new NavigationRoute(new NetworkOnly()))

self.addEventListener('install', (event) => {
  const warm = (strategy: CacheFirst | NetworkFirst, paths: readonly string[]) =>
    paths.flatMap((path) => strategy.handleAll({ event, request: new Request(path) }))
  // Until everything is stored, the previous worker goes on.
  event.waitUntil(Promise.all([...warm(built, __FILES__), ...warm(named, NAMED)]))
  // At once, because workers of all versions do the same.
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  // Otherwise pages would wait until the worker has started.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]))
})

/** What the server sends, written in the user's language. */
type Message = { title: string; body: string; path: string; tag: string }

/** A push service may drop the content; the browser still wants a notification to be shown. */
function messageOf(data: PushMessageData | null): Message {
  try {
    return data!.json() as Message
  } catch {
    return { title: 'Shelfmates', body: '', path: '/nights', tag: 'empty' }
  }
}

self.addEventListener('push', (event) => {
  const { title, path, ...shown } = messageOf(event.data)
  const options = {
    ...shown,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: path,
    // Alerts again when it replaces one of the same night.
    renotify: true,
  }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(String(event.notification.data)))
})

/** Shows a page in the window that has it, else in a new one: in another window a form may be half filled in. */
async function openPage(path: string): Promise<unknown> {
  const { origin, href } = new URL(path, self.location.origin)
  if (origin !== self.location.origin) return undefined
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(({ url }) => url === href)
  return shown ? shown.focus() : self.clients.openWindow(href)
}

/** The browser has replaced its subscription, or ended it. Only pages have a token to tell the server of the new one. */
self.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription, newSubscription } = event
  const renewed = async () => {
    if (oldSubscription && !newSubscription)
      await self.registration.pushManager.subscribe(oldSubscription.options).catch(() => undefined)
    for (const page of await self.clients.matchAll({ type: 'window' }))
      page.postMessage('subscription_changed')
  }
  event.waitUntil(renewed())
})
