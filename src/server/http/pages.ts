/** Serves the built pages: immutable assets, and index.html for every address that is a page. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const A_YEAR_SECONDS = 31_536_000
const MODE_META = '<meta name="shelfmates-mode" content="demo" />'

/**
 * The screens that people open first. Their code is named in the page, so that it comes beside the code of the
 * frame and not after it; every other screen is fetched when the frame asks for it.
 */
const FIRST_SCREENS: [RegExp, string][] = [
  [/^\/(dashboard)?$/, 'dashboard'],
  [/^\/login$/, 'login'],
  [/^\/my_games$/, 'my-games'],
  [/^\/friends$/, 'friends'],
  [/^\/groups$/, 'groups'],
  [/^\/groups\/\d+$/, 'group-detail'],
]

/** The letters of nearly all texts, needed by every screen. */
const TYPEFACE = '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** What the build writes of each source file (Vite's manifest): its file, and the sources and files it needs. */
type Manifest = Partial<Record<string, { file: string; imports?: string[]; css?: string[] }>>

/**
 * Serves `folder` (the output of the build). Paths that are no page of ours, `/api`, `/auth`, `/media` and `/assets`
 * never get HTML, names with a dot only to a browser that wants to show a page (OPS-19).
 */
export async function servePages(app: FastifyInstance, folder: string, demo: boolean): Promise<void> {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const manifest = await readManifest(folder)
  const page = (...sources: string[]) => {
    const tags = [...(demo ? [MODE_META] : []), ...preloadsOf(manifest, [TYPEFACE, ...sources], html)]
    return html.replace('</head>', `${tags.join('')}</head>`)
  }
  const index = page()
  const firstScreens = FIRST_SCREENS.map(
    ([path, screen]) => [path, page(`screens/${screen}/${screen}-screen.tsx`)] as const,
  )

  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      void reply.header(
        'cache-control',
        hashed ? `public, max-age=${A_YEAR_SECONDS}, immutable` : 'public, max-age=3600',
      )
    },
  })

  app.get('/*', (request, reply) => {
    if (!isPage(request.url, request.headers.accept)) throw new AppError('not_found')
    const path = request.url.split('?', 1)[0]!
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(firstScreens.find(([pattern]) => pattern.test(path))?.[1] ?? index)
  })
}

/** Empty where pages were built by something else. */
async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, '.vite', 'manifest.json')
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as Manifest) : {}
}

/** Tags that have a browser fetch at once what these sources need and the page does not name already. */
function preloadsOf(manifest: Manifest, sources: string[], html: string): string[] {
  const files = new Set<string>()
  const add = (source: string) => {
    const entry = manifest[source]
    if (!entry || files.has(entry.file)) return
    for (const file of [entry.file, ...(entry.css ?? [])]) files.add(file)
    entry.imports?.forEach(add)
  }
  sources.forEach(add)
  return [...files]
    .filter((file) => !html.includes(file))
    .map((file) => `<link ${preloadKind(file)} crossorigin href="/${file}" />`)
}

function preloadKind(file: string): string {
  if (file.endsWith('.css')) return 'rel="preload" as="style"'
  if (file.endsWith('.woff2')) return 'rel="preload" as="font" type="font/woff2"'
  return 'rel="modulepreload"'
}

/**
 * Whether an address, whole as proxies write it or only its path, may be one of a page; spellings that only programs
 * use (`//`, `%2e`, `\\`) are none.
 */
function isPage(url: string, accept = ''): boolean {
  const path = decoded(url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!)
  return (
    path !== undefined &&
    /^(?!.*(?:\/\/|\\|\p{Cc}|\/\.))\//u.test(path) &&
    !/^\/(api|auth|media|assets)(\/|$)/i.test(path) &&
    (!/\.\w+$/.test(path) || accept.startsWith('text/html'))
  )
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
