/** Metrics of the database, the same from every server of it (OPER-20). */
import { Gauge, type Registry } from 'prom-client'
import type { Backlog } from '../monitoring/monitor.ts'

/** Registers them. When the database does not respond they are missing, and the other metrics stay. */
export function registerBacklog(registry: Registry, readBacklog: () => Promise<Backlog>): void {
  const gauge = (name: string, help: string, key: keyof Backlog) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await readBacklog().catch(() => undefined)
        if (backlog) this.set(backlog[key])
        else this.remove()
      },
    })
  gauge('platform_calls_left', 'Calls to Steam that are left on this day (UTC)', 'callsLeft')
  gauge(
    'refresh_list_length',
    'Libraries and friend lists that wait to be read, at most 20,000',
    'refreshList',
  )
  gauge('outbox_length', 'Messages that wait to be sent to webhooks, at most 20,000', 'outbox')
}
