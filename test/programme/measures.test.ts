/** What a single fact adds up to: conditions on its metadata, and the number that counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const value = async (text: string, values: unknown[]) =>
  (await world.server.database.pool.query({ text, values })).rows[0]?.value

const metadata = {
  plan: 'gold',
  amount: 12.5,
  big: 1e21,
  no: false,
  none: null,
  list: [1],
  text: '7',
}
const is = (key: string, ...values: string[]) => ({ key, test: 'IS', values })

describe('conditions', () => {
  it.each([
    [[], true],
    [[is('plan', 'gold')], true],
    [[is('plan', 'Gold')], false],
    [[is('amount', '12.5')], true],
    [[is('big', '1e+21')], true],
    [[is('no', 'false')], true],
    // What is no text, number or boolean is none of the values, and neither is what is absent.
    [[is('list', '[1]')], false],
    [[is('none', 'null')], false],
    [[is('absent', '')], false],
    [[{ key: 'plan', test: 'IS_NOT', values: ['gold'] }], false],
    [[{ key: 'plan', test: 'IS_NOT', values: ['silver'] }], true],
    [[{ key: 'absent', test: 'IS_NOT', values: ['gold'] }], true],
    [[{ key: 'none', test: 'IS_NOT', values: ['gold'] }], true],
    [[{ key: 'plan', test: 'ONE_OF', values: ['silver', 'gold'] }], true],
    [[{ key: 'plan', test: 'ONE_OF', values: ['silver'] }], false],
    [[{ key: 'absent', test: 'ONE_OF', values: ['silver'] }], false],
    [[{ key: 'amount', test: 'AT_LEAST', number: 12.5 }], true],
    [[{ key: 'amount', test: 'AT_LEAST', number: 12.501 }], false],
    [[{ key: 'amount', test: 'LESS_THAN', number: 12.5 }], false],
    [[{ key: 'amount', test: 'LESS_THAN', number: 13 }], true],
    // A text is no number.
    [[{ key: 'text', test: 'AT_LEAST', number: 1 }], false],
    [[{ key: 'absent', test: 'LESS_THAN', number: 1 }], false],
    [[{ key: 'list', test: 'EXISTS' }], true],
    [[{ key: 'no', test: 'EXISTS' }], true],
    [[{ key: 'none', test: 'EXISTS' }], false],
    [[{ key: 'absent', test: 'EXISTS' }], false],
    // All of them must hold.
    [[is('plan', 'gold'), { key: 'amount', test: 'LESS_THAN', number: 1 }], false],
    [[is('plan', 'gold'), { key: 'amount', test: 'AT_LEAST', number: 1 }], true],
  ])('%j: %s', async (conditions, holds) => {
    const found = await value('SELECT conditions_hold($1::jsonb, $2::json) AS value', [
      JSON.stringify(conditions),
      JSON.stringify(metadata),
    ])
    expect(found).toBe(holds)
  })

  it('holds none but IS_NOT for a fact without metadata', async () => {
    const found = (conditions: object[]) =>
      value('SELECT conditions_hold($1::jsonb, NULL) AS value', [JSON.stringify(conditions)])
    expect(await found([is('plan', 'gold')])).toBe(false)
    expect(await found([{ key: 'plan', test: 'EXISTS' }])).toBe(false)
    expect(await found([{ key: 'plan', test: 'IS_NOT', values: ['gold'] }])).toBe(true)
  })
})

describe('an attribute', () => {
  it.each([
    [0, 0],
    [12.3456, 12.346],
    [0.0004, 0],
    [1_000_000_000, 1_000_000_000],
    [1_000_000_000.001, null],
    [-0.001, null],
    ['5', null],
    [true, null],
    [null, null],
    [[5], null],
  ])('%j is %s', async (given, expected) => {
    const found = await value("SELECT attribute_of($1::json, 'amount')::float8 AS value", [
      JSON.stringify({ amount: given }),
    ])
    expect(found).toBe(expected)
  })

  it('is absent without metadata, and under another key', async () => {
    expect(await value("SELECT attribute_of(NULL, 'amount') AS value", [])).toBe(null)
    expect(await value(`SELECT attribute_of('{"other":1}', 'amount') AS value`, [])).toBe(null)
  })
})

describe('steps', () => {
  it.each([
    [0, 5, null, 0],
    [4.999, 5, null, 0],
    [5, 5, null, 1],
    [14, 5, null, 2],
    [14, 5, 1, 1],
    // A reversal of what was not counted yet.
    [-5, 5, null, 0],
  ])('%s of %s, at most %s: %s', async (reached, target, most, steps) => {
    const text = 'SELECT reached_steps($1::numeric, $2::numeric, $3::int) AS value'
    expect(await value(text, [reached, target, most])).toBe(steps)
  })
})
