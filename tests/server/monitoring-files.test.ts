/** The files for Prometheus and Grafana, and the metrics they use (OPER-19). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestApp, type TestApp } from '../support/app.ts'

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

test('OPER-19: every query is PromQL, and every metric in it is one of a running server', async () => {
  const app = await startTestApp()
  const known = namesIn(await metricsTextOf(app))
  expect(queries.length).toBeGreaterThan(15)
  for (const [name, query] of queries) {
    const used = metricsOf(query)
    expect(used.length, `${name}: ${query}`).toBeGreaterThan(0)
    expect(
      used.filter((metric) => !known.has(metric) && !OWN.includes(metric)),
      `${name}: ${query}`,
    ).toEqual([])
  }
})
