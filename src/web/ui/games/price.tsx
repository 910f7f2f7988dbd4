/** What a game costs, as the store says it, and how old that is (GPAGE-28, GAME-1). */
import type { Price } from '#shared/entities.ts'
import { countryName, formatNumber, formatTime } from '../../format.ts'
import { gamePrice as text } from 'virtual:texts'
import { RelativeTime } from '../words/relative-time.tsx'
import { Sentence } from '../words/sentence.tsx'

const WEEK_MS = 7 * 86_400_000

/**
 * '4,99€, 75% off until Thursday', '9,98€ for two': what so many pay.
 * @param now in milliseconds
 */
export function priceText(price: Price, people: number, now: number): string {
  const { formatted, discount_percent, discount_ends_at: ends } = price
  const each = people > 1 ? sumText(price, people) : formatted
  if (discount_percent === 0) return each
  const percent = formatNumber(discount_percent / 100, { style: 'percent' })
  if (ends === null) return text.sale({ price: each, percent })
  const at = new Date(ends)
  const isNear = Number(at) - now < WEEK_MS
  const day = formatTime(at, isNear ? { weekday: 'long' } : { day: 'numeric', month: 'long' })
  return text.saleUntil({ price: each, percent, day })
}

/** Their sum, if it is clear how the store writes amounts: it does not name the currency. */
function sumText({ formatted, cents }: Price, people: number): string {
  const number = /\d([\d.,\s]*\d)?/.exec(formatted)?.[0] ?? ''
  const point = /[.,](?=\d\d$)/.exec(number)?.[0]
  const unit = point === undefined ? 100 : 1
  if (Number(number.replace(/\D/g, '')) * unit !== cents) return text.each({ price: formatted })
  const sum = (cents * people) / 100
  const written = point === undefined ? String(sum) : sum.toFixed(2).replace('.', point)
  return text.sum({ people, price: formatted.replace(number, written) })
}

/** Where prices are from, and how old the oldest is. */
export function PriceSource({ prices: [first, ...others] }: { prices: readonly Price[] }) {
  if (!first) return null
  const oldest = others.reduce((read, { read_at }) => (read_at < read ? read_at : read), first.read_at)
  return (
    <Sentence
      text={text.source}
      values={{ country: countryName(first.country), time: <RelativeTime time={oldest} /> }}
    />
  )
}
