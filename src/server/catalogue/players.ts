/**
 * How many people can play a game together, from the product's own list, `players.tsv` (CONTRIBUTING.md says what its
 * numbers mean). A game that is not in it is unknown; nothing is guessed from the store's categories.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GamePlayers } from '#shared/entities.ts'

const players = parsePlayers(readFileSync(join(import.meta.dirname, 'players.tsv'), 'utf8'))

/** What the list says of a game; null for one that is not in it. */
export function playersOf(appid: number): GamePlayers | null {
  return players.get(appid) ?? null
}

/**
 * The most players who can play a game together: over the internet, because most groups are not in one room, and on one
 * screen where a game has no play over the internet (API-53). Null when unknown.
 */
export function playersMaxOf(appid: number): number | null {
  const known = players.get(appid)
  return known ? known.online || known.screen : null
}

/** The lines of the list by appid, without its head. */
export function parsePlayers(text: string): Map<number, GamePlayers> {
  const found = new Map<number, GamePlayers>()
  for (const line of text.trimEnd().split('\n').slice(1)) {
    const [appid, online, screen, year, , note] = line.split('\t')
    found.set(Number(appid), {
      online: Number(online),
      screen: screen ? Number(screen) : null,
      year: Number(year),
      note: note ?? null,
    })
  }
  return found
}
