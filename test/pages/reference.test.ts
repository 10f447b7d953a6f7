/** The REST reference at `/docs`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

test('the page and its files allow nothing from other hosts', async () => {
  const page = await world.get('/docs')
  const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
  expect(files.length).toBeGreaterThan(3)
  for (const path of ['/docs', ...files]) {
    const { status, headers } = await world.get(path)
    expect(status, path).toBe(200)
    const policy = headers.get('content-security-policy') ?? ''
    if (path === '/docs') expect(policy).toContain("default-src 'none'")
    expect(policy.replace(/'[^']*'/g, '')).not.toMatch(/https?:|\w\.\w|\*/)
  }
})

test('nothing on the page calls its maker', async () => {
  const { text } = await world.get('/docs/reference/reference.js')
  for (const line of [
    'telemetry: false',
    'agent: { disabled: true }',
    'mcp: { disabled: true }',
    'hideClientButton: true',
    "showDeveloperTools: 'never'",
    'withDefaultFonts: false',
  ])
    expect(text).toContain(line)
  expect(text).not.toContain('://')
})

test('the script of the page is compressed', async () => {
  const { status, headers } = await world.get('/docs/reference/scalar.js', undefined, {
    'accept-encoding': 'br',
  })
  expect([status, headers.get('content-encoding')]).toEqual([200, 'br'])
})
