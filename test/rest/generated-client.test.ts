/** A client that a generator makes of `openapi.json`, as partners make theirs. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typesOfDocument } from '../../scripts/openapi-types.ts'
import { createWorld, type World } from '../world.ts'

/** Compiles only with the types of the document. */
const use = `
import createClient from 'openapi-fetch'
import type { ArenaGame, paths, Play, Ticket } from './types'

export const use = async (baseUrl: string, publicKey: string, secretKey: string) => {
  const headers = { 'x-api-key': publicKey, 'x-api-secret': secretKey }
  const client = createClient<paths>({ baseUrl, headers })
  await client.POST('/v1/points/award', { body: { userId: 'ann', eventType: 'signup' } })
  const body = { userId: 'ann', gameType: 'NEON_WHEEL' } as const
  const { data: played } = await client.POST('/v1/games/play', { body })
  const play: Play | undefined = played?.data
  const games = await client.GET('/v1/arena/games', { params: { query: { limit: 1 } } })
  const game: ArenaGame | undefined = games.data?.data[0]
  const params = { path: { slug: 'none' } }
  const { data, error } = await client.GET('/v1/lotteries/{slug}/entries', { params })
  const ticket: Ticket | undefined = data?.data[0]
  // @ts-expect-error no field of a play
  const odd = play?.unknown
  // @ts-expect-error no body of an award
  const wrong = () => client.POST('/v1/points/award', { body: { userId: 1 } })
  return { play, total: games.data?.meta.total, errorCode: error?.errorCode, rest: [game, ticket, odd, wrong] }
}
`

const root = fileURLToPath(new URL('../..', import.meta.url))

let world: World
let folder: string
beforeAll(async () => {
  world = await createWorld()
  const cache = join(root, 'node_modules/.cache/tessera')
  mkdirSync(cache, { recursive: true })
  // Inside the repository, so that packages resolve.
  folder = mkdtempSync(join(cache, 'generated-client-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.end()
})

/** Returns what the compiler reports. */
const compile = (): string => {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  try {
    return String(execFileSync(process.execPath, [compiler, '-p', folder]))
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout)
  }
}

test('compiles with types called Play, Ticket and ArenaGame, and plays', async () => {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  writeFileSync(join(folder, 'types.ts'), await typesOfDocument(document, true))
  writeFileSync(join(folder, 'use.ts'), use)
  expect(compile()).toBe('')
  const { use: run } = await import(pathToFileURL(join(folder, 'use.js')).href)
  const { play, total, errorCode } = await run(world.base, world.keys.public, world.keys.secret)
  expect(play).toMatchObject({ userId: 'ann', gameType: 'NEON_WHEEL', environment: 'TEST' })
  expect(total).toEqual(expect.any(Number))
  expect(errorCode).toBe('LOTTERY_NOT_FOUND')
}, 120_000)
