import { expect, test } from 'vitest'
import { newId } from '../../src/kit/random.ts'

test('ids are UUIDs of version 7, are all different and sort in the order in which they were made', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids.slice(0, 1000))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const msecs = Number.parseInt((ids[0] as string).replace('-', '').slice(0, 12), 16)
  expect(Math.abs(msecs - Date.now())).toBeLessThan(60_000)
})
