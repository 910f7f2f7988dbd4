/**
 * The drawn parts of Top 5 Games by Playtime and Total Playtime.
 * Requirements: DASH-39.
 */
import { queryOptions } from '@tanstack/react-query'

/**
 * Their code is loaded after the cards, because with its library it is a tenth of the dashboard's code. It is a query, so
 * that it is refetched like data after an outage (PAGE-19).
 */
export const playtimeCharts = queryOptions({
  queryKey: ['code', 'playtime-charts'],
  queryFn: async () => {
    const { Bars, Gauge } = await import('./bars-and-gauge.tsx')
    return { Bars, Gauge }
  },
  staleTime: Infinity,
})
