/** The sorts of one person's games: the same words in the same order in every list (LIST-9). */
import type { Game } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import type { Sorts } from './game-shelf.tsx'
import { byName } from './game-view.ts'

const text = messages.gameView.sorts

/** Those of FGAM-5 come first. Games come most played first. */
export const librarySorts: Sorts<Game, keyof typeof text> = {
  playtime: { text: text.playtime, order: undefined },
  alphabetical: { text: text.alphabetical, order: byName },
  recent: {
    text: text.recent,
    order: (a, b) => (b.last_played_at ?? '').localeCompare(a.last_played_at ?? ''),
  },
  least: { text: text.least, order: (a, b) => a.playtime_minutes - b.playtime_minutes },
}

const { playtime, alphabetical, least } = librarySorts
/** Where Steam does not say when the games were last played. */
export const undatedSorts: Sorts<Game, Exclude<keyof typeof text, 'recent'>> = {
  playtime,
  alphabetical,
  least,
}
