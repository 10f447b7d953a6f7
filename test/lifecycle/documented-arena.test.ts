/** The commands of docs/arena.md, as printed and in this order, on a fresh demo. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder } from '../folder.ts'
import { freePort, readDemo, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, type TestDatabase } from '../world.ts'

const bin = join(import.meta.dirname, '../../bin/tessera.js')
const text = readFileSync(new URL('../../docs/arena.md', import.meta.url), 'utf8')
const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block]) =>
  (block as string).trim(),
)
const [, agent = ''] = /```js\n(import { createHmac[\s\S]*?)```/.exec(text) ?? []
const hasJq = (process.env.PATH ?? '').split(':').some((path) => existsSync(join(path, 'jq')))

let database: TestDatabase
let server: ServerProcess
let agentPort: string
const folder = createFolder('documented-arena')
beforeAll(async () => {
  database = await createDatabase(false, false)
  const pauses = { ARENA_MOVE_PAUSE_MS: '0', ARENA_GAME_PAUSE_MS: '0', ARENA_MATCHMAKER: 'off' }
  server = await startServer(database, pauses)
  agentPort = String(await freePort())
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/demo.json'), JSON.stringify(readDemo(database)))
  writeFileSync(join(folder, 'agent.mjs'), agent.replaceAll('5001', agentPort))
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await database.drop()
})

/** What a reader does in a second terminal, or after a while. */
const scriptOf = (block: string): string => {
  if (block.includes('arena practice'))
    return `node agent.mjs & AGENT_PID=$!; sleep 1\n${block}\nkill $AGENT_PID`
  // The secret is shown once, so a second time must not lose it.
  if (block.includes('> agent.json')) return `${block}\n${block}`
  if (block.startsWith('AGENT_SECRET=')) return `${block} & AGENT_PID=$!; sleep 1`
  if (block.includes('v1/arena/matches/$MATCH')) return `sleep 5\n${block}`
  return block.replace('sleep 15', 'sleep 5')
}

test.runIf(hasJq)(
  'an agent, a game and a match come of them',
  async () => {
    const script = ["trap 'kill $AGENT_PID 2>/dev/null' EXIT", ...blocks.map(scriptOf)]
      .join('\n')
      .replaceAll('http://localhost:4000', server.base)
      .replaceAll('5001', agentPort)
      .replaceAll('npx tessera', `"${process.execPath}" "${bin}"`)
      .replaceAll(/\bnode agent/g, `"${process.execPath}" agent`)
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, NO_COLOR: '1' }
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env })
    expect(stdout).toContain('my-game\nAPPROVED\n')
    expect(stdout).toMatch(/\n12 games: .*No faults\.\n/)
    expect(stdout).toContain('"message":"Game accepted successfully"')
    expect(stdout).toMatch(/\n(whsec_\S+)\n\1\n/)
    expect(stdout).toMatch(/"status": "ACTIVE",\n {2}"validationError": null/)
    expect(stdout).toContain(`${server.base}/arena/matches/`)
    expect(stdout).toMatch(/"status": "COMPLETED",\n {2}"agent1Score": \d/)
    expect(stdout).toMatch(/"eloRating": 1200,\n {2}"tier": "ROOKIE"/)
  },
  120_000,
)
