/**
 * `tessera arena practice` against real agents on loopback, and the agent of docs/arena.md as printed.
 * Neighbours that were looked for: each fault, no server, and addresses that the server would refuse.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolder } from '../folder.ts'
import { freePort, startCommand } from '../server-process.ts'

const bin = join(import.meta.dirname, '../../bin/tessera.js')
const guide = readFileSync(new URL('../../docs/arena.md', import.meta.url), 'utf8')
const folder = createFolder('practice')

const practise = (args: string[], env: Record<string, string> = {}) =>
  startCommand(process.execPath, [bin, 'arena', 'practice', ...args], { NO_COLOR: '1', ...env })

const ended = async (args: string[], env?: Record<string, string>) => {
  const running = practise(args, env)
  return { code: await running.exited, output: running.output() }
}

type Situation = { legalMoves: string[] }
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** An agent that answers with a status and a body; null: never. */
const startAgent = async (
  answer: (situation: Situation) => [status: number, body: string] | null,
): Promise<string> => {
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const [status, body] = answer(data) ?? []
    if (status) response.writeHead(status).end(body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.concurrent('the agent of the guide', () => {
  const [, program = ''] = /```js\n(import { createHmac[\s\S]*?)```/.exec(guide) ?? []
  const start = async (env: Record<string, string> = {}) => {
    const port = await freePort()
    const path = join(folder, `agent-${port}.mjs`)
    writeFileSync(path, program.replaceAll('5001', String(port)))
    const agent = startCommand(process.execPath, [path], env)
    await agent.until('The agent answers')
    return { agent, url: `http://localhost:${port}` }
  }

  test('has at most twenty lines', () => {
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(20)
  })

  test('plays all games without a fault', async () => {
    const { agent, url } = await start()
    const { code, output } = await ended(['--agent', url])
    await agent.end('SIGTERM')
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('12 games: ') })
    expect(output).toMatch(/No faults\.\n\d+ answers took/)
    for (const title of ['Tic-tac-toe', 'Connect four', 'Rock paper scissors'])
      expect(output).toContain(`${title} game 4 of 4: you are player 2`)
    expect(output).toMatch(/\n {2}you +5 +\d+ ms\n/)
    expect(output).toMatch(/\n[✓=✗] (won|drawn|lost)\n/)
  })

  test('refuses requests that another secret signed', async () => {
    const { agent, url } = await start({ AGENT_SECRET: 'whsec_b3RoZXI=' })
    const options = ['--agent', url, '--game', 'tic-tac-toe', '--games', '1']
    const wrong = await ended(options)
    const right = await ended(options, { TESSERA_AGENT_SECRET: 'whsec_b3RoZXI=' })
    await agent.end('SIGTERM')
    expect(wrong).toEqual({ code: 1, output: expect.stringContaining('The status is 401') })
    expect(right).toEqual({ code: 0, output: expect.not.stringContaining('whsec_') })
  })
})

describe.concurrent('an agent with a fault ends with 1, and hears what was expected', () => {
  const cases: [string, string, RegExp, Parameters<typeof startAgent>[0]][] = [
    [
      'an illegal move',
      'ILLEGAL_MOVE',
      /the move "10"\n +Expected +status 200 and {"move": "…"}, one of ROCK PAPER SCISSORS/,
      () => [200, '{"move":"10"}'],
    ],
    ['an error', 'FAILED', /The status is 500/, () => [500, '']],
    ['a redirect', 'FAILED', /The status is 302/, () => [302, '']],
    ['text', 'FAILED', /The body is not JSON/, () => [200, 'I play the middle!']],
    ['no move', 'FAILED', /has no field `move`/, () => [200, '{"best":"5"}']],
    ['100 KB', 'FAILED', /larger than 64 KB/, () => [200, `{"move":"${'x'.repeat(100_000)}"}`]],
  ]
  test.each(cases)('%s', async (_, fault, message, answer) => {
    const { code, output } = await ended(['--agent', await startAgent(answer), '--games', '4'])
    expect(code).toBe(1)
    expect(output).toContain(`✗ you`)
    expect(output).toContain(fault)
    expect(output).toMatch(message)
    // Three faults in a row end the practice.
    expect(output).toMatch(
      /\n3 games: 0 won, 0 drawn, 3 lost\. 3 lost by a fault of your agent\.\n/,
    )
  })

  test('no answer in time', async () => {
    const url = await startAgent(() => null)
    const { code, output } = await ended(['--agent', url, '--games', '1', '--game', 'CONNECT_FOUR'])
    expect(code).toBe(1)
    expect(output).toMatch(/TIMEOUT +No answer in time\.\n +Received +no answer in 15 seconds\n/)
    expect(output).toContain('1 game: 0 won, 0 drawn, 1 lost. 1 lost by a fault')
  }, 60_000)

  test('no server', async () => {
    const { code, output } = await ended(['--agent', `localhost:${await freePort()}`])
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/Nothing answers at http.*\(ECONNREFUSED\)/),
    })
    expect(output).not.toContain('won')
  })
})

test('Ctrl-C ends it with what was played so far', async () => {
  const running = practise(['--agent', await startAgent(() => null)])
  await running.until('game 1 of 4')
  // As a terminal does: to both processes.
  process.kill(-running.pid, 'SIGINT')
  expect(await running.exited).toBe(130)
  expect(running.output()).toContain('0 games')
})

describe.concurrent('arguments that make no sense end it with 2 and one line', () => {
  test.each([
    [[], '--agent is missing'],
    [['--agent', 'ftp://localhost/'], '--agent must be an http or https URL'],
    [['--agent', 'http://8.8.8.8/'], '--agent must be an https URL in LIVE'],
    [['--agent', 'https://10.1.2.3/'], '--agent must not lead to a private'],
    [['--agent', 'https://user:pw@8.8.8.8/'], '--agent must not contain a user'],
    [['--agent', 'localhost:1', '--game', 'CHESS'], '--game must be one of'],
    [['--agent', 'localhost:1', '--games', '0'], '--games must be at least 1'],
    [['--agent', 'localhost:1', '--against', 'me'], '--against must be one of random'],
  ])('%j', async (args, message) => {
    const { code, output } = await ended(args)
    expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
    expect(output).toContain(message)
  })
})
