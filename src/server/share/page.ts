/** The page behind a shared link: HTML without scripts (NIGHT-76). */
import { hash } from 'node:crypto'
import { CARD_HEIGHT, CARD_WIDTH } from './card.ts'
import type { SharedPick } from './pictures.ts'

const STYLE =
  'body{margin:0;background:#080c18;color:#eef1fb;font:1.125rem/1.5 system-ui,sans-serif}' +
  'main{max-width:60rem;margin:0 auto;padding:1.5rem}img{width:100%;height:auto;border-radius:1.25rem}' +
  'h1{margin:1rem 0 0;line-height:1.2;overflow-wrap:anywhere}p{margin:.5rem 0;color:#b3bcd8;overflow-wrap:anywhere}' +
  'a{color:#6ee7c4}[role=note]{margin:0 0 1rem;padding:.5rem 1rem;border:1px solid;border-radius:.75rem;color:#ffd479}'

/** Headers of the pages: nothing runs, and nothing is loaded but the picture. */
export const sharePageHeaders = {
  'content-security-policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/**
 * The page of a shared pick; addresses are absolute, because programs that show previews need that.
 * @param nextReset of a public demo, in milliseconds since 1970 (DEMO-13)
 */
export function sharePage(
  pick: SharedPick,
  { publicUrl, url, imageUrl }: { publicUrl: string; url: string; imageUrl: string },
  nextReset: number | undefined,
): string {
  const details = [pick.group, pick.date, pick.players].filter((text) => text !== null).join(' · ')
  const tags = {
    'og:type': 'website',
    'og:site_name': 'Shelfmates',
    'og:title': pick.game,
    'og:description': details,
    'og:url': url,
    'og:image': imageUrl,
    'og:image:type': 'image/png',
    'og:image:width': String(CARD_WIDTH),
    'og:image:height': String(CARD_HEIGHT),
    'og:image:alt': `${pick.game} · ${details}`,
  }
  const meta = Object.entries(tags).map(
    ([name, content]) => `<meta property="${name}" content="${escaped(content)}">`,
  )
  return page(
    pick.game,
    `${demoNote(nextReset)}<img src="${escaped(pathOf(imageUrl))}" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" alt="">
<h1>${escaped(pick.game)}</h1>
<p>${escaped(details)}</p>
<p>Picked with <a href="${escaped(publicUrl)}/">Shelfmates</a></p>`,
    [...meta, '<meta name="twitter:card" content="summary_large_image">'].join('\n'),
  )
}

/** The page for links that are unknown or switched off, which are all the same; `nextReset` as for {@link sharePage}. */
export function noSharePage(nextReset: number | undefined): string {
  return page(
    'Not found',
    `${demoNote(nextReset)}<h1>This link is no longer valid</h1>\n<p>Ask for a new one.</p>`,
  )
}

function demoNote(nextReset: number | undefined): string {
  if (nextReset === undefined) return ''
  const time = new Date(nextReset).toISOString()
  return `<p role="note">This is a public demo: strangers wrote what you see here, and all of it is deleted regularly.
Next reset at <time datetime="${time}">${time.slice(11, 16)} UTC</time>.</p>\n`
}

function page(title: string, body: string, meta = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} · Shelfmates</title>
${meta}
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

/** Of this server, by whatever address the page was opened. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\p{Cc}/gu, ' ')
}
