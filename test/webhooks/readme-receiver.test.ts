import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../server-process.ts'
import { createWorld } from '../world.ts'

test('the receiver of the README accepts our requests and refuses others', async () => {
  const [, code] = /```js\n([\s\S]+?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  expect(code?.trim().split('\n').length).toBeLessThanOrEqual(15)
  const folder = mkdtempSync(join(tmpdir(), 'tessera-receiver-'))
  writeFileSync(join(folder, 'receiver.mjs'), code ?? '')
  const world = await createWorld({ config: { jobs: true, webhookAllowPrivate: true } })
  const port = await freePort()
  const { body } = await world.post('/v1/webhooks', world.keys.secret, {
    url: `http://127.0.0.1:${port}/`,
    events: ['*'],
  })
  const receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { PORT: String(port), WEBHOOK_SECRET: body.data.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    receiver.stdout.on('data', (chunk) => {
      said += chunk
    })
    const send = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    let forged = await send().catch(() => null)
    for (; !forged; forged = await send().catch(() => null))
      await new Promise((resolve) => setTimeout(resolve, 50))
    expect(forged.status).toBe(401)
    await world.givePoints('readme-user', 1)
    for (let i = 0; i < 200 && !said.includes('readme-user'); i++)
      await new Promise((resolve) => setTimeout(resolve, 25))
    expect(said).toMatch(/points\.awarded.*\n?.*readme-user/s)
  } finally {
    receiver.kill()
    await world.end()
    rmSync(folder, { recursive: true })
  }
})
