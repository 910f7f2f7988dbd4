/** Games that do not exist, for libraries larger than the list of well-known games. */
import { CO_OP, iconHashOf, MULTI_PLAYER, SINGLE_PLAYER } from './demo-games.ts'
import type { App } from './world.ts'

const FIRST = [
  'Amber',
  'Ashen',
  'Blue',
  'Brass',
  'Broken',
  'Cinder',
  'Clockwork',
  'Copper',
  'Distant',
  'Drowned',
]
const FIRST_MORE = ['Ember', 'Frozen', 'Glass', 'Hidden', 'Hollow', 'Iron', 'Last', 'Little', 'Lost', 'Lunar']
const FIRST_LAST = [
  'Neon',
  'Paper',
  'Quiet',
  'Rusty',
  'Salt',
  'Silver',
  'Solar',
  'Velvet',
  'Wandering',
  'Winter',
]
const SECOND = [
  'Archive',
  'Bakery',
  'Caravan',
  'Cartographer',
  'Circuit',
  'Colony',
  'Dungeon',
  'Engine',
  'Expedition',
]
const SECOND_MORE = [
  'Garden',
  'Harbour',
  'Horizon',
  'Kingdom',
  'Lantern',
  'Lighthouse',
  'Orchard',
  'Outpost',
  'Railway',
]
const SECOND_LAST = ['Reef', 'Saga', 'Station', 'Tactics', 'Tavern', 'Trials', 'Voyage']
const THIRD = [
  '',
  ' II',
  ' III',
  ': Origins',
  ': Definitive Edition',
  ' VR',
  ': Remastered',
  ' Online',
  ' – Prologue',
]

/** First appid of the invented games, above every real one. */
export const INVENTED_FROM = 4_100_000

/** Invented games; up to 6,750 titles are different. */
export function inventedGames(count: number): App[] {
  const first = [...FIRST, ...FIRST_MORE, ...FIRST_LAST]
  const second = [...SECOND, ...SECOND_MORE, ...SECOND_LAST]
  return Array.from({ length: count }, (_, nth) => {
    const appid = INVENTED_FROM + nth * 10
    // Consecutive titles differ in both words; a pair of words repeats after 750 titles, with another suffix.
    const round = Math.floor(nth / first.length)
    const name = `${first[nth % first.length]} ${second[(round + nth) % second.length]}`
    const part = Math.floor(nth / (first.length * second.length)) % THIRD.length
    return {
      appid,
      name: `${name}${THIRD[part]}`,
      iconHash: iconHashOf(appid),
      kind: 0,
      categories: nth % 6 === 0 ? [MULTI_PLAYER, SINGLE_PLAYER, CO_OP, 38] : [SINGLE_PLAYER],
    }
  })
}
