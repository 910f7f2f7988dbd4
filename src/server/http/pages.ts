/**
 * Serves the built pages: immutable assets, and index.html for the path of every page. Texts that the build wrote in
 * English are replaced by those of the visitor's language.
 * Requirements: LANG-9.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unescape } from 'node:querystring'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LANGUAGES, languageOfHeader, type Language } from '#shared/languages.ts'
import { DEMO_RESET_MS } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import { type ServerTexts, type TextsOf, textsOf as productTexts } from '../texts/texts.ts'

/**
 * The screens that people open first, by the pattern of their path. The HTML preloads their code, so that it loads in
 * parallel with the main bundle; the code of other screens is loaded on demand.
 */
const FIRST_SCREENS: [path: RegExp, screen: string][] = [
  [/^\/(dashboard)?$/, 'dashboard'],
  [/^\/login$/, 'login'],
  [/^\/my_games$/, 'my-games'],
  [/^\/friends$/, 'friends'],
  [/^\/groups$/, 'groups'],
  [/^\/groups\/\d+$/, 'group-detail'],
  [/^\/join\/[^/]+$/, 'join'],
]

/** Stands for the screens that nothing is preloaded for. */
const OTHERS = ''

/** Files with texts, beside index.html. */
const TRANSLATED = [
  ['offline.html', 'text/html', htmlIn],
  ['manifest.webmanifest', 'application/manifest+json', manifestIn],
] as const

/** Vite's manifest: the built file of each source file, and the sources it needs. */
type Manifest = Partial<Record<string, { file: string; imports?: string[] }>>

/** Open to strangers, or for whoever runs it. */
type Demo = 'public' | 'own'

export type Pages = Awaited<ReturnType<typeof readPages>>

/** Reads the output of the build. */
export async function readPages(
  folder: string,
  { demo, textsOf }: { demo: Demo | undefined; textsOf: TextsOf },
) {
  const built = await readFile(join(folder, 'index.html'), 'utf8')
  const manifest = await readManifest(folder)
  const pages = new Map<string, string>()
  for (const language of LANGUAGES) {
    const html = htmlIn(built, textsOf(language))
    for (const screen of [OTHERS, ...FIRST_SCREENS.map(([, screen]) => screen)]) {
      const needed = [`../locales/${language}/first.js`, `screens/${screen}/${screen}-screen.tsx`]
      const tags = [...demoTags(demo), ...preloadsOf(manifest, needed, html)]
      pages.set(`${language} ${screen}`, html.replace('</head>', `${tags.join('')}</head>`))
    }
  }
  const files: { path: string; type: string; textIn: (language: Language) => string }[] = []
  for (const [name, type, textIn] of TRANSLATED) {
    const file = join(folder, name)
    if (!existsSync(file)) continue
    const source = await readFile(file, 'utf8')
    const texts = new Map(LANGUAGES.map((language) => [language, textIn(source, textsOf(language))]))
    files.push({ path: `/${name}`, type, textIn: (language) => texts.get(language)! })
  }
  return {
    folder,
    /** Files that are served in the visitor's language. */
    files,
    /**
     * The HTML of a path; the router in the browser decides whether it is known.
     * @param head tags of this response alone
     */
    htmlOf: (path: string, language: Language, head = ''): string => {
      const [, screen = OTHERS] = FIRST_SCREENS.find(([pattern]) => pattern.test(path)) ?? []
      // A function, so that `$&` in a name stays as it is.
      return pages.get(`${language} ${screen}`)!.replace('</head>', () => `${head}</head>`)
    },
  }
}

/**
 * Serves the built pages. Paths under `/api`, `/auth`, `/media`, `/assets` and `/simulator` never return HTML, and
 * names with a dot only when a browser requests a page (OPS-19).
 */
export async function servePages(app: FastifyInstance, { folder, htmlOf, files }: Pages): Promise<void> {
  for (const { path, type, textIn } of files)
    app.get(path, (request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', vary: 'accept-language' })
        .type(`${type}; charset=utf-8`)
        .send(textIn(languageOf(request))),
    )
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    globIgnore: ['index.html', ...TRANSLATED.map(([name]) => name)],
    preCompressed: true,
    setHeaders: (reply, path) => {
      let caching = 'public, max-age=3600'
      if (/[\\/]assets[\\/]/.test(path)) caching = 'public, max-age=31536000, immutable'
      // The service worker must be as new as the files it loads.
      else if (/[\\/]sw\.js(\.br|\.gz)?$/.test(path)) caching = 'no-cache'
      void reply.header('cache-control', caching)
    },
  })

  app.get('/*', (request, reply) => {
    if (!isPage(request.url, request.headers.accept)) throw new AppError('not_found')
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .send(htmlOf(request.url.split('?', 1)[0]!, languageOf(request)))
  })
}

function languageOf({ headers }: FastifyRequest): Language {
  return languageOfHeader(headers['accept-language'])
}

/** What the pages read in demo mode (`src/web/demo.ts`). */
function demoTags(demo: Demo | undefined): string[] {
  const tags: string[] = []
  if (demo) tags.push('<meta name="shelfmates-mode" content="demo" />')
  if (demo === 'public') tags.push(`<meta name="shelfmates-reset-ms" content="${DEMO_RESET_MS}" />`)
  return tags
}

/** Empty when the pages were built without a manifest. */
async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, '.vite', 'manifest.json')
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as Manifest) : {}
}

/** Preload tags for the files that these sources need and the page does not contain yet. */
function preloadsOf(manifest: Manifest, sources: string[], html: string): string[] {
  const files = new Set<string>()
  const add = (source: string) => {
    const entry = manifest[source]
    if (!entry || files.has(entry.file)) return
    files.add(entry.file)
    entry.imports?.forEach(add)
  }
  sources.forEach(add)
  return [...files]
    .filter((file) => !html.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`)
}

/**
 * Whether a request target, as a path or in the absolute form that proxies send, may be the URL of a page. Spellings
 * that browsers never send (`//`, `%2e`, `\\`) are not.
 */
function isPage(url: string, accept = ''): boolean {
  const path = unescape(url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!)
  return (
    /^(?!.*(?:\/\/|\\|\p{Cc}|\/\.))\//u.test(path) &&
    !/^\/(api|auth|media|assets|simulator)(\/|$)/i.test(path) &&
    (!/\.\w+$/.test(path) || accept.startsWith('text/html'))
  )
}

/** `index.html` or `offline.html`, where a line may break anywhere in a text. */
function htmlIn(source: string, texts: ServerTexts): string {
  const others = new Map(pairsOf(texts).map(([text, other]) => [text, escaped(other)]))
  // Longest first, because one may begin with another.
  const patterns = [...others.keys()].toSorted((a, b) => b.length - a.length).map(patternOf)
  return source
    .replace('lang="en"', `lang="${texts.language}"`)
    .replace(new RegExp(patterns.join('|'), 'g'), (found) => others.get(found.replace(/\s+/g, ' '))!)
}

function manifestIn(source: string, texts: ServerTexts): string {
  const others = new Map(pairsOf(texts))
  const manifest: unknown = JSON.parse(source, (name, value: unknown) =>
    name === 'lang' ? texts.language : (others.get(value as string) ?? value),
  )
  return JSON.stringify(manifest)
}

/** Each English text with the one that replaces it. */
function pairsOf({ pages }: ServerTexts): [string, string][] {
  return Object.entries(productTexts('en').pages).map(([key, text]) => [
    text,
    pages[key as keyof typeof pages],
  ])
}

function patternOf(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+')
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
