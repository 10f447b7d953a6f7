/** What everybody may read is limited by address, and is only sent again if it has changed. */
import { expect, test } from 'vitest'
import { attack, hostileServer, times } from './hostile-server.ts'

const perSecond = 20
const server = hostileServer({ RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.0/8' })

const flood = async (path: string, ip: string) => {
  const startedAt = Date.now()
  const answers = await Promise.all(
    times(150, () =>
      server().send(path, { redirect: 'manual', headers: { 'x-forwarded-for': ip } }),
    ),
  )
  const good = answers.filter(({ status }) => status < 400)
  const seconds = Math.ceil((Date.now() - startedAt) / 1000) + 1
  return { answers, good: good.length, allowed: seconds * perSecond }
}

test.each([
  ['/openapi.json', '192.0.2.1'],
  ['/docs', '192.0.2.2'],
  ['/docs/json', '192.0.2.3'],
  ['/docs/yaml', '192.0.2.4'],
  ['/docs/reference/reference.css', '192.0.2.5'],
  ['/metrics', '192.0.2.6'],
])('%s is limited by address', (path, ip) =>
  attack(server, async () => {
    const { answers, good, allowed } = await flood(path, ip)
    expect(good).toBeGreaterThan(0)
    expect(good).toBeLessThanOrEqual(allowed)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(150 - good)
  }),
)

test('the API reference is only sent again if it has changed', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.200' }
  const first = await server().send('/openapi.json', { headers })
  const etag = first.headers.get('etag') as string
  expect(first.body.openapi).toBe('3.1.0')
  const again = await server().send('/openapi.json', {
    headers: { ...headers, 'if-none-match': etag },
  })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('/readyz and /livez are never refused', () =>
  attack(server, async () => {
    for (const path of ['/readyz', '/livez']) {
      const { good } = await flood(path, '192.0.2.201')
      expect(good).toBe(150)
    }
  }))
