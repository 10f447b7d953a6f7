/**
 * Prints as JSON how many bytes each of many requests leaves in the old generation of the heap. It is a process of its own:
 * what other tests have left in theirs, such as hooks of asynchronous calls, makes requests leave more.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { InjectOptions } from 'fastify'
import { parse } from 'graphql'
import type { Context, KeyCaller } from '../../src/kit/access/context.ts'
import { rightsOfKind } from '../../src/kit/access/rights.ts'
import { compiled } from '../../src/rest/compiled.ts'
import { schema } from '../../src/schema.ts'
import { createWorld, onPostgres } from '../world.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

const oldBytes = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0

/** Bytes that each of many runs leaves in the old generation: the fewest of many short tries. */
const leftBy = async (run: () => Promise<unknown>): Promise<number> => {
  const runs = 500
  const runAll = async () => {
    for (let i = 0; i < runs; i++) {
      await run()
      // An object that survives two minor collections is moved to the old generation.
      if (i % 50 === 0) collect({ type: 'minor' })
    }
  }
  for (let i = 0; i < 4; i++) await runAll()
  let fewest = Number.POSITIVE_INFINITY
  for (let i = 0; i < 6; i++) {
    collect()
    const before = oldBytes()
    await runAll()
    fewest = Math.min(fewest, (oldBytes() - before) / runs)
  }
  return Math.round(fewest)
}

const world = await createWorld()

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

/** @throws Error unless a request is answered as expected: what fails early leaves less */
const measure = async (run: () => Promise<unknown>, expected: string): Promise<number> => {
  const answer = JSON.stringify(await run())
  if (!answer.includes(expected)) throw new Error(answer)
  return leftBy(run)
}

const award = compiled(
  schema,
  parse(`mutation ($input: AwardPointsInput!) {
    awardPoints(input: $input) { ... on Error { code } }
  }`),
)
const input = { user: { externalId: 'ann' }, eventType: 'purchase', reference: '' }
const viewer = compiled(schema, parse('{ viewer { environment } }'))
const { test: keys } = await world.createPartner()
const { app, database } = world.server
const payload = { query: '{ viewer { environment } }' }
const inject = async (options: InjectOptions) => (await app.inject(options)).body

const left = {
  mutationOfRoute: await measure(() => award({ input }, contextOf('secret')), 'VALIDATION_FAILED'),
  queryOfRoute: await measure(() => viewer({}, contextOf('public')), 'TEST'),
  /** The simulated connection leaves more than everything else. */
  connection: await measure(() => inject({ url: '/livez' }), ''),
  graphql: await measure(
    () =>
      inject({ method: 'POST', url: '/graphql', headers: { 'x-api-key': keys.public }, payload }),
    'TEST',
  ),
  rows: onPostgres
    ? await measure(
        async () => (await database.pool.query({ text: `SELECT repeat('x', 2000) AS text` })).rows,
        'xxx',
      )
    : 0,
}
await world.end()
console.log(JSON.stringify(left))
process.exit(0)
