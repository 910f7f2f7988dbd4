/** The files for Prometheus and Grafana (OPER-19), and the metrics they use (OPER-19). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { operatorContract } from '#shared/contract/operator.ts'
import { nextSteamId, startTestApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'

const ops = join(import.meta.dirname, '../../ops')
const read = (name: string) => readFileSync(join(ops, name), 'utf8')

type Rule = { alert: string; expr: string; annotations: { summary: string } }
const { groups } = parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(read('grafana.json')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

/** Made by Prometheus itself. */
const OWN = ['up']

/** The metrics that a query names. @throws Error when it is not PromQL */
function metricsOf(query: string): string[] {
  const names: string[] = []
  parser.parse(query).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`"${query}" is wrong at ${from}`)
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(query.slice(from, to))
    },
  })
  return names
}

const metricsTextOf = async (app: TestApp) => (await fetch(`${app.address}/metrics`)).text()

/** The names of all metrics, with those that a histogram consists of. */
function namesIn(text: string): Set<string> {
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name!],
  )
  return new Set(names)
}
const valueIn = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

test('OPER-19: every query is PromQL, and every metric in it is one of a running server', async () => {
  const app = await startTestApp()
  const known = namesIn(await metricsTextOf(app))
  expect(queries.length).toBeGreaterThan(20)
  for (const [name, query] of queries) {
    const used = metricsOf(query)
    expect(used.length, `${name}: ${query}`).toBeGreaterThan(0)
    expect(
      used.filter((metric) => !known.has(metric) && !OWN.includes(metric)),
      `${name}: ${query}`,
    ).toEqual([])
  }
})

describe.each(engines)('on %s', (engine) => {
  test('OPER-19: the metrics of the database say what the overview says', async () => {
    const OPERATORS = nextSteamId()
    const app = await startTestApp({
      engine,
      env: { OPERATORS },
      callLimits: { perDay: 500, perSecond: 1000 },
    })
    const operator = await app.player({ steamId: OPERATORS })
    const { platform, refresh_list, outbox } = await operator.call(operatorContract.overview, {})
    const text = await metricsTextOf(app)
    expect(valueIn(text, 'platform_calls_left')).toBe(platform.left_today)
    expect(platform.left_today).toBeLessThan(500)
    expect(valueIn(text, 'refresh_list_length')).toBe(refresh_list.waiting)
    expect(valueIn(text, 'outbox_length')).toBe(outbox)
  })

  test('OPER-19: without its database a server still has the other metrics', async () => {
    const app = await startTestApp({ engine })
    await app.database.close()
    const text = await metricsTextOf(app)
    expect(text).toContain('process_resident_memory_bytes ')
    expect(valueIn(text, 'platform_calls_left')).toBeNaN()
  })
})
