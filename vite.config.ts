import { Resvg } from '@resvg/resvg-js'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, defineConfig, type Plugin } from 'vite'
import project from './package.json' with { type: 'json' }
import { texts } from './src/locales/vite-plugin.ts'

/** `npm run dev` starts the server beside Vite and says on which port. */
const server = `http://127.0.0.1:${process.env.SERVER_PORT ?? '3001'}`

/**
 * The Latin typeface is loaded beside the scripts. One that comes late all the same must not move the text (LOOK-4): the page
 * keeps the system's, and has it at the next visit.
 */
const typeface: Plugin = {
  name: 'typeface',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('@fontsource') ? code.replaceAll('font-display: swap', 'font-display: optional') : undefined,
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const file = Object.keys(bundle ?? {}).find((name) => LATIN.test(name))
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` }
      return file === undefined ? [] : [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
}
const LATIN = /latin-wght-normal-.*\.woff2$/

/** Oldest browsers, for their syntax (scripts/oldest-browsers.mjs). */
const target = project.browserslist.map((oldest) => oldest.replace(' >= ', ''))

const source = (name: string) => join(import.meta.dirname, 'src/web', name)

/**
 * The service worker, one file that knows the files of this version, and its offline page, which has their style and no code of
 * the pages. Beside the build, because neither may share a file with it.
 */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  // After the style has been written.
  enforce: 'post',
  async generateBundle(_options, bundle) {
    // Of the typefaces the Latin one, which every page needs.
    const files = Object.keys(bundle)
      .filter((name) => /^assets\/.*(\.js|\.css|latin-wght-normal-.*\.woff2)$/.test(name))
      .map((name) => `/${name}`)
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      define: { __FILES__: JSON.stringify(files) },
      build: {
        write: false,
        copyPublicDir: false,
        target,
        rolldownOptions: { input: source('sw.ts'), output: { format: 'iife' } },
      },
    })
    const [worker] = (built as { output: { code: string }[] }).output
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker!.code })
    const style = files.find((name) => name.endsWith('.css'))!
    const page = readFileSync(source('offline.html'), 'utf8').replace('./styles.css', style)
    this.emitFile({ type: 'asset', fileName: 'offline.html', source: page })
  },
}

/** The app's icons, the badge of its notifications and the picture of its links, all of the logo (LOOK-8, INST-1, NIGHT-120). */
const icons: Plugin = {
  name: 'icons',
  apply: 'build',
  generateBundle() {
    const logo = readFileSync(source('public/logo.svg'), 'utf8')
    const parts = /^(<svg[^>]*>)(.*<rect[^>]*url\(#night\)[^>]*>)(.*)<\/svg>/s.exec(logo)
    if (!parts) throw new Error('logo.svg has no background by the name "night"')
    const [, svg, background, shelf] = parts as unknown as [string, string, string, string]
    const square = background.replace(/ rx="[^"]*"/, '')
    // Systems cut masks out of it: the middle four fifths stay.
    const maskable = `${svg}${square}<g transform="translate(8 8.5) scale(.75)">${shelf}</g></svg>`
    // Android takes the shape alone.
    const badge = `${svg.replace(/viewBox="[^"]*"/, 'viewBox="8 8 48 48"')}${shelf.replace(/#[0-9a-f]{6}/g, '#fff')}</svg>`
    const emit = (fileName: string, content: string | Uint8Array) =>
      this.emitFile({ type: 'asset', fileName, source: content })
    const draw = (image: string, width: number) =>
      new Resvg(image, { fitTo: { mode: 'width', value: width } }).render().asPng()
    emit('icon-180.png', draw(`${svg}${square}${shelf}</svg>`, 180))
    for (const width of [192, 512]) emit(`icon-${width}.png`, draw(logo, width))
    emit('icon-maskable.svg', maskable)
    emit('icon-maskable-512.png', draw(maskable, 512))
    emit('badge-96.png', draw(badge, 96))
    const preview = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="#080c18"/>${svg.replace('<svg', '<svg x="440" y="155" width="320" height="320"')}${background}${shelf}</svg></svg>`
    emit('preview.png', draw(preview, 1200))
  },
}

/**
 * What screens share, without what is large and few of them need, and without what formats texts: catalogues load before it.
 */
const SHARED =
  /src\/(web\/(ui|data|layout)|shared)\/(?!.*(game-(?!art)|people-|friend-picker|private-help|find\/|data\/games|hide-game|virtual-grid|query-string|feature-badge|changes|night-series|push|nights\/[dm]|invite|night-start\/(tell|start-time)|copy-text))|lucide-react/

const FIRST_SCREEN = source('screens/dashboard/dashboard-screen.tsx')

/** What the first screen imports at once. */
const neededFirst = new Set<string>()
function collectNeeded(
  id: string,
  modules: { getModuleInfo: (id: string) => { importedIds: string[] } | null },
) {
  if (neededFirst.has(id)) return
  neededFirst.add(id)
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) collectNeeded(imported, modules)
}

export default defineConfig({
  root: 'src/web',
  plugins: [
    react(),
    tailwindcss(),
    typeface,
    texts({
      folder: process.env.LOCALES,
      firstLoad: [source('main.tsx'), FIRST_SCREEN, source('screens/login/login-screen.tsx')],
    }),
    icons,
    serviceWorker,
  ],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The server reads there which files a screen needs.
    manifest: true,
    target,
    // The content security policy allows neither `data:` fonts nor inline scripts.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files: over HTTP/1.1 one more request costs a phone more than one more kilobyte. A screen loads 'start',
          // 'pieces', 'more-pieces' but for the dashboard, its own file, and 'game-lists' or 'people-picker' if it uses them.
          groups: [
            // What formats texts is not in 'start', which waits for its texts: each would wait for the other.
            { name: 'message', test: /src\/(locales\/message|shared\/names)/, priority: 5 },
            { name: 'start', tags: ['$initial'], priority: 4 },
            {
              // What the dashboard needs of it, so that the first load has nothing else.
              name: (id, modules) => {
                collectNeeded(FIRST_SCREEN, modules)
                return neededFirst.has(id) ? 'pieces' : null
              },
              test: SHARED,
              minShareCount: 2,
              priority: 3,
            },
            { name: 'more-pieces', test: SHARED, minShareCount: 2, priority: 2 },
            {
              name: 'game-lists',
              test: /ui\/(game-|feature-badge|hide-game|virtual-grid|query-string)|data\/games/,
              minShareCount: 2,
              priority: 1,
            },
            { name: 'people-picker', test: /ui\/(people-|friend-picker)/, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth', '/media', '/simulator'].map((path) => [path, { target: server, xfwd: true }]),
    ),
  },
})
