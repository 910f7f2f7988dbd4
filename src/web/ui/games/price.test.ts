import { describe, expect, test } from 'vitest'
import type { Price } from '#shared/entities.ts'
import { priceText } from './price.tsx'

describe('GPAGE-28: what two pay is their sum, as the store writes amounts', () => {
  const now = Date.UTC(2026, 0, 5)
  test.each([
    ['4,99€', 499, '9,98€ for two'],
    ['$59.99', 5999, '$119.98 for two'],
    ['R$ 1.299,90', 129990, 'R$ 2599,80 for two'],
    ['¥ 1,200', 120000, '¥ 2400 for two'],
    ['0,--€', 50, '0,--€ each'],
    ['Gratis', 100, 'Gratis each'],
  ])('%s', (formatted, cents, expected) => {
    const price: Price = {
      formatted,
      cents,
      discount_percent: 0,
      discount_ends_at: null,
      country: 'DE',
      read_at: new Date(now).toISOString(),
    }
    expect(priceText(price, 2, now)).toBe(expected)
    expect(priceText(price, 1, now)).toBe(formatted)
  })
})
