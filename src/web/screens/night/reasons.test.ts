import { describe, expect, test } from 'vitest'
import { neverPlayedBy } from '../../../../tests/support/game-facts.ts'
import type { GameFeature, PlayMode } from '#shared/entities.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import { REASONS_MAX, reasonsOf } from './reasons.ts'

/** All five have tried it, which is no more telling than that all own it. */
const FACTS: GameFacts = { ...neverPlayedBy(5), played: 5, never_played: 0 }
const reasons = (facts: Partial<GameFacts>, modes: PlayMode[] = ['multi'], features: GameFeature[] = []) =>
  reasonsOf({ facts: { ...FACTS, ...facts }, modes, features })

describe('the reasons of a game', () => {
  test('NIGHT-24: are the most telling first', () => {
    const facts = { played_recently: 3, picked_weeks_ago: 6 }
    expect(reasons(facts, ['coop', 'online'], ['online_coop']).join(' · ')).toBe(
      'all 5 own it · online co-op · three played this month · not picked for 6 weeks',
    )
  })

  test('NIGHT-24: are at most four', () => {
    const everything = {
      played_recently: 1,
      never_played: 2,
      played: 3,
      picked_weeks_ago: 2,
    }
    expect(REASONS_MAX).toBe(4)
    expect(reasons(everything)).toEqual([
      'all 5 own it',
      'multiplayer',
      'one played this month',
      'new to two people',
    ])
    expect(reasons({ ...everything, picked_last: true })[2]).toBe('picked last time')
  })

  test.each<[facts: Partial<GameFacts>, text: string | undefined]>([
    [{ people: 1, known: 1, owners: 1 }, undefined],
    [{ people: 2, known: 2, owners: 2 }, 'both own it'],
    [{ people: 3, known: 3, owners: 3 }, 'all 3 own it'],
    [{ people: 100, known: 100, owners: 100 }, 'all 100 own it'],
    [{ people: 5, known: 3, owners: 3 }, '3 own it, unknown for 2'],
    [{ people: 2, known: 1, owners: 1 }, '1 owns it, unknown for 1'],
    [{ people: 5, known: 5, owners: 4 }, '4 of 5 own it'],
    [{ people: 3, known: 2, owners: 1 }, '1 of 2 owns it'],
  ])('NIGHT-24: say who owns it (%j)', (facts, text) => {
    const owning = reasons({ ...facts, played: 0 }).filter((reason) => reason.includes('own'))
    expect(owning).toEqual(text === undefined ? [] : [text])
  })

  test.each([
    [['Ada'], '3 own it, unknown for Ada'],
    [['Ada', 'Ben'], '3 own it, unknown for Ada and Ben'],
    [['Ada', 'Ben', 'Cleo', 'Dan'], '3 own it, unknown for Ada, Ben and 2 more'],
  ])('say whose libraries are not known (%j)', (unknown, text) => {
    const facts = { ...FACTS, people: 3 + unknown.length, known: 3, owners: 3 }
    expect(reasonsOf({ facts, modes: ['multi'], features: [] }, unknown)[0]).toBe(text)
  })

  test.each<[modes: PlayMode[], features: GameFeature[], text: string]>([
    [['coop', 'online'], ['online_coop', 'online_versus'], 'online co-op'],
    [['multi', 'online'], ['online_versus', 'same_screen'], 'online versus'],
    [['multi', 'online', 'local'], ['same_screen', 'cross_platform'], 'online multiplayer'],
    [['coop', 'local'], ['same_screen', 'remote_play'], 'same screen'],
    [['local'], ['remote_play'], 'Remote Play Together'],
    [['multi', 'coop'], [], 'co-op'],
    [['single', 'multi'], [], 'multiplayer'],
    [['single', 'mmo'], [], 'multiplayer'],
    [[], [], 'not known if it can be played together'],
  ])('NIGHT-24: say how it is played (%j %j)', (modes, features, text) => {
    expect(reasons({}, modes, features)[1]).toBe(text)
  })

  test.each<[facts: Partial<GameFacts>, texts: string[]]>([
    [{ played_recently: 1 }, ['one played this month']],
    [{ played_recently: 4 }, ['four played this month']],
    [{ played_recently: 5 }, ['all played this month']],
    [{ people: 2, known: 2, owners: 2, played: 2, played_recently: 2 }, ['both played this month']],
    [{ people: 2, known: 2, owners: 2, played: 2, played_recently: 1 }, ['one played this month']],
    [{ people: 1, known: 1, owners: 1, played: 1, played_recently: 1 }, ['played this month']],
    [{ played: 0, never_played: 5 }, ['nobody has played it yet']],
    [{ people: 1, known: 1, owners: 1, played: 0, never_played: 1 }, ['nobody has played it yet']],
    [{ played: 5 }, ['all have played it']],
    [{ people: 6, played: 5 }, ['five have played it']],
    [{ people: 1, known: 1, owners: 1, played: 1 }, []],
    [{ played: 4, never_played: 1 }, ['new to one person']],
    [{ played: 3, never_played: 2, played_recently: 3 }, ['three played this month', 'new to two people']],
    // Nothing is said of players whose libraries or playtimes are not known.
    [{ people: 7, played: 0, never_played: 5 }, ['new to five people']],
    [{ played: 0, never_played: 4 }, ['new to four people']],
    [{ played: 4, never_played: 0 }, []],
  ])('NIGHT-24: say who has played it (%j)', (facts, texts) => {
    expect(reasons(facts).filter((reason) => /play(?!er)|new/.test(reason))).toEqual(texts)
  })

  test('write numbers up to ten as words', () => {
    const texts = Array.from({ length: 12 }, (_, at) => reasons({ people: 20, played_recently: at + 1 })[2])
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', '11', '12']
    expect(texts).toEqual(words.map((word) => `${word} played this month`))
  })

  test.each<[weeks: number | null, isLast: boolean, texts: string[]]>([
    [null, false, []],
    [0, false, ['picked less than a week ago']],
    [1, false, ['picked a week ago']],
    [3, false, ['picked 3 weeks ago']],
    [4, false, ['not picked for 4 weeks']],
    [52, false, ['not picked for 52 weeks']],
    [53, false, ['not picked for over a year']],
    [2, true, ['picked last time']],
  ])('NIGHT-24: say when it was picked (%j, last: %j)', (picked_weeks_ago, picked_last, texts) => {
    const found = reasons({ picked_weeks_ago, picked_last })
    expect(found.filter((reason) => reason.includes('picked'))).toEqual(texts)
  })
})
