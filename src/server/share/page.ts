/** The page behind a shared link: HTML without scripts (NIGHT-76, LATELY-5). */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ServerTexts } from '../texts/texts.ts'

/** What a link shows, in any text. */
export type Card = {
  title: string
  /** Above the title, such as the name of a group. */
  above: string | null
  /** Up to four lines below the title, the most important one first. */
  lines: readonly string[]
  /** Lists below them, with the picture of a game or a bar in each row. */
  figures?: readonly { title: string; rows: readonly Row[] }[]
  /** At the end. */
  note?: string
}
type Row = { name: string; amount: string } & ({ share: number } | { picture: string | null })

/** Where the pages load their font from. */
export const FONT_PATH = '/share/inter.woff2'

let font: Buffer | undefined
/** The product's font as the pages load it. */
export function readPageFont(): Buffer {
  const file = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
  return (font ??= readFileSync(createRequire(import.meta.url).resolve(file)))
}

/** The product's colours by day and by night (src/web/styles.css). */
const day = { ground: '#f1f4fc', ink: '#131936', soft: '#434d72', mint: '#035f4a', amber: '#7a4e00' } as const
const night = {
  ground: '#080c18',
  ink: '#eef1fb',
  soft: '#b3bcd8',
  mint: '#6ee7c4',
  amber: '#ffcf7a',
} as const
const colour = (name: keyof typeof day) => `light-dark(${day[name]},${night[name]})`
const alpha = (opacity: number) =>
  Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')
const blobs = [
  { colour: '#2bb5a6', opacity: 0.38, x: 0.08, y: 0 },
  { colour: '#5b45c9', opacity: 0.5, x: 0.95, y: 0.1 },
  { colour: '#5aa9ff', opacity: 0.26, x: 0.1, y: 1.05 },
  { colour: '#b3365a', opacity: 0.34, x: 0.9, y: 1 },
].map(
  ({ colour, opacity, x, y }) =>
    `radial-gradient(circle at ${x * 100}% ${y * 100}%,light-dark(${colour}${alpha(opacity / 2)},${colour}${alpha(opacity)}),transparent 60%)`,
)
const STYLE = `@font-face{font-family:Inter;src:url(${FONT_PATH}) format("woff2");font-weight:100 900}
*{box-sizing:border-box}
html{color-scheme:light dark;min-height:100%;background:${blobs.join()},${colour('ground')};font-size:clamp(16px,.7vw + 8px,28px)}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;color:${colour('ink')};font:1.125rem/1.5 Inter,system-ui,sans-serif;overflow-wrap:anywhere}
header,main{width:100%;max-width:80rem;margin:0 auto;padding:1.25rem clamp(1.25rem,5vw,4rem)}
header a{display:inline-flex;align-items:center;gap:.75rem;min-height:2.75rem;color:inherit;font-weight:700;font-size:1.375rem;text-decoration:none}
header svg{width:2.5rem;height:2.5rem}
[role=note]{margin:0 0 1rem;color:${colour('amber')};font-size:1rem}
main{flex:1;display:flex;flex-direction:column;justify-content:center;gap:2rem;padding-block:1.5rem clamp(2rem,8vh,6rem)}
p{margin:.25rem 0;font-size:1.25rem;color:${colour('soft')}}
.above{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:${colour('mint')};font-weight:600}
h1{margin:.25rem 0 .75rem;font-size:clamp(2.5rem,1.5rem + 4vw,4.5rem);line-height:1.05;letter-spacing:-.02em;text-wrap:balance}
.first{color:${colour('ink')};font-weight:600;font-size:1.5rem}
.button{display:inline-block;margin-top:2rem;padding:.9rem 1.75rem;border-radius:.75rem;background:${colour('mint')};color:${colour('ground')};font-weight:700;text-align:center;text-decoration:none}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:2rem clamp(2rem,6vw,5rem)}
h2{margin:0 0 1rem;font-size:1.375rem}
ol{margin:0;padding:0;list-style:none;display:grid;gap:.5rem}
li{display:grid;grid-template-columns:7rem 1fr auto;gap:1rem;align-items:center;min-height:1.75rem}
li b{text-align:right;color:${colour('soft')};font-size:1rem;font-weight:500;font-variant-numeric:tabular-nums}
li:has(svg){grid-template-columns:7rem 1fr 6.5rem}
li svg{width:100%;height:.75rem;border-radius:.375rem;fill:${colour('mint')}}
.cover{aspect-ratio:460/215;overflow:hidden;border-radius:.375rem;background:light-dark(${day.soft}33,${night.soft}33)}
/* Without a height browsers draw nothing where a picture is missing. */
.cover img{display:block;width:100%}
.note{max-width:60ch;font-size:1rem}
.button:hover{background:light-dark(#034638,#9af3da)}
a:focus-visible{outline:3px solid ${colour('mint')};outline-offset:3px}
@media (max-width:40rem){.button{display:block}}`

const styleHash = hash('sha256', STYLE, 'base64')
export const shareUrl = (publicUrl: string, token: string) => `${publicUrl}/share/${token}`

/** Headers of a page: nothing runs, and nothing is loaded but the font and the pictures of these origins. */
export const sharePageHeaders = (pictures: readonly string[]) => ({
  'content-security-policy': `default-src 'none'; font-src 'self'; style-src 'sha256-${styleHash}'; img-src ${pictures.join(' ') || "'none'"}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
})

export function pictureOrigins({ figures = [] }: Card): string[] {
  const rows = figures.flatMap((figure) => figure.rows)
  const pictures = rows.flatMap((row) => ('picture' in row && row.picture) || [])
  return [...new Set(pictures.map((url) => new URL(url).origin))]
}

const LOGO =
  '<linearGradient id="night" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#1b2450"/>' +
  '<stop offset="1" stop-color="#0a0f22"/></linearGradient><rect width="64" height="64" rx="15" fill="url(#night)"/>' +
  '<rect x="11" y="17" width="9" height="27" rx="2.5" fill="#6ee7c4"/>' +
  '<rect x="22.5" y="12" width="9" height="32" rx="2.5" fill="#8b7cf6"/>' +
  '<rect x="-4.5" y="-28" width="9" height="28" rx="2.5" fill="#5aa9ff" transform="translate(40.6 44) rotate(16)"/>' +
  '<rect x="9" y="46.5" width="46" height="4.5" rx="2.25" fill="#e8edff"/>'

/** The address of a link, and of the picture that is shown with it. */
type Link = { url: string; image: string }

/** What programs that show previews of links read: Open Graph tags. Addresses are absolute, because these programs need that. */
export function previewTags({ title, above, lines }: Card, { url, image }: Link): string {
  const details = [above, ...lines].filter((text) => text !== null).join(' · ')
  const tags = {
    'og:type': 'website',
    'og:site_name': 'Shelfmates',
    'og:title': title,
    'og:description': details,
    'og:url': url,
    'og:image': image,
    'og:image:alt': title,
  }
  return [
    ...Object.entries(tags).map(
      ([name, content]) => `<meta property="${name}" content="${escaped(content)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n')
}

/** What all pages need. `nextReset`: of a public demo, in milliseconds since 1970 (DEMO-13). */
type Place = { publicUrl: string; texts: ServerTexts; nextReset: number | undefined }

export function sharePage(card: Card, link: Link, place: Place): string {
  const { title, above, lines, figures = [], note } = card
  const [first, ...others] = lines.map(escaped)
  return page({
    ...place,
    title,
    meta: previewTags(card, link),
    body: `<main>
<div>
${above === null ? '' : `<p class="above">${escaped(above)}</p>\n`}<h1>${escaped(title)}</h1>
<p class="first">${first}</p>
${others.map((line) => `<p>${line}</p>`).join('\n')}
<a class="button" href="${escaped(place.publicUrl)}/">${escaped(place.texts.share.play)}</a>
</div>
${figures.length === 0 ? '' : `<div class="figures">\n${figures.map(figureHtml).join('\n')}\n</div>`}
${note === undefined ? '' : `<p class="note">${escaped(note)}</p>`}
</main>`,
  })
}

function figureHtml({ title, rows }: { title: string; rows: readonly Row[] }): string {
  const items = rows.map((row) => {
    const name = `<span>${escaped(row.name)}</span>`
    const picture = (url: string | null) =>
      `<span class="cover">${url === null ? '' : `<img src="${escaped(url)}" alt="" loading="lazy">`}</span>`
    const bar = (share: number) =>
      `<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(share * 100)}" height="1"/></svg>`
    const parts = 'picture' in row ? picture(row.picture) + name : name + bar(row.share)
    return `<li>${parts}<b>${escaped(row.amount)}</b></li>`
  })
  return `<section><h2>${escaped(title)}</h2>\n<ol>${items.join('\n')}</ol></section>`
}

/** The page for links that are unknown or switched off, which are all the same. */
export function noSharePage(place: Place): string {
  const { goneTitle, gone, askForNew } = place.texts.share
  return page({
    ...place,
    title: goneTitle,
    body: `<main><div>\n<h1>${escaped(gone)}</h1>\n<p>${escaped(askForNew)}</p>\n</div></main>`,
  })
}

function demoNote({ texts: { share }, nextReset }: Place): string {
  if (nextReset === undefined) return ''
  const time = new Date(nextReset).toISOString()
  // The catalogue's own words, which are no markup.
  const reset = share.nextReset({ time: `<time datetime="${time}">${time.slice(11, 16)} UTC</time>` })
  return `<p role="note">${escaped(share.demo)}\n${reset}</p>\n`
}

type Page = Place & {
  title: string
  body: string
  meta?: string
}

function page({ title, body, meta = '', ...place }: Page): string {
  const { publicUrl, texts } = place
  return `<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="${day.ground}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${night.ground}" media="(prefers-color-scheme: dark)">
<title>${escaped(title)} · Shelfmates</title>
${meta}
<style>${STYLE}</style>
</head>
<body>
<header>${demoNote(place)}<a href="${escaped(publicUrl)}/"><svg viewBox="0 0 64 64" aria-hidden="true">${LOGO}</svg>Shelfmates</a></header>
${body}
</body>
</html>
`
}

/** Any text as content or attribute of XML and HTML. */
function escaped(any: string): string {
  return any
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\p{Cc}/gu, ' ')
}
