/** Texts of My Shelf (SHELF-1). Not part of `messages`: they come with the screen, after the first load. */
import { withSeparators } from '#shared/playtime.ts'

export const shelf = {
  toGames: 'All my games',
  played: 'Played',
  never: 'Never played',
  playedTitle: 'Played and never played',
  playedShare: (percent: number) => `${percent}%`,
  playedShareBelow: 'played',
  totals: { games: 'games', hours: 'hours in all', perGame: 'hours per played game' },
  spread: 'Hours per game',
  spreadHint: 'How many of your games you have played for how long.',
  spans: {
    never: 'Never',
    minutes: 'Under 1h',
    few: '1–10h',
    some: '10–50h',
    many: '50–200h',
    most: '200h and more',
  },
  recent: 'Last two weeks',
  recentTotal: (time: string, games: number) =>
    games === 1 ? `${time} in 1 game` : `${time} in ${withSeparators(games)} games`,
  recentNone: 'No playtime in the last two weeks.',
  showAll: (games: number) => `Show all ${withSeparators(games)}`,
  months: 'Month by month',
  monthsFailed: 'Failed to fetch your playtime by month',
  since: (date: string) => `Counted since ${date}; what you played before is only in the totals.`,
  notCounted: 'Counting starts with your next sync: what you play from then on gets its month.',
  monthsNone: 'Nothing was added since. Come back after you have played and synced.',
  chooseMonth: 'Month',
  ofMonth: (month: string, time: string) => `${month}: ${time}`,
  monthEmpty: 'No playtime in this month.',
  mostPlayed: 'Played most in this month',
  /** By why there are no games. */
  empty: {
    never: 'Your shelf fills when your games are synced.',
    private: 'Your shelf stays empty while Steam keeps your games private.',
    ok: 'Your Steam library has no games yet.',
  },
  toSync: 'Go to My Games',
} as const
