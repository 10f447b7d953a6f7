/** `tessera`, as `npx` and a shell start it. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder } from '../folder.ts'
import { nodeOutside } from '../sdk/project.ts'
import { freePort, startCommand } from '../server-process.ts'
import { createReceiver, type Receiver, signatureOf } from '../webhooks/receiver.ts'
import { createWorld, type World } from '../world.ts'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'bin/tessera.js')
const tessera = (args: string[], env: Record<string, string> = {}, node = nodeOutside) =>
  startCommand(node, [bin, ...args], { NO_COLOR: '1', ...env })

const ended = async (args: string[], env?: Record<string, string>) => {
  const command = tessera(args, env)
  return { code: await command.exited, output: command.output() }
}

describe('tessera', () => {
  test('is a command of the package', async () => {
    const { stdout } = await promisify(execFile)('npx', ['--offline', 'tessera', '--version'], {
      cwd: root,
    })
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
  }, 120_000)

  test('tells its commands, and refuses others', async () => {
    const { code, output } = await ended(['--help'])
    expect(code).toBe(0)
    for (const name of ['start', 'seed', 'migrate', 'audit', 'verify', 'webhooks listen'])
      expect(output).toContain(`\n  ${name} `)
    expect(await ended(['play'])).toMatchObject({
      code: 2,
      output: expect.stringMatching(/no command play/),
    })
    expect((await ended(['webhooks'])).code).toBe(2)
  })

  test('ends as its program ends', async () => {
    const { code, output } = await ended(['verify', 'no-such-file.json'])
    expect(code).toBeGreaterThan(0)
    expect(output).toContain('no-such-file')
    const dataDir = createFolder('command')
    const env = { PORT: String(await freePort()), HOST: '127.0.0.1', DATA_DIR: dataDir }
    const running = tessera([], { ...env, DRAIN_DELAY_MS: '0' })
    await running.until('Ctrl-C')
    expect(await running.end('SIGTERM')).toBe(0)
    expect(await ended(['audit'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing is broken.'),
    })
    rmSync(dataDir, { recursive: true })
    const server = tessera(['start'], { PORT: '0', DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/d' })
    expect(await server.exited).toBe(1)
  })
})

describe('tessera webhooks listen', () => {
  let world: World
  let receiver: Receiver
  beforeAll(async () => {
    world = await createWorld()
    receiver = await createReceiver((n) => (n === 2 ? 500 : 200))
  })
  afterAll(async () => {
    await receiver?.end()
    await world?.end()
  })

  test('forwards what happens from now on, in order and signed, and shows it', async () => {
    await world.givePoints('before', 1)
    const forward = receiver.url.replace('http://127.0.0.1', 'localhost')
    const options = ['--forward', forward, '--api-key', world.keys.secret, '--server', world.base]
    const listening = tessera(['webhooks', 'listen', ...options])
    try {
      await listening.until('Ctrl-C')
      const [, secret = ''] = /secret is (whsec_\S+)/.exec(listening.output()) ?? []
      await world.givePoints('first', 1)
      await world.givePoints('second', 1)
      await world.givePoints('third', 1)
      const received = await receiver.until(3)
      expect(received.map(({ body }) => body.data.userId)).toEqual(['first', 'second', 'third'])
      const { Webhook } = await import('standardwebhooks')
      for (const { headers, text, body } of received) {
        expect(headers['x-webhook-signature']).toBe(signatureOf(secret, text))
        expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body)
        expect(headers['x-webhook-event']).toBe('points.awarded')
      }
      await expect.poll(() => listening.output()).toMatch(/200.*\n.*500.*\n.*200/)
    } finally {
      await listening.end('SIGTERM')
    }
  }, 60_000)

  test.each([
    ['a URL that is elsewhere', ['--forward', 'example.com/hook', '--api-key', 'sk_test_1'], 2],
    ['a public key', ['--forward', 'localhost:3000', '--api-key', 'pk_test_1'], 2],
    ['no URL', ['--api-key', 'sk_test_1'], 2],
    ['an option that it does not know', ['--to', 'localhost:3000'], 2],
  ])('refuses %s', async (_, options, code) => {
    expect((await ended(['webhooks', 'listen', ...options])).code).toBe(code)
  })

  test('ends with the reason when the key is wrong', async () => {
    const options = ['--forward', 'localhost:1', '--api-key', 'sk_test_1', '--server', world.base]
    const { code, output } = await ended(['webhooks', 'listen', ...options])
    expect(code).toBe(1)
    expect(output).toContain('Invalid API key')
  })
})
