/**
 * Garbage of requests is collected while it is young, so that the whole heap rarely is
 * (docs/decisions/server-start-and-memory.md).
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { onPostgres } from '../world.ts'

const script = fileURLToPath(new URL('./short-lived.ts', import.meta.url))

let left: Record<'mutationOfRoute' | 'queryOfRoute' | 'connection' | 'graphql' | 'rows', number>
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  left = JSON.parse(stdout.trim().split('\n').at(-1) as string)
})

test('a mutation of a route', () => {
  expect(left.mutationOfRoute).toBeLessThan(1_500)
})

test('a query of a route', () => {
  expect(left.queryOfRoute).toBeLessThan(500)
})

test('a query of `/graphql`', () => {
  expect(left.graphql - left.connection).toBeLessThan(5_500)
})

test.runIf(onPostgres)('the rows of a statement', () => {
  expect(left.rows).toBeLessThan(500)
})
