import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PLAYERS_MAX } from '#shared/limits.ts'
import { readTable, SHARED_DATA } from '../../../tests/support/real-world.ts'
import { parsePlayers, playersMaxOf, playersOf } from './players.ts'

const text = readFileSync(join(import.meta.dirname, 'players.tsv'), 'utf8')
const [head, ...rows] = text
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))
const list = parsePlayers(text)

describe('the list of how many can play', () => {
  test('API-53: has a line for each of at least 400 games, in the order of their appids', () => {
    expect(head).toEqual(['appid', 'online', 'screen', 'year', 'name', 'note'])
    expect(text).not.toMatch(/\r|[ \t]\n| \t|\t /)
    const appids = rows.map(([appid]) => Number(appid))
    expect(appids).toEqual(appids.toSorted((a, b) => a - b))
    expect(new Set(appids).size).toBe(appids.length)
    expect([...list.keys()]).toEqual(appids)
    expect(appids.length).toBeGreaterThanOrEqual(400)
  })

  test('API-53: has numbers in their ranges, a year and a name in each line', () => {
    const wrong = rows.filter(([appid, online, screen, year, name, note, ...rest]) => {
      const numbers = [appid, online, screen || '0', year]
      return (
        rest.length > 0 ||
        note === '' ||
        !name ||
        !numbers.every((number) => /^(0|[1-9]\d*)$/.test(number!)) ||
        Number(online) > PLAYERS_MAX ||
        Number(screen) > PLAYERS_MAX ||
        // Two at least in one of the two ways: whoever is not sure leaves the game out.
        Math.max(Number(online), Number(screen)) < 2 ||
        Number(online) === 1 ||
        Number(screen) === 1 ||
        Number(year) < 2026 ||
        Number(year) > new Date().getFullYear()
      )
    })
    expect(wrong).toEqual([])
  })

  test('API-53: says for each game the number over the internet, and on one screen where there is no other', () => {
    const PORTAL_2 = 620
    const CUPHEAD = 268910
    const BLOOD_BOWL_2 = 236690
    expect(playersOf(PORTAL_2)).toEqual({ online: 2, screen: 2, year: 2026, note: null })
    expect(playersMaxOf(PORTAL_2)).toBe(2)
    expect(playersOf(CUPHEAD)).toMatchObject({ online: 0, screen: 2 })
    expect(playersMaxOf(CUPHEAD)).toBe(2)
    expect(playersOf(BLOOD_BOWL_2)).toMatchObject({ online: 2, screen: null })
    expect(playersMaxOf(BLOOD_BOWL_2)).toBe(2)
    expect([playersOf(1), playersMaxOf(1)]).toEqual([null, null])
  })
})

describe('beside other sources', () => {
  const missing = existsSync(SHARED_DATA) ? undefined : '../shared/data is not there'
  /** Games that are newer than that catalogue, of January 2025. */
  const NEWER = ['Split Fiction', 'ELDEN RING NIGHTREIGN', 'Schedule I', 'R.E.P.O.', 'PEAK']
  const plain = (name: string) =>
    name
      .replace(/[™®©]/g, '')
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll('&', 'and')
      .replace(/[^a-z0-9]/g, '')

  test('API-53: each appid is that of the named game in the catalogue', ({ skip }) => {
    if (missing) return skip(missing)
    const nameOf = new Map(readTable('catalog/apps.csv.gz').map((row) => [row.appid!, row.name!]))
    const wrong = rows.flatMap(([appid, , , , name]) => {
      const known = nameOf.get(appid!)
      if (known === undefined) return NEWER.includes(name!) ? [] : [`${appid} ${name}: unknown`]
      return plain(known).includes(plain(name!)) ? [] : [`${appid} ${name}: ${known}`]
    })
    expect(wrong).toEqual([])
  })

  test('API-53: most numbers are those of a table of co-op games, which counts no other ways to play', ({
    skip,
  }) => {
    if (missing) return skip(missing)
    const others = new Map(readTable('players/coop.csv.gz').map((row) => [Number(row.appid), row]))
    const both = [...list].filter(([appid]) => others.has(appid))
    const online = both.filter(([appid, game]) => game.online === Number(others.get(appid)!.coop_online_max))
    const known = both.filter(([, game]) => game.screen !== null)
    const screen = known.filter(([appid, game]) => game.screen === Number(others.get(appid)!.coop_local_max))
    const share = (some: unknown[], all: unknown[]) => some.length / all.length
    expect(both.length).toBeGreaterThan(250)
    expect(share(online, both)).toBeGreaterThan(0.6)
    expect(share(screen, known)).toBeGreaterThan(0.9)
  })
})
