/** Serves the built pages: immutable assets, and index.html for every address that is a page. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const A_YEAR_SECONDS = 31_536_000
const MODE_META = '<meta name="shelfmates-mode" content="demo" />'

/**
 * Serves `folder` (the output of the build). Paths that are no page of ours, `/api`, `/auth`, `/media`, `/assets`
 * and names with a dot are never answered with HTML.
 */
export async function servePages(app: FastifyInstance, folder: string, demo: boolean): Promise<void> {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const index = demo ? html.replace('</head>', `${MODE_META}</head>`) : html

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

  app.setNotFoundHandler((request, reply) => {
    if (!/^(GET|HEAD)$/.test(request.method) || !isPage(request.url)) throw new AppError('not_found')
    return reply
      .code(200)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(index)
  })
}

/**
 * Whether an address, whole as proxies write it or only its path, may be one of a page; spellings that only programs
 * use (`//`, `%2e`, `\\`) are none.
 */
function isPage(url: string): boolean {
  const path = decoded(url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)[0]!)
  return (
    path !== undefined &&
    /^(?!.*(?:\/\/|\\|\p{Cc}|\/\.))\//u.test(path) &&
    !/^\/(api|auth|media|assets)(\/|$)/i.test(path) &&
    !/\.\w+$/.test(path)
  )
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
