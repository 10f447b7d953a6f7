/** The alerts and the dashboard use what `/metrics` prints. `test/survival/alerts.test.ts` fires them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { readAlerts } from './alerts.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const alerts = readAlerts()
type Panel = { title: string; type: string; panels?: Panel[]; targets?: { expr: string }[] }
const dashboard: { panels: Panel[] } = JSON.parse(read('deploy/grafana.json'))
const panels = dashboard.panels.flatMap((panel) => [panel, ...(panel.panels ?? [])])
const requested: [string, string][] = [
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  ),
]

/** Fields of a metric that the types of the library lack. */
type Exported = { type: string; labelNames: string[] }

/** Labels that Prometheus itself adds to a value. */
const ownLabels = ['job', 'instance', 'le']

let world: World
let labelsOf: Map<string, string[]>
beforeAll(async () => {
  world = await createWorld()
  const text = (await world.get('/metrics')).text
  labelsOf = new Map([['up', []]])
  const { registry } = world.runtime.metrics
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name) as unknown as Exported
    const { type, labelNames } = metric
    expect(text).toContain(`# TYPE ${name} `)
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const ending of names) labelsOf.set(name + ending, labelNames)
  }
})
afterAll(() => world.end())

const isName = /(?:up|(?:tessera|nodejs|process)_\w+)/
const selector = new RegExp(`\\b(${isName.source})\\b(?:\\{([^}]*)\\})?`, 'g')

describe('every metric and label exists', () => {
  test('that some 18 alerts and 30 graphs ask for', () => {
    expect(alerts.length).toBeGreaterThanOrEqual(18)
    expect(requested.length).toBeGreaterThan(alerts.length + 30)
  })

  test.each(requested)('%s: %s', (_, expr) => {
    const found = [...expr.matchAll(selector)]
    expect(found.length).toBeGreaterThan(0)
    const names = found.map(([, name]) => String(name))
    expect(names.filter((name) => !labelsOf.has(name))).toEqual([])
    const known = [...names.flatMap((name) => labelsOf.get(name) ?? []), ...ownLabels]
    const matched = found.flatMap(([, , inner = '']) =>
      [...inner.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label]) => label),
    )
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
      labels.split(/,\s*/),
    )
    expect([...matched, ...grouped].filter((label) => !known.includes(String(label)))).toEqual([])
  })
})

describe('a runbook', () => {
  const pages = readdirSync(new URL('docs/runbooks/', root)).map((name) => `docs/runbooks/${name}`)

  test('exists for each alert, and no others do', () => {
    const named = alerts.map(({ annotations }) => annotations.runbook)
    expect(new Set(named).size).toBe(alerts.length)
    expect([...named].sort()).toEqual(pages.filter((page) => !page.endsWith('README.md')).sort())
  })

  test.each(alerts)('of $alert says what it means, what to look at and what to do', (alert) => {
    const text = read(alert.annotations.runbook)
    expect(text).toMatch(new RegExp(`^# ${alert.alert}\\n`))
    for (const part of ['## What it means', '## Look', '## Do'])
      expect(text).toContain(`\n${part}\n`)
    // Metrics that it names exist.
    const names = [...text.matchAll(/`(tessera_\w+|nodejs_\w+|process_\w+)/g)].map(
      ([, name]) => name,
    )
    const known = [...labelsOf.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    expect(names.filter((name) => ![...known, ...labelsOf.keys()].includes(String(name)))).toEqual(
      [],
    )
    for (const [, path = ''] of text.matchAll(/\]\(([^)#]+)/g))
      expect(existsSync(new URL(path, new URL(alert.annotations.runbook, root))), path).toBe(true)
  })
})

test('alerts have one of two severities', () => {
  expect(new Set(alerts.map(({ labels }) => labels.severity))).toEqual(new Set(['page', 'ticket']))
})
