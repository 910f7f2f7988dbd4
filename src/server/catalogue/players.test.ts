import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#shared/languages.ts'
import { PLAYERS_MAX } from '#shared/limits.ts'
import { readCatalogue } from '../../locales/catalogues.ts'
import { parsePlayers, playersMaxOf, playersOf } from './catalogue.ts'

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

  test.each(LANGUAGES)('LANG-5: its notes, and no others, are in the texts of %s', (language) => {
    const notes = new Set([...list.values()].flatMap(({ note }) => note ?? []))
    expect(new Set(Object.keys(readCatalogue(language).games!.playerNotes!))).toEqual(notes)
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
