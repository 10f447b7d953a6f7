/** The watch itself: what it must detect, and what it must ignore. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { attack, hostileServer, times } from './hostile-server.ts'

const server = hostileServer()

test('ordinary requests do not block the server', () =>
  attack(server, async () => {
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all(times(4, () => server().graphql('{ games { name } }')))
      for (const { status, body } of answers) {
        expect(status).toBe(200)
        expect(body.data.games).toHaveLength(3)
      }
    }
  }))

/** A server that computes for 800 ms when asked for `/slow`, and ends when asked for `/end`. */
const weak = `
  const used = () => process.cpuUsage().user / 1000
  const slow = () => { for (const end = used() + 800; used() < end; ) continue }
  const server = require('node:http').createServer(({ url }, answer) => {
    if (url === '/slow') slow()
    if (url === '/end') process.exit(1)
    answer.end('ok')
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

test.each([
  ['/slow', 'longest wait'],
  ['/end', 'the process ended'],
])('a server that is held up or ended is seen: %s', async (path, message) => {
  const child = spawn(process.execPath, ['-e', weak], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [port] = await once(child.stdout, 'data')
  const base = `http://127.0.0.1:${Number(port)}`
  const isAlive = () => child.exitCode === null
  const attacked = attack(
    () => ({ base, pid: child.pid as number, isAlive, output: () => '' }),
    () => fetch(base + path).catch(() => {}),
  )
  await expect(attacked).rejects.toThrow(message)
  child.kill('SIGKILL')
})
