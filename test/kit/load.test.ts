/** Loaders of a request: which keys they hand to a reader together, and what they remember. */
import { expect, it } from 'vitest'
import type { Reader } from '../../src/kit/runtime.ts'
import { load } from '../../src/kit/schema/edge.ts'

/** A request whose reads are recorded and answered in capitals. */
const request = () => {
  const lists: (readonly unknown[])[] = []
  const readAll = async (_: unknown, keys: readonly unknown[]) => {
    lists.push(keys)
    return keys.map((key) => (key === 'bad' ? new Error('bad') : `${key}`.toUpperCase()))
  }
  return { lists, ctx: { readAll } as Parameters<typeof load>[0] }
}

const toCapitals: Reader<string, string> = async () => []
const others: Reader<string, string> = async () => []

it('hands the keys of one level to their reader in one list, each key once', async () => {
  const { lists, ctx } = request()
  const keys = ['b', 'a', 'b']
  const later = Promise.resolve().then(() => load(ctx, toCapitals, 'c'))
  const loaded = await Promise.all([
    ...keys.map((key) => load(ctx, toCapitals, key)),
    load(ctx, others, 'a'),
    later,
  ])
  expect(loaded).toEqual(['B', 'A', 'B', 'A', 'C'])
  expect(lists).toEqual([['b', 'a', 'c'], ['a']])
})

it('does not mix the keys of two requests', async () => {
  const [first, second] = [request(), request()]
  await Promise.all([load(first.ctx, toCapitals, 'a'), load(second.ctx, toCapitals, 'b')])
  expect([first.lists, second.lists]).toEqual([[['a']], [['b']]])
})

// Otherwise a subscription would show the rows of its first event for ever.
it('reads a key again after its batch', async () => {
  const { lists, ctx } = request()
  await load(ctx, toCapitals, 'a')
  await load(ctx, toCapitals, 'a')
  expect(lists).toEqual([['a'], ['a']])
})

it('rejects only the key that the reader refuses', async () => {
  const { ctx } = request()
  const loaded = await Promise.allSettled(
    ['a', 'bad', 'c'].map((key) => load(ctx, toCapitals, key)),
  )
  expect(loaded.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('splits a level of more than 256 keys', async () => {
  const { lists, ctx } = request()
  await Promise.all(Array.from({ length: 300 }, (_, n) => load(ctx, toCapitals, `${n}`)))
  expect(lists.map(({ length }) => length)).toEqual([256, 44])
})
