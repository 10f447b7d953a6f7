/** The commands of docs/verify-a-draw.md and docs/fair-plays.md, as printed, on a fresh demo. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Demo, seedDemo, writeDemo } from '../../src/demo/demo.ts'
import { createFolder } from '../folder.ts'
import { createWorld, type World } from '../world.ts'

const bin = join(import.meta.dirname, '../../bin/tessera.js')
const blocksOf = (file: string) => {
  const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block as string)
}
const hasJq = (process.env.PATH ?? '').split(':').some((path) => existsSync(join(path, 'jq')))

let world: World
let demo: Demo
const folder = createFolder('documented-draw')
beforeAll(async () => {
  world = await createWorld()
  // A demo is only made in a database without partners.
  await world.runtime.db.$executeRaw`TRUNCATE partner CASCADE`
  demo = (await seedDemo(world.runtime)) as Demo
  writeDemo(join(folder, '.data'), demo)
})
afterAll(() => world.end())

test('the demo has a draw that is over, and an open one after it, in both environments', async () => {
  for (const secret of [demo.keys.secretTest, demo.keys.secretLive]) {
    const { body } = await world.get('/v1/lotteries/weekly-draw/draws', secret)
    const [open, over, ...others] = body.data
    expect(others).toEqual([])
    expect(over).toMatchObject({ drawNo: 1, status: 'COMPLETED', ticketCount: 60 })
    expect(open).toMatchObject({ drawNo: 2, status: 'OPEN', ticketCount: 0 })
    expect(Date.parse(over.opensAt)).toBeLessThan(Date.parse(over.closesAt))
    expect(Date.parse(over.completedAt)).toBeLessThan(Date.now())
    expect(Date.parse(open.closesAt)).toBeGreaterThan(Date.now())
  }
  expect(await audit(world.server.database.pool)).toBe(0)
})

/** What the commands of a guide print. */
const outputOf = async (file: string) => {
  const blocks = blocksOf(file)
  expect(blocks.length).toBeGreaterThan(2)
  const script = blocks
    .join('\n')
    .replace('http://localhost:4000', world.base)
    .replaceAll('npx tessera', `"${process.execPath}" "${bin}"`)
    .replaceAll('\nnode ', `\n"${process.execPath}" `)
  const { PATH = '', HOME = '' } = process.env
  // The server is in this process, so it must not wait.
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
    cwd: folder,
    env: { PATH, HOME },
  })
  return stdout
}

test.runIf(hasJq)('the commands verify one of them', async () => {
  const output = await outputOf('verify-a-draw.md')
  expect(output.match(/The proof holds\./g)).toHaveLength(2)
  expect(output).toMatch(/The list of 60 tickets is the one that was sealed/)
  expect(JSON.parse(output.slice(output.indexOf('\n{')))).toHaveProperty('salt')
})

test.runIf(hasJq)('the commands verify a play, however often they are used', async () => {
  for (const nonce of [1, 2]) {
    const output = await outputOf('fair-plays.md')
    expect(output.match(/The proof holds\./g)).toHaveLength(2)
    expect(output).toContain(`from both seeds, play ${nonce}, and version`)
  }
})
