/** Numbers, times and lists as the language of the pages writes them, in the visitor's time zone. */
import { PLAYERS_MAX } from '#shared/limits.ts'
import { isTimeZone } from '#shared/nights/repeats.ts'
import { language } from './language.ts'
import { gameView, messages } from 'virtual:texts'

/** With a clock of 24 hours, and lists without a comma before 'and'. */
const locale = language === 'en' ? 'en-GB' : language

const numbers = new Intl.NumberFormat(locale)

/** '1,204', '1.204'. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return options ? value.toLocaleString(locale, options) : numbers.format(value)
}

/** A time, day or both, by the options of `Intl.DateTimeFormat`. */
export function formatTime(at: Date | number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, options).format(at)
}

/** '20:30'. */
export function formatClock(at: Date): string {
  return formatTime(at, { hour: '2-digit', minute: '2-digit' })
}

/** Where a link leads. */
export const hostOf = (link: string): string => new URL(link).host

/** 'Ada, Ben and Cleo'; `unit` leaves the 'and' out. */
export function formatList(items: readonly string[], type: 'conjunction' | 'unit' = 'conjunction'): string {
  return new Intl.ListFormat(locale, { type }).format(items)
}

/** 'Germany' for DE. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
}

/** The visitor's time zone; UTC where the browser says none that it knows, because then it shows times in UTC. */
export function hereZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

/**
 * The name of a time zone as people call it: 'Central European Standard Time' at a time; 'Central European Time' without
 * one, for times on both sides of a change of the clocks, except of zones that have no such name: UTC.
 */
export function formatZone(at?: number, timeZone: string = hereZone()): string {
  const name = (timeZoneName: 'long' | 'longGeneric') =>
    new Intl.DateTimeFormat(language, { timeZoneName, timeZone })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const general = at === undefined ? name('longGeneric') : 'GMT'
  return general.startsWith('GMT') ? name('long') : general
}

/** Minutes as hours and minutes, '1204h 5m', for My Games and Friends Who Play (PAGE-12). */
export function hoursAndMinutes(minutes: number): string {
  return messages.playtime({ hours: String(Math.floor(minutes / 60)), minutes: minutes % 60 })
}

/** How many can play a game together, in words (LIST-10). */
export function playersText(max: number): string {
  const { any, exactly, upTo } = gameView.players
  return max >= PLAYERS_MAX ? any : max <= 2 ? exactly({ max }) : upTo({ max })
}
