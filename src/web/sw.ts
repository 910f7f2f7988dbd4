/**
 * The service worker (INST-1 to INST-6). It keeps the built files, which are the same for everybody, and the offline page. It
 * never answers for pages or calls: pages come from the network, calls do not pass it, so that no version can be stuck and
 * nothing of a user is kept.
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
/** A page that cannot be had, or that something between here and the server answers for it, is the offline page. */
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

self.addEventListener('install', (event) => {
  const warm = (strategy: CacheFirst | NetworkFirst, paths: readonly string[]) =>
    paths.flatMap((path) => strategy.handleAll({ event, request: new Request(path) }))
  // Until all of it is there the worker before goes on.
  event.waitUntil(Promise.all([...warm(built, __FILES__), ...warm(named, NAMED)]))
  // At once, because workers of all versions do the same.
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  // Otherwise a page would wait until the worker has started.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]))
})
