/** What an agent receives: the documented schema, and which addresses are called. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { games } from '../../../src/arena/agent-games/all-games.rules.ts'
import { moveRequested, situationOf } from '../../../src/arena/agents/move.ts'
import { createOutgoing, NoConnectionError } from '../../../src/arena/agents/outgoing.ts'

const agentId = '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c51'
const matchId = '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c50'

describe('the documented request', () => {
  const { data, example, answer } = moveRequested

  test('has examples that match its schemas', () => {
    expect(data.parse(example)).toEqual(example)
    expect(answer.schema.parse(answer.example)).toEqual(answer.example)
    expect(example.legalMoves).toContain((answer.example as { move: string }).move)
  })

  test.each(games)('is what is sent for $type', (game) => {
    const state = game.start(1)
    const history = [{ mine: ['1'], theirs: ['2'] }]
    const request = { matchId, gameNumber: 1, game, state, slot: 1, history } as const
    const sent = { agentId, ...situationOf(request, new Date()) }
    expect(data.strict().parse(sent)).toEqual(sent)
  })
})

describe('an address of this machine', () => {
  const server = createServer((_, response) => response.end('{"move":"1"}'))
  let url: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  const post = async (address: string, production: boolean) => {
    const outgoing = createOutgoing({ production, webhookAllowPrivate: false })
    try {
      return await outgoing.post(address, { headers: {}, body: '{}', timeoutMs: 5_000 })
    } finally {
      await outgoing.close()
    }
  }

  test('is called in development only', async () => {
    expect(await post(url, false)).toEqual({ move: '1' })
    await expect(post(url, true)).rejects.toThrow(NoConnectionError)
  })

  test.each(['https://10.1.2.3/', 'https://169.254.169.254/', 'https://0.0.0.0/'])(
    'is not %s',
    async (address) => {
      await expect(post(address, false)).rejects.toThrow('The address is not public')
    },
  )
})
