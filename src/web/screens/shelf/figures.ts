/** What a library says about its owner's playing (SHELF-1). All playtimes are in minutes. */
import type { Game } from '#shared/entities.ts'

/** Spans of playtime by name, each up to but not including `below` minutes. */
const spans = [
  { span: 'never', below: 1 },
  { span: 'minutes', below: 60 },
  { span: 'few', below: 10 * 60 },
  { span: 'some', below: 50 * 60 },
  { span: 'many', below: 200 * 60 },
  { span: 'most', below: Infinity },
] as const
export type Span = (typeof spans)[number]['span']

export type Figures<Played> = {
  games: number
  minutes: number
  played: number
  /** Number of games by playtime, shortest first. */
  spread: { span: Span; games: number }[]
  /** Games with playtime in the last two weeks, most first, and all their minutes in that time. */
  recent: Played[]
  recentMinutes: number
}

export function figuresOf<Played extends Pick<Game, 'playtime_minutes' | 'playtime_2weeks_minutes'>>(
  games: readonly Played[],
): Figures<Played> {
  const counts = spans.map(() => 0)
  let minutes = 0
  for (const { playtime_minutes } of games) {
    minutes += playtime_minutes
    counts[spans.findIndex(({ below }) => playtime_minutes < below)]! += 1
  }
  const recent = games
    .filter((game) => game.playtime_2weeks_minutes > 0)
    .sort((a, b) => b.playtime_2weeks_minutes - a.playtime_2weeks_minutes)
  return {
    games: games.length,
    minutes,
    played: games.length - counts[0]!,
    spread: spans.map(({ span }, nth) => ({ span, games: counts[nth]! })),
    recent,
    recentMinutes: recent.reduce((sum, game) => sum + game.playtime_2weeks_minutes, 0),
  }
}

/** A share in whole percent that is 0 or 100 only if nothing or everything is meant. */
export function percentOf(part: number, whole: number): number {
  if (whole === 0 || part === 0) return 0
  if (part === whole) return 100
  return Math.min(99, Math.max(1, Math.round((part / whole) * 100)))
}
