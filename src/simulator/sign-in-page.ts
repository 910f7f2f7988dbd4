/**
 * The sign-in page, on which the visitor picks a player. It works without JavaScript; its script filters the list while
 * typing and adds arrow-key navigation.
 * Requirements: DEMO-2.
 */
import { createHash } from 'node:crypto'
import { avatarHashOf, DEFAULT_AVATAR } from './pictures.ts'
import type { Population } from './population.ts'
import { escapeMarkup, html, type Reply } from './reply.ts'
import type { Player } from './world.ts'

/** Most players on the page; the search finds the others. */
const SHOWN_MAX = 300

type PageOptions = {
  population: Population
  /** The sign-in request, which the forms pass on; `q` is the search text. */
  query: URLSearchParams
  /** Name of the site that the visitor signs in to. */
  title: string
  /** Path of the simulator's pages, without a trailing slash. */
  base: string
  /** Where the form's response redirects to. */
  returnTo: string
}

/** The sign-in page for a valid sign-in request. */
export function signInPage({ population, query, title, base, returnTo }: PageOptions): Reply {
  const search = query.get('q')?.trim() ?? ''
  const { players, offered = [] } = population.world
  const found = players.filter((player) => matches(player, search))
  const carried = [...query]
    .filter(([name]) => name.startsWith('openid.'))
    .map(
      ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
    )
    .join('')
  const list = found.slice(0, SHOWN_MAX).map((player) => entry(player, population, base))
  const first = search ? [] : offered
  const offers = first.map(({ steamid, line }) => entry(population.player(steamid)!, population, base, line))
  const more =
    found.length > SHOWN_MAX
      ? `<p class="note">${SHOWN_MAX} of ${found.length} players are shown. Search and press Enter to find others.</p>`
      : ''
  const page = html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${base}/pictures/avatars/${DEFAULT_AVATAR}.svg">
<title>Simulator: pick a player to sign in as</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="mark">Simulator</p>
<h1>Simulator: pick a player to sign in as</h1>
<p>You are signing in to <strong>${escapeMarkup(title)}</strong>. These players are invented, and there is no password.</p>
</header>
<form class="search" action="${base}/openid/login" method="get" role="search">
${carried}<label for="q">Search players</label>
<input id="q" name="q" type="search" value="${escapeMarkup(search)}" autocomplete="off" autofocus placeholder="Name or steam id">
</form>
<form action="${base}/openid/login/as" method="post">
${carried}${offers.length > 0 ? `<section id="offered"><h2>Start as one of these</h2>\n<ul>${offers.join('\n')}</ul>\n<h2>Everyone</h2></section>\n` : ''}<p class="note" id="count" role="status">${playerCount(found.length)}</p>
<ul id="players">${list.join('\n')}</ul>
${more}<p class="cancel"><button name="cancel" value="1">Cancel</button></p>
</form>
</main>
<script>${SCRIPT}</script>
</body>
</html>`)
  return {
    ...page,
    headers: {
      ...page.headers,
      'cache-control': 'no-store',
      // Hashes, because in demo mode the page is of the same origin as the product. Browsers apply form-action to the
      // redirect back to the relying party too.
      'content-security-policy': [
        "default-src 'none'",
        "img-src 'self'",
        `style-src ${hashOf(STYLE)}`,
        `script-src ${hashOf(SCRIPT)}`,
        `form-action 'self' ${new URL(returnTo).origin}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
      // With no-referrer browsers would send the form with `Origin: null`.
      'referrer-policy': 'same-origin',
    },
  }
}

function matches({ personaname, steamid }: Player, search: string): boolean {
  return personaname.toLowerCase().includes(search.toLowerCase()) || steamid.includes(search)
}

function playerCount(players: number): string {
  return players === 1 ? '1 player' : `${players} players`
}

/** A source of a content security policy: the hash of the only inline text that it allows. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** @param line what one sees as the player; by default what their profile says */
function entry(
  player: Player,
  population: Population,
  base: string,
  line = profileLine(player, population),
): string {
  const presence = player.personastate > 0 ? ' class="present"' : ''
  return (
    `<li><button name="steamid" value="${player.steamid}">` +
    `<img src="${base}/pictures/avatars/${avatarHashOf(player)}_medium.svg" alt="" width="48" height="48" loading="lazy"${presence}>` +
    `<span><b dir="auto">${escapeMarkup(player.personaname)}</b><small>${escapeMarkup(line)}</small></span></button></li>`
  )
}

function profileLine(player: Player, population: Population): string {
  const playing = player.playing === undefined ? undefined : population.app(player.playing)?.name
  return [
    `${player.games.length} ${player.games.length === 1 ? 'game' : 'games'}`,
    `${player.friends.length} ${player.friends.length === 1 ? 'friend' : 'friends'}`,
    ...(player.gamesPrivate ? ['private games'] : []),
    ...(player.friendsPrivate || player.profilePrivate ? ['private friends'] : []),
    ...(playing ? [`plays ${playing}`] : []),
  ].join(' · ')
}

const STYLE = `
:root{color-scheme:dark;--line:#27324d;--card:#151d33;--mint:#6ee7c4}
*{box-sizing:border-box}
body{margin:0;background:#0a0f22 radial-gradient(60rem 40rem at 80% -10%,#1f2a5c,transparent) no-repeat;color:#e8edff;font:16px/1.5 system-ui,'Segoe UI',sans-serif}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem 6rem}
.mark{display:inline-block;margin:0;padding:.1rem .7rem;border-radius:1rem;background:#3b2f10;color:#ffd479;font-size:.85rem;font-weight:600}
h1{margin:.6rem 0 .2rem;font-size:clamp(1.4rem,4.5vw,2.1rem);line-height:1.2}
header p{margin:.2rem 0;color:#b6c0dd;overflow-wrap:anywhere}
.search{position:sticky;top:0;z-index:1;padding:1rem 0 .5rem;background:linear-gradient(#0d1329 80%,transparent)}
.search label{display:block;margin-bottom:.3rem;font-weight:600}
.search input{width:100%;height:3rem;padding:0 1rem;border:1px solid #4a5880;border-radius:.8rem;background:#0d1429;color:inherit;font:inherit}
.note{margin:.2rem 0 .8rem;color:#b6c0dd;font-size:.9rem}
h2{margin:1.4rem 0 .6rem;font-size:1.1rem}
#offered button{border-color:#5b4a1d;background:linear-gradient(90deg,#3b2f1066,var(--card))}
#offered button:hover{border-color:#ffd479}
#offered small{white-space:normal}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:.6rem;margin:0;padding:0;list-style:none}
#offered ul{grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr))}
li[hidden],section[hidden]{display:none}
button{font:inherit;color:inherit;cursor:pointer}
li button{display:flex;gap:.8rem;align-items:center;width:100%;min-height:4.4rem;padding:.7rem;border:1px solid var(--line);border-radius:.9rem;background:var(--card);text-align:start}
li button:hover{border-color:var(--mint);background:#1a2440}
:focus-visible{outline:3px solid var(--mint);outline-offset:2px}
img{flex:none;border-radius:50%;border:3px solid #46506c;background:#222c47}
img.present{border-color:var(--mint)}
li span{min-width:0;overflow:hidden}
li b{display:block;max-height:1.5em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
small{display:block;color:#b6c0dd;font-size:.85rem}
.cancel{position:fixed;inset:auto 0 0;margin:0;padding:.8rem 1rem;background:#0a0f22ee;border-top:1px solid var(--line);text-align:center}
.cancel button{min-width:12rem;min-height:2.8rem;border:1px solid #4a5880;border-radius:.8rem;background:none}
.cancel button:hover{background:#1a2440}
`

const SCRIPT = `
const search = document.getElementById('q')
const offered = document.getElementById('offered')
const items = [...document.querySelectorAll('#players li')]
const count = document.getElementById('count')
const texts = items.map((item) => (item.querySelector('b').textContent + ' ' + item.firstChild.value).toLowerCase())
const shown = () => items.filter((item) => !item.hidden)
search.addEventListener('input', () => {
  const wanted = search.value.trim().toLowerCase()
  items.forEach((item, nth) => { item.hidden = !texts[nth].includes(wanted) })
  if (offered) offered.hidden = wanted !== ''
  const found = shown().length
  count.textContent = found === 1 ? '1 player' : found + ' players'
})
document.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const buttons = [search, ...shown().map((item) => item.firstChild)]
  const at = buttons.indexOf(document.activeElement)
  if (at === -1) return
  event.preventDefault()
  buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)].focus()
})
`
