/**
 * What `compose.yaml` opens to whom. Neighbours that were looked for: ports, secrets in arguments or the environment, and
 * secrets that nobody writes.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createFolder } from '../folder.ts'
import { freePort, startCommand } from '../server-process.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

type Service = {
  networks: string[]
  ports?: string[]
  secrets?: string[]
  command?: string[]
  environment?: Record<string, unknown>
}
type Compose = {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean } | null>
  secrets: Record<string, { file: string }>
}
const { services, networks, secrets }: Compose = parse(read('compose.yaml'), { merge: true })

/** Services that share a network with another one. */
const reachable = (name: string) =>
  Object.keys(services).filter(
    (other) =>
      other !== name &&
      services[other]?.networks.some((network) => services[name]?.networks.includes(network)),
  )

describe('the networks of compose.yaml', () => {
  test('let the proxy reach the nodes only', () => {
    expect(reachable('caddy')).toEqual(['node-1', 'node-2'])
  })

  test.each(['postgres', 'redis'])('let only nodes reach %s, and it nothing outside', (name) => {
    expect(reachable(name)).toEqual(['node-1', 'node-2'])
    for (const network of services[name]?.networks ?? [])
      expect(networks[network]).toEqual({ internal: true })
  })

  test('let nodes reach receivers of webhooks outside', () => {
    for (const name of ['node-1', 'node-2'])
      expect(services[name]?.networks.some((network) => !networks[network]?.internal)).toBe(true)
  })

  test('publish the ports of the proxy only', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['caddy'])
  })
})

/** Runs the commands of the documentation, up to the one that needs Docker. */
const writeSecrets = () => {
  const [, block = ''] = /```sh\n(mkdir [\s\S]*?)```/.exec(read('docs/deploy.md')) ?? []
  const commands = block.split('\n').filter((line) => !line.includes('docker'))
  const cwd = createFolder('compose')
  execFileSync('sh', ['-ec', commands.join('\n')], { cwd })
  return join(cwd, 'secrets')
}

describe('the secrets of compose.yaml', () => {
  test('are all written by the commands of the documentation', () => {
    const files = Object.values(secrets).map(({ file }) => file.replace('./secrets/', ''))
    expect(readdirSync(writeSecrets()).sort()).toEqual(files.sort())
  })

  test('are handed over as files, and not in arguments or variables', () => {
    for (const { command = [], environment = {}, secrets: used = [] } of Object.values(services)) {
      for (const name of used) expect(secrets).toHaveProperty(name)
      expect(command.join(' ')).not.toMatch(/requirepass|password/i)
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|KEY|DATABASE_URL|REDIS_URL/.test(name))
          expect(value).toMatch(/^\/run\/secrets\//)
    }
  })

  test('make Redis require the password that the nodes have', async () => {
    const folder = writeSecrets()
    const port = await freePort()
    const args = (services.redis?.command ?? []).map((argument) =>
      argument.replace('/run/secrets', folder),
    )
    const [program = '', ...rest] = args
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
    const running = startCommand(program, [...rest, ...own], {})
    const url = readFileSync(join(folder, 'redis_url'), 'utf8').trim()
    const connect = (address: string) =>
      new Redis(address, { lazyConnect: true, maxRetriesPerRequest: 0 }).on('error', () => {})
    const [node, stranger] = [
      connect(url.replace('redis:6379', `127.0.0.1:${port}`)),
      connect(`redis://127.0.0.1:${port}`),
    ]
    try {
      await running.until('Ready to accept connections')
      expect(await node.ping()).toBe('PONG')
      await expect(stranger.ping()).rejects.toThrow('NOAUTH')
    } finally {
      node.disconnect()
      stranger.disconnect()
      await running.end('SIGTERM')
    }
  })
})
