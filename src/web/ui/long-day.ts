/** Days in full. */
import { formatTime } from '../format.ts'

/** 'Friday 27 November', with the year where it is not that of now, in the visitor's time zone. */
export function longDay(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return formatTime(at, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
}
