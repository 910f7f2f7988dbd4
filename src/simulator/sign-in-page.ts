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
  language: Language
}

type Language = keyof typeof texts

/** The language of the page, of an `Accept-Language` header. */
export function languageOfPage(header: string | undefined): Language {
  const wanted = header?.split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return wanted?.find((tag) => tag in texts) === 'de' ? 'de' : 'en'
}

/** The sign-in page for a valid sign-in request. */
export function signInPage({ population, query, title, base, returnTo, language }: PageOptions): Reply {
  const words = texts[language]
  const search = query.get('q')?.trim() ?? ''
  const { players, offered = [] } = population.world
  const found = players.filter((player) => matches(player, search))
  const carried = [...query]
    .filter(([name]) => name.startsWith('openid.'))
    .map(
      ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
    )
    .join('')
  const list = found.slice(0, SHOWN_MAX).map((player) => entry(player, population, base, language))
  const first = search ? [] : offered
  const offers = first.map(({ steamid, line }) =>
    entry(population.player(steamid)!, population, base, language, line[language]),
  )
  const more = found.length > SHOWN_MAX ? `<p class="note">${words.more(found.length)}</p>` : ''
  const page = html(`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${base}/pictures/avatars/${DEFAULT_AVATAR}.svg">
<title>${words.heading}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="mark">Simulator</p>
<h1>${words.heading}</h1>
<p>${words.intro(`<strong>${escapeMarkup(title)}</strong>`)}</p>
</header>
<form class="search" action="${base}/openid/login" method="get" role="search">
${carried}<label for="q">${words.search}</label>
<input id="q" name="q" type="search" value="${escapeMarkup(search)}" autocomplete="off" autofocus placeholder="${words.searchHint}">
</form>
<form action="${base}/openid/login/as" method="post">
${carried}${offers.length > 0 ? `<section id="offered"><h2>${words.offered}</h2>\n<ul>${offers.join('\n')}</ul>\n<h2>${words.everyone}</h2></section>\n` : ''}<p class="note" id="count" role="status" data-one="${words.players(1)}" data-other="${words.players(0).replace('0', '#')}">${words.players(found.length)}</p>
<ul id="players">${list.join('\n')}</ul>
${more}<p class="cancel"><button name="cancel" value="1">${words.cancel}</button></p>
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

/** A source of a content security policy: the hash of the only inline text that it allows. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** @param line what one sees as the player; by default what their profile says */
function entry(
  player: Player,
  population: Population,
  base: string,
  language: Language,
  line = profileLine(player, population, language),
): string {
  const presence = player.personastate > 0 ? ' class="present"' : ''
  return (
    `<li><button name="steamid" value="${player.steamid}">` +
    `<img src="${base}/pictures/avatars/${avatarHashOf(player)}_medium.svg" alt="" width="48" height="48" loading="lazy"${presence}>` +
    `<span><b dir="auto">${escapeMarkup(player.personaname)}</b><small>${escapeMarkup(line)}</small></span></button></li>`
  )
}

function profileLine(player: Player, population: Population, language: Language): string {
  const words = texts[language]
  const playing = player.playing === undefined ? undefined : population.app(player.playing)?.name
  return [
    words.games(player.games.length),
    words.friends(player.friends.length),
    ...(player.gamesPrivate ? [words.privateGames] : []),
    ...(player.friendsPrivate || player.profilePrivate ? [words.privateFriends] : []),
    ...(playing ? [words.playing(playing)] : []),
  ].join(' · ')
}

const counted = (one: string, other: string) => (count: number) => `${count} ${count === 1 ? one : other}`

/** Texts of its own, as everything here: the simulator shares nothing with the product. */
const texts = {
  en: {
    heading: 'Simulator: pick a player to sign in as',
    intro: (site: string) =>
      `You are signing in to ${site}. These players are invented, and there is no password.`,
    search: 'Search players',
    searchHint: 'Name or steam id',
    offered: 'Start as one of these',
    everyone: 'Everyone',
    cancel: 'Cancel',
    more: (found: number) =>
      `${SHOWN_MAX} of ${found} players are shown. Search and press Enter to find others.`,
    players: counted('player', 'players'),
    games: counted('game', 'games'),
    friends: counted('friend', 'friends'),
    privateGames: 'private games',
    privateFriends: 'private friends',
    playing: (game: string) => `plays ${game}`,
  },
  de: {
    heading: 'Simulator: Als wen möchtest du dich anmelden?',
    intro: (site: string) =>
      `Du meldest dich bei ${site} an. Diese Spieler sind erfunden, ein Passwort gibt es nicht.`,
    search: 'Spieler suchen',
    searchHint: 'Name oder Steam-ID',
    offered: 'Fang mit einem von diesen an',
    everyone: 'Alle',
    cancel: 'Abbrechen',
    more: (found: number) =>
      `${SHOWN_MAX} von ${found} Spielern werden gezeigt. Die anderen findest du mit der Suche und der Eingabetaste.`,
    players: counted('Spieler', 'Spieler'),
    games: counted('Spiel', 'Spiele'),
    friends: counted('Freund', 'Freunde'),
    privateGames: 'Spiele privat',
    privateFriends: 'Freunde privat',
    playing: (game: string) => `spielt ${game}`,
  },
}

const STYLE = `
:root{color-scheme:dark;--text:#e8edff;--soft:#b6c0dd;--back:#0a0f22;--glow:#1f2a5c;--line:#27324d;--edge:#4a5880;--card:#151d33;--hover:#1a2440;--field:#0d1429;--mint:#6ee7c4;--mark:#3b2f10;--gold:#ffd479}
@media (prefers-color-scheme:light){:root{color-scheme:light;--text:#141b33;--soft:#4a5472;--back:#f5f7fd;--glow:#dbe4ff;--line:#d5dcee;--edge:#75809f;--card:#fff;--hover:#eaf0ff;--field:#fff;--mint:#0b7a5b;--mark:#ffe9b8;--gold:#6b4a00}}
*{box-sizing:border-box}
body{margin:0;background:var(--back) radial-gradient(60rem 40rem at 80% -10%,var(--glow),transparent) no-repeat;color:var(--text);font:16px/1.5 system-ui,'Segoe UI',sans-serif}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem 6rem}
.mark{display:inline-block;margin:0;padding:.1rem .7rem;border-radius:1rem;background:var(--mark);color:var(--gold);font-size:.85rem;font-weight:600}
h1{margin:.6rem 0 .2rem;font-size:clamp(1.4rem,4.5vw,2.1rem);line-height:1.2}
header p{margin:.2rem 0;color:var(--soft);overflow-wrap:anywhere}
.search{position:sticky;top:0;z-index:1;padding:1rem 0 .5rem;background:linear-gradient(var(--back) 80%,transparent)}
.search label{display:block;margin-bottom:.3rem;font-weight:600}
.search input{width:100%;height:3rem;padding:0 1rem;border:1px solid var(--edge);border-radius:.8rem;background:var(--field);color:inherit;font:inherit}
.note{margin:.2rem 0 .8rem;color:var(--soft);font-size:.9rem}
h2{margin:1.4rem 0 .6rem;font-size:1.1rem}
#offered button{border-color:var(--gold);background:linear-gradient(90deg,color-mix(in srgb,var(--mark) 40%,var(--card)),var(--card))}
#offered button:hover{background:var(--hover)}
#offered small{white-space:normal}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:.6rem;margin:0;padding:0;list-style:none}
#offered ul{grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr))}
li[hidden],section[hidden]{display:none}
button{font:inherit;color:inherit;cursor:pointer}
li button{display:flex;gap:.8rem;align-items:center;width:100%;min-height:4.4rem;padding:.7rem;border:1px solid var(--line);border-radius:.9rem;background:var(--card);text-align:start}
li button:hover{border-color:var(--mint);background:var(--hover)}
:focus-visible{outline:3px solid var(--mint);outline-offset:2px}
img{flex:none;border-radius:50%;border:3px solid var(--edge);background:var(--line)}
img.present{border-color:var(--mint)}
li span{min-width:0;overflow:hidden}
li b{display:block;max-height:1.5em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
small{display:block;color:var(--soft);font-size:.85rem}
.cancel{position:fixed;inset:auto 0 0;margin:0;padding:.8rem 1rem;background:var(--back);border-top:1px solid var(--line);text-align:center}
.cancel button{min-width:12rem;min-height:2.8rem;border:1px solid var(--edge);border-radius:.8rem;background:none}
.cancel button:hover{background:var(--hover)}
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
  count.textContent = found === 1 ? count.dataset.one : count.dataset.other.replace('#', found)
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
