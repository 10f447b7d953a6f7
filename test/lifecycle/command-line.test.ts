/** `tessera`, as `npx` and a shell start it. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeOutside } from '../clients/sdk/project.ts'
import { createFolder } from '../folder.ts'
import { freePort, startCommand } from '../server-process.ts'
import { type Answer, createReceiver, type Receiver, signatureOf } from '../webhooks/receiver.ts'
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
    receiver = await createReceiver()
  })
  afterAll(async () => {
    await receiver?.end()
    await world?.end()
  })
  const listen = ({ url }: Receiver, more: string[] = []) => {
    const forward = url.replace('http://127.0.0.1', 'localhost')
    const options = ['--forward', forward, '--api-key', world.keys.secret, '--server', world.base]
    return tessera(['webhooks', 'listen', ...options, ...more])
  }

  test('forwards what happens from now on, in order and signed, and shows it', async () => {
    await world.givePoints('before', 1)
    const listening = listen(receiver)
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
      await expect.poll(() => listening.output()).toMatch(/200.*\n.*200.*\n.*200/)
    } finally {
      expect(await listening.end('SIGTERM')).toBe(0)
    }
    expect(listening.output()).not.toContain('Not accepted')
  }, 60_000)

  /** A receiver that answers this to the first attempts of the first event, and 200 to everything else. */
  const createUnwilling = (attempts: number, answer: Answer) => {
    const ids: unknown[] = []
    return createReceiver((_, { 'x-webhook-id': id }) => {
      ids.push(id)
      return id === ids[0] && ids.filter((item) => item === id).length <= attempts
        ? answer
        : { status: 200 }
    })
  }

  test('retries an event until it is accepted', async () => {
    const failing = await createUnwilling(2, { status: 500 })
    const listening = listen(failing)
    try {
      await listening.until('Ctrl-C')
      await world.givePoints('failing', 1)
      await listening.until('attempt 3 of 5')
      const { received } = failing
      expect(received.map(({ status }) => status)).toEqual([500, 500, 200])
      expect(new Set(received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1)
      expect(new Set(received.map(({ text }) => text)).size).toBe(1)
      expect(listening.output().trim().split('\n').slice(-3)).toEqual([
        expect.stringMatching(/500 .+, again in 1 s$/),
        expect.stringMatching(/500 .+, attempt 2 of 5, again in 5 s$/),
        expect.stringMatching(/200 .+, attempt 3 of 5$/),
      ])
    } finally {
      expect(await listening.end('SIGTERM')).toBe(0)
      await failing.end()
    }
  }, 60_000)

  test('sends other events while one waits, and at Ctrl-C says how to get that one again', async () => {
    const closed = await createUnwilling(1, { status: 503, headers: { 'retry-after': '600' } })
    const listening = listen(closed)
    try {
      await listening.until('Ctrl-C')
      await world.givePoints('waiting', 1)
      await listening.until('again in 600 s')
      await world.givePoints('accepted', 1)
      await listening.until('200 OK')
    } finally {
      // A terminal sends it to the whole group.
      process.kill(-listening.pid, 'SIGINT')
      expect(await listening.exited).toBe(0)
      await closed.end()
    }
    expect(listening.output()).toContain('Not accepted: one event.')
    const [, after = ''] = /--after (\S+)/.exec(listening.output()) ?? []
    const again = listen(receiver, ['--after', after])
    try {
      for (const { headers } of closed.received) await again.until(`${headers['x-webhook-id']}`)
      expect(closed.received.map(({ body }) => body.data.userId)).toEqual(['waiting', 'accepted'])
    } finally {
      await again.end('SIGTERM')
    }
  }, 60_000)

  test('gives up at 410', async () => {
    const gone = await createReceiver(() => 410)
    const listening = listen(gone)
    try {
      await listening.until('Ctrl-C')
      await world.givePoints('gone', 1)
      await listening.until('410 Gone')
      await listening.until('given up')
    } finally {
      expect(await listening.end('SIGTERM')).toBe(0)
      await gone.end()
    }
  }, 60_000)

  test.concurrent.each([
    ['a URL that is elsewhere', ['--forward', 'example.com/hook', '--api-key', 'sk_test_1'], 2],
    ['a public key', ['--forward', 'localhost:3000', '--api-key', 'pk_test_1'], 2],
    ['a key as guides print it', ['--forward', 'localhost:3000', '--api-key', 'sk_test_…'], 2],
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
