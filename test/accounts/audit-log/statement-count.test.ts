/** The cost of a mutation of settings: a transaction and two statements for its entry, for many things as for one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isBackground } from '../../count-statements.ts'
import { createWorld, type World } from '../../world.ts'

let world: World
/** What was done, in order: statements by name, and numbers drawn. */
let done: string[] = []

/** `note_changes` of a statement with a name; otherwise its first word: `BEGIN`. */
const nameOf = (query: string | { text: string }): string => {
  const text = typeof query === 'string' ? query : query.text
  return /^(?:\/\* |-- )(\w+)/.exec(text)?.[1] ?? text.trim().split(/\s/, 1)[0] ?? ''
}

type Query = (...args: unknown[]) => unknown

/** Notes the statements of the pool, and those of transactions, which take a connection. */
const watch = () => {
  const { pool } = world.server.database
  const note = (query: Query) =>
    ((...args: [string | { text: string }]) => {
      if (!isBackground(args[0])) done.push(nameOf(args[0]))
      return query(...args)
    }) as never
  const connect = pool.connect.bind(pool) as Query
  // A query of a pool takes its connection with a callback.
  pool.connect = (async (...args: unknown[]) => {
    if (args.length > 0) return connect(...args)
    const client = (await connect()) as { query: Query }
    return new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return name === 'query' ? note(value.bind(target)) : value.bind(target)
      },
    })
  }) as never
  pool.query = note(pool.query.bind(pool) as Query)
}

beforeAll(async () => {
  let next = 0
  const int = (bound: number) => {
    done.push('random')
    return next++ % bound
  }
  world = await createWorld({ random: { int } })
  watch()
})
afterAll(() => world.end())

/** The recorded actions of a mutation. */
const doneBy = async (mutation: string, input: object): Promise<string[]> => {
  const Name = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}`
  done = []
  const { body, text } = await world.graphql(
    `mutation ($input: ${Name}Input!) { result: ${mutation}(input: $input) { __typename } }`,
    { input },
  )
  expect(body.data?.result.__typename, text).toBe(`${Name}Payload`)
  return done
}

const inTransaction = (list: string[]) =>
  list.slice(list.indexOf('BEGIN'), list.indexOf('COMMIT') + 1)

test('an entry costs a transaction and two statements; an expected version costs nothing', async () => {
  const rule = (points: number) => ({ eventType: 'counted', points })
  const alone = ['BEGIN', 'note_changes', 'INSERT', 'insert_audit_entries', 'COMMIT']
  await doneBy('setRewardRule', rule(1))
  expect(await doneBy('setRewardRule', rule(2))).toEqual(alone)
  expect(await doneBy('setRewardRule', { ...rule(3), expectedVersion: 2 })).toEqual(alone)
})

const eventRules = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ eventType: `event-${i}`, points: i + 1 }))
const tiers = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `tier ${i}`, points: 1, maxWins: 5 }))
const rewards = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    tier: 'COMMON',
    type: 'POINTS',
    value: i,
    label: `${i}`,
    weight: 1,
  }))
const campaign = { slug: 'counted' }

test.each([
  [
    'createCampaign',
    (count: number) => ({
      slug: `counted-${count}`,
      name: 'Counted',
      eventRules: eventRules(count),
      instantWinRules: { winRate: 0.5, prizeTiers: tiers(count) },
    }),
  ],
  [
    'updateCampaign',
    (count: number) => ({
      campaign,
      eventRules: eventRules(count),
      instantWinRules: { winRate: 0.5, prizeTiers: tiers(count) },
    }),
  ],
  [
    'setGame',
    (count: number) => ({
      gameType: 'NEON_WHEEL',
      name: 'Wheel',
      description: 'A wheel.',
      price: 5,
      segments: 12,
      rewards: rewards(count),
    }),
  ],
])('%s takes as many statements for many things as for one', async (mutation, input) => {
  if (mutation === 'updateCampaign')
    await doneBy('createCampaign', { ...campaign, name: 'Counted' })
  const item = inTransaction(await doneBy(mutation, input(1)))
  expect(item.length).toBeGreaterThan(4)
  expect(inTransaction(await doneBy(mutation, input(20)))).toEqual(item)
})

test('the codes of a batch are drawn before the transaction, and written by one statement', async () => {
  const batch = (codeCount: number) => ({
    campaign: { slug: 'of-codes' },
    codeCount,
    points: 1,
  })
  await doneBy('createCampaign', { slug: 'of-codes', name: 'Codes' })
  const item = inTransaction(await doneBy('createCodeBatch', batch(1)))
  const many = await doneBy('createCodeBatch', batch(600))
  expect(many.filter((name) => name === 'random')).toHaveLength(600)
  expect(inTransaction(many)).toEqual(item)
  expect(item).not.toContain('random')
})
