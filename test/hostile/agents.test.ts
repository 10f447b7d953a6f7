/** Answers of agents are untrusted text of up to 64 KB. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../webhooks/stored.ts'
import { attack, hostileServer } from './hostile-server.ts'

const server = hostileServer({ WEBHOOK_ALLOW_PRIVATE: '1', ARENA_GAME_PAUSE_MS: '0' })

const size = 60_000
const evil: Record<string, string> = {
  'a fence that never ends, with blanks': `\`\`\`${' '.repeat(size)}x`,
  'a fence in a fence in a fence': '```json\n'.repeat(size / 8),
  'deep nesting': '['.repeat(size),
  'a move that is long': JSON.stringify({ move: ' a'.repeat(size / 2) }),
  'blanks and then a good answer': `${' '.repeat(size)}{"move":"A1"}`,
}

let answer = ''
let requested = 0
/** Answers as a chat model or as a webhook does: at most the 64 KB that are read. */
const thinker = createServer((request, response) => {
  requested++
  request.resume()
  const isChat = request.url?.endsWith('/chat/completions')
  const body = isChat ? { choices: [{ message: { content: answer } }] } : { move: answer }
  response.end(JSON.stringify(body))
})
beforeAll(async () => {
  await new Promise<void>((resolve) => thinker.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  thinker.closeAllConnections()
  thinker.close()
})

let made = 0

/** Lets an agent of a partner play; returns it after its validation match. */
const validate = async (provider: 'CUSTOM' | 'WEBHOOK') => {
  const { post, send, demo } = server()
  const login = await post('/dashboard/auth/login', demo.developer)
  const headers = {
    authorization: `Bearer ${login.body.data.accessToken}`,
    'x-environment': 'LIVE',
  }
  const endpointUrl = `http://127.0.0.1:${(thinker.address() as AddressInfo).port}/v1`
  const name = `evil-${++made}`
  const input = { name, displayName: name, provider, modelId: 'm', endpointUrl }
  const { data } = (await post('/dashboard/arena-agents', input, headers)).body
  const path = `/dashboard/arena-agents/${data.id ?? data.agent.id}`
  const activated = await send(`${path}/activate`, { method: 'POST', headers })
  expect(activated.status).toBe(200)
  const read = async () => (await send(path, { headers })).body.data
  await waitUntil('its match is over', async () => (await read()).validationError !== null)
  return read()
}

test.each(Object.entries(evil))('an agent answers %s', async (_, text) => {
  answer = text
  requested = 0
  await attack(server, async () => {
    expect(await validate('CUSTOM')).toMatchObject({ status: 'DRAFT' })
    expect(await validate('WEBHOOK')).toMatchObject({ status: 'DRAFT' })
  })
  expect(requested).toBeGreaterThan(1)
})
