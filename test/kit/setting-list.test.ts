import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EnvironmentVariables } from '../../src/kit/config/environment-variables.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Those of OpenTelemetry have a table of their own. */
const isOurs = (name: string) => !name.startsWith('OTEL_')

const settings = Object.keys(EnvironmentVariables.shape).filter(isOurs).sort()

test('there are 54 settings at most', () => {
  expect(settings.length).toBeLessThanOrEqual(54)
})

test('.env.example has a line with the default before each setting', () => {
  const found = [...read('.env.example').matchAll(/^(.*)\n(?:# )?([A-Z_]+)=/gm)]
  const ours = found.filter(([, , name]) => isOurs(name as string))
  expect(ours.map(([, , name]) => name).sort()).toEqual(settings)
  for (const [, line] of ours) expect(line).toMatch(/^# .* Default: /)
})

test('docs/settings.md has a row with the default for each setting', () => {
  const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \| .+ \| .+ \|$/gm)]
  expect(rows.map(([, name]) => name).sort()).toEqual(settings)
})
