/** Each part of the rank of a game, which no other part hides (NIGHT-22). */
import { describe, expect, test } from 'vitest'
import type { PlayMode } from '#shared/entities.ts'
import type { GameFacts } from '#shared/nights/facts.ts'
import { neverPlayedBy } from '../../../tests/support/game-facts.ts'
import { rankOf } from './shortlist.ts'

describe('the rank of a game', () => {
  const rank = (facts: Partial<GameFacts>, modes: PlayMode[] = []) =>
    rankOf({ ...neverPlayedBy(4), ...facts }, modes)

  test.each<[what: string, modes: PlayMode[], points: number]>([
    ['online counts 3', ['multi', 'online'], 3],
    ['online counts 3 for one room too', ['multi', 'local', 'online'], 3],
    ['with others, not said how, counts 2', ['single', 'coop'], 2],
    ['in one room counts 1', ['coop', 'local'], 1],
    ['not known counts nothing', [], 0],
    ['for one player counts nothing', ['single'], 0],
  ])('NIGHT-22: %s', (_what, modes, points) => {
    expect(rank({ picked_weeks_ago: 0 }, modes)).toBe(points)
  })

  test.each<[what: string, facts: Partial<GameFacts>, points: number]>([
    ['each person who played it recently counts 2', { played_recently: 1 }, 2],
    ['three who played it recently count 6', { played_recently: 3 }, 6],
    ['a fourth counts nothing more', { played_recently: 4 }, 6],
    ['each person with two hours counts 1', { experienced: 2, played: 2, never_played: 0 }, 2],
    ['three with two hours count 3', { experienced: 3, played: 4, never_played: 0 }, 3],
    ['a fourth with two hours counts nothing more', { experienced: 4, played: 4, never_played: 0 }, 3],
    ['new to some, and known to another, counts 1 more', { experienced: 1, played: 1, never_played: 3 }, 2],
    ['new to some, and only tried by others, counts nothing', { played: 2, never_played: 2 }, 0],
    ['the number of owners counts nothing', { owners: 3, never_played: 3 }, 0],
  ])('NIGHT-22: %s', (_what, facts, points) => {
    expect(rank(facts) - rank({})).toBe(points)
  })

  test.each<[what: string, facts: Partial<GameFacts>, points: number]>([
    ['never picked', { picked_weeks_ago: null }, 4],
    ['picked a year ago', { picked_weeks_ago: 52 }, 4],
    ['picked four weeks ago', { picked_weeks_ago: 4 }, 4],
    ['picked three weeks ago', { picked_weeks_ago: 3 }, 3],
    ['picked this week', { picked_weeks_ago: 0 }, 0],
    ['picked last time', { picked_weeks_ago: 1, picked_last: true }, -4],
    ['picked last time, long ago', { picked_weeks_ago: 52, picked_last: true }, -4],
  ])('NIGHT-22: %s counts its weeks', (_what, facts, points) => {
    expect(rank(facts)).toBe(points)
  })
})
