/** Requests whose Host header or target is not a valid address. */
import { describe, expect, test } from 'vitest'
import { attack, hostileServer } from './hostile-server.ts'

const server = hostileServer({ JOBS: 'off' })

const body = '{"query":"{ __typename }"}'
const post = (host: string, target = '/graphql') =>
  server().raw(
    [
      `POST ${target} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )

describe('a Host header', () => {
  test.each([
    '[',
    '%',
    'x:y:z',
    '<script>',
    'a b',
    'x:99999',
    '999.999.999.999',
    '[::1',
    '[v1.a]',
    'x/y',
    'x?y',
    'x#y',
    'user:password@x',
    'x\\y',
  ])('that is no host is refused: %s', (host) =>
    attack(server, async () => {
      expect(await post(host)).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"BAD_REQUEST"/)
    }),
  )

  test.each(['localhost', '127.0.0.1:4000', '[::1]:4000', 'a_b.example', ''])(
    'that is valid is accepted: "%s"',
    async (host) => {
      expect(await post(host)).toMatch(/^HTTP\/1.1 200 [\s\S]*"__typename":"Query"/)
    },
  )
})

test.each(['http://[/graphql', 'http://%/graphql', 'graphql', '/%', '/campaign/%zz/x'])(
  'an invalid request target is refused: %s',
  (target) =>
    attack(server, async () => {
      expect(await post('localhost', target)).toMatch(/^HTTP\/1.1 400 /)
    }),
)
