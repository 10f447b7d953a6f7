/** Garbage of requests is collected while it is young, so that the whole heap rarely is (decision 0209). */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parse } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context, KeyCaller } from '../../src/kit/access/context.ts'
import { rightsOfKind } from '../../src/kit/access/rights.ts'
import { compiled } from '../../src/rest/compiled.ts'
import { schema } from '../../src/schema.ts'
import { createWorld, onPostgres, type World } from '../world.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const oldBytes = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0

/** Bytes that each of many runs leaves in the old generation of the heap: the fewest of three tries. */
const leftBy = async (run: () => Promise<unknown>) => {
  const runs = 4_000
  const runAll = async () => {
    for (let i = 0; i < runs; i++) {
      await run()
      // An object that survives two minor collections is moved to the old generation.
      if (i % 200 === 0) collect({ type: 'minor' })
    }
  }
  await runAll()
  let fewest = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    collect()
    const before = oldBytes()
    await runAll()
    fewest = Math.min(fewest, (oldBytes() - before) / runs)
  }
  return fewest
}

const contextOf = (kind: 'public' | 'secret'): Context => {
  const rights = rightsOfKind[kind === 'public' ? 'PUBLIC' : 'SECRET']
  const caller = { ...world.tenant, kind, keyId: 'key', applicationId: 'app', rights }
  return {
    ...world.runtime,
    callers: { [kind]: caller as unknown as KeyCaller },
    requestId: 'one',
    ip: '127.0.0.1',
  }
}

test('a mutation of a route', async () => {
  const execute = compiled(
    schema,
    parse(`mutation ($input: AwardPointsInput!) {
      awardPoints(input: $input) { ... on Error { code } }
    }`),
  )
  const input = { user: { externalId: 'ann' }, eventType: 'purchase', reference: '' }
  const run = () => execute({ input }, contextOf('secret'))
  expect(await run()).toEqual({ data: { awardPoints: { code: 'VALIDATION_FAILED' } } })
  expect(await leftBy(run)).toBeLessThan(1_500)
})

test('a query of a route', async () => {
  const execute = compiled(schema, parse('{ viewer { environment } }'))
  const run = () => execute({}, contextOf('public'))
  expect(await run()).toEqual({ data: { viewer: { environment: 'TEST' } } })
  expect(await leftBy(run)).toBeLessThan(500)
})

test('a query of `/graphql`', async () => {
  const { test: keys } = await world.createPartner()
  const { app } = world.server
  const headers = { 'x-api-key': keys.public }
  const payload = { query: '{ viewer { environment } }' }
  const run = () => app.inject({ method: 'POST', url: '/graphql', headers, payload })
  expect((await run()).json().data).toEqual({ viewer: { environment: 'TEST' } })
  // The simulated connection leaves more than everything else, so it is subtracted.
  const alive = await leftBy(() => app.inject('/livez'))
  expect((await leftBy(run)) - alive).toBeLessThan(5_500)
})

test.runIf(onPostgres)('the rows of a statement', async () => {
  const { pool } = world.server.database
  const run = () => pool.query({ text: `SELECT repeat('x', 2000) AS text` })
  expect((await run()).rows[0].text).toHaveLength(2000)
  expect(await leftBy(run)).toBeLessThan(500)
})
