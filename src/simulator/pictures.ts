/**
 * Pictures that the simulator draws as SVG, the same in every run:
 *
 * - `/pictures/avatars/<hash>.svg`, `_medium.svg`, `_full.svg`: the avatars in GetPlayerSummaries
 * - `/pictures/apps/<appid>/header.svg` and `/pictures/apps/<appid>/icon/<icon hash>`: in place of the pictures on
 * Steam's hosts (PLAT-33). No response contains these URLs; clients derive them from the origin.
 */
import { createHash } from 'node:crypto'
import type { Population } from './population.ts'
import { errorPage, escapeMarkup, type Reply } from './reply.ts'
import type { App, Player } from './world.ts'

/** The avatar of players without one of their own. */
export const DEFAULT_AVATAR = 'fef49e7fa7e1997310d705b2a6158ff8dc1cdfeb'
/** Headers of apps from this appid on are in a folder named by a hash. */
const FIRST_NEWER_APPID = 3_000_000

/** Hash of a player's avatar, 40 hex digits: their own, or derived from the steam id. */
export function avatarHashOf({ avatar, steamid }: Player): string {
  return avatar === undefined ? digest(`avatar ${steamid}`) : avatar || DEFAULT_AVATAR
}

/** File name of an app's header in GetItems; for newer apps with a folder named by a hash. */
export function headerFileName(appid: number): string {
  return appid < FIRST_NEWER_APPID ? 'header.jpg' : `${digest(`header ${appid}`)}/header.jpg`
}

/** The picture at a path; undefined when it is not the path of a picture. */
export function pictureReply(path: string, population: Population): Reply | undefined {
  const avatar = /^\/pictures\/avatars\/([0-9a-f]{40})(?:_medium|_full)?\.svg$/.exec(path)
  if (avatar) return svg(avatarSvg(avatar[1]!))
  const [, appid = '', file, iconHash] =
    /^\/pictures\/apps\/(\d{1,10})\/(header\.svg|icon\/([\w-]+))$/.exec(path) ?? []
  if (file === undefined) return undefined
  const app = population.app(Number(appid))
  if (!app || (iconHash !== undefined && iconHash !== app.iconHash))
    return errorPage(404, 'There is no such picture.')
  return svg(iconHash === undefined ? headerSvg(app) : iconSvg(app))
}

function svg(body: string): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    },
    body,
  }
}

function digest(seed: string): string {
  return createHash('sha1').update(seed).digest('hex')
}

/** An endless sequence of pseudo-random bytes from a seed. */
function bytesOf(seed: string): () => number {
  const bytes = createHash('sha512').update(seed).digest()
  let next = 0
  return () => bytes[next++ % bytes.length]!
}

/** A face in two colours; a question mark for the default avatar. */
function avatarSvg(hash: string): string {
  if (hash === DEFAULT_AVATAR)
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#3a4256"/><text x="32" y="45" font-family="sans-serif" font-size="38" font-weight="700" text-anchor="middle" fill="#9aa6bf">?</text></svg>`
  const byte = bytesOf(hash)
  const hue = (byte() * 360) / 256
  const skin = `hsl(${Math.round(hue + 150 + (byte() % 60))} 72% ${66 + (byte() % 12)}%)`
  const head = [
    `<circle cx="32" cy="37" r="19" fill="${skin}"/>`,
    `<rect x="14" y="19" width="36" height="37" rx="13" fill="${skin}"/>`,
    `<path d="M32 15c13 0 19 11 19 23S43 57 32 57 13 50 13 38s6-23 19-23z" fill="${skin}"/>`,
    `<path d="M32 16 53 46a9 9 0 0 1-8 12H19a9 9 0 0 1-8-12z" fill="${skin}" stroke-linejoin="round"/>`,
  ][byte() % 4]!
  const ears = [
    `<path d="M17 26 15 9l15 9zM47 26l2-17-15 9z" fill="${skin}"/>`,
    `<circle cx="17" cy="20" r="7" fill="${skin}"/><circle cx="47" cy="20" r="7" fill="${skin}"/>`,
    `<path d="M31 18V7h2v11z" fill="${skin}"/><circle cx="32" cy="7" r="4" fill="#fff"/>`,
    '',
  ][byte() % 4]!
  const ink = '#141a2e'
  const eyes = [
    `<circle cx="25" cy="36" r="3.6" fill="${ink}"/><circle cx="39" cy="36" r="3.6" fill="${ink}"/><circle cx="26.2" cy="34.8" r="1.2" fill="#fff"/><circle cx="40.2" cy="34.8" r="1.2" fill="#fff"/>`,
    `<circle cx="32" cy="35" r="8" fill="#fff"/><circle cx="33" cy="36" r="4" fill="${ink}"/>`,
    `<rect x="17" y="31" width="30" height="9" rx="4.5" fill="${ink}"/><rect x="21" y="33.5" width="9" height="2" rx="1" fill="#fff" opacity=".7"/>`,
    `<path d="M21 37q4-5 8 0M35 37q4-5 8 0" stroke="${ink}" stroke-width="2.6" fill="none" stroke-linecap="round"/>`,
  ][byte() % 4]!
  const mouth = [
    `<path d="M27 46q5 5 10 0" stroke="${ink}" stroke-width="2.4" fill="none" stroke-linecap="round"/>`,
    `<path d="M28 47h8" stroke="${ink}" stroke-width="2.4" stroke-linecap="round"/>`,
    `<path d="M26 45h12q-1 6-6 6t-6-6z" fill="${ink}"/>`,
    `<circle cx="32" cy="47.5" r="2.4" fill="${ink}"/>`,
  ][byte() % 4]!
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${gradient(hue, byte() % 90)}<rect width="64" height="64" fill="url(#g)"/>${ears}${head}${eyes}${mouth}</svg>`
}

function iconSvg(app: App): string {
  const byte = bytesOf(`app ${app.appid}`)
  const hue = (byte() * 360) / 256
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${gradient(hue, byte() % 90)}<rect width="32" height="32" fill="url(#g)"/><text x="16" y="21.5" font-family="system-ui,sans-serif" font-size="15" font-weight="800" text-anchor="middle" fill="#fff">${escapeMarkup(initials(app.name))}</text></svg>`
}

/** A header in Steam's size, 460 by 215: a landscape that depends on the appid, with the title on it. */
function headerSvg(app: App): string {
  const byte = bytesOf(`app ${app.appid}`)
  const hue = (byte() * 360) / 256
  const angle = byte() % 90
  const accent = Math.round(hue + 40 + byte() / 3) % 360
  const lines = wrapped(app.name || `App ${app.appid}`)
  const size = Math.min(46, Math.floor(620 / Math.max(...lines.map((line) => [...line].length), 8)))
  const top = 118 - ((lines.length - 1) * size * 1.12) / 2
  const title = lines
    .map(
      (line, nth) =>
        `<tspan x="230" y="${Math.round(top + nth * size * 1.12)}">${escapeMarkup(line)}</tspan>`,
    )
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 215">${gradient(hue, angle)}` +
    `<rect width="460" height="215" fill="url(#g)"/>${scenery(byte, accent)}` +
    `<text font-family="system-ui,'Segoe UI',sans-serif" font-size="${size}" font-weight="800" text-anchor="middle" fill="#fff" stroke="#0b1020" stroke-opacity=".55" stroke-width="${(size / 7).toFixed(1)}" stroke-linejoin="round" paint-order="stroke">${title}</text></svg>`
  )
}

function scenery(byte: () => number, accent: number): string {
  const light = `hsl(${accent} 85% 68%)`
  const shapes = [
    () =>
      `<circle cx="${60 + byte() * 1.3}" cy="${30 + byte() / 4}" r="${26 + byte() / 6}" fill="${light}" opacity=".75"/>`,
    () =>
      Array.from(
        { length: 22 },
        () =>
          `<circle cx="${byte() * 1.8}" cy="${byte() * 0.84}" r="${(0.8 + byte() / 130).toFixed(1)}" fill="#fff" opacity=".8"/>`,
      ).join(''),
    () =>
      Array.from({ length: 5 }, (_, nth) => {
        const size = 40 + byte() / 3
        return `<rect x="${nth * 95 + byte() / 5}" y="${byte() / 2}" width="${size}" height="${size}" rx="10" fill="${light}" opacity=".28" transform="rotate(${byte() % 60} ${nth * 95} 90)"/>`
      }).join(''),
    () =>
      Array.from(
        { length: 6 },
        (_, nth) =>
          `<path d="M230 ${-20 + byte() / 9} L${nth * 92 - 40} 235 h46 z" fill="${light}" opacity=".2"/>`,
      ).join(''),
  ]
  const hills = (height: number, opacity: number) =>
    `<path d="M0 215V${height + byte() / 9}Q${90 + byte() / 4} ${height - 50 + byte() / 5} 230 ${height + byte() / 12}T460 ${height - 10 + byte() / 8}V215z" fill="#0b1020" opacity="${opacity}"/>`
  return shapes[byte() % shapes.length]!() + hills(150, 0.3) + hills(178, 0.5)
}

function gradient(hue: number, angle: number): string {
  const start = Math.round(hue)
  return `<defs><linearGradient id="g" gradientTransform="rotate(${angle} .5 .5)"><stop offset="0" stop-color="hsl(${start} 62% 48%)"/><stop offset="1" stop-color="hsl(${(start + 55) % 360} 68% 22%)"/></linearGradient></defs>`
}

/** A title in at most three lines of about 18 characters. */
function wrapped(title: string): string[] {
  const lines: string[] = []
  for (const word of title.trim().split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && [...last, ...word].length < 18) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  const shown = lines
    .slice(0, 3)
    .map((line) => ([...line].length > 26 ? `${[...line].slice(0, 25).join('')}…` : line))
  if (lines.length > 3) shown[2] += '…'
  return shown
}

function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ['?']
  return words
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join('')
}
