/** What the console says about the conditions of a task is what the service decides. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  conditionsOf,
  metadataOf,
  type SimulatedEvent,
} from '../../console/goals/simulated-event.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('mina', 1)
})
afterAll(() => world.end())

const send = async (query: string, variables: Record<string, unknown>) => {
  const { body, text } = await world.graphql(query, variables)
  expect(body.errors, text).toBeUndefined()
  return body.data
}

const conditions = [
  { key: 'size', test: 'IS', values: ['12'] },
  { key: 'size', test: 'IS', values: ['true'] },
  { key: 'size', test: 'IS_NOT', values: ['12'] },
  { key: 'size', test: 'ONE_OF', values: ['shoes', '12', 'true'] },
  { key: 'size', test: 'AT_LEAST', number: 12 },
  { key: 'size', test: 'LESS_THAN', number: 12 },
  { key: 'size', test: 'EXISTS' },
] as const

const measures = [
  ...conditions.map((condition) => ({ facts: ['ACTIVITY'], where: [condition] })),
  { facts: ['ACTIVITY'], of: 'ATTRIBUTE', attribute: 'size' },
  { facts: ['ACTIVITY'], eventTypes: ['purchase'] },
  { facts: ['GAME_PLAYED'] },
  { facts: ['GAME_WON', 'POINTS_AWARDED'] },
  { facts: ['GAME_PLAYED'], gameType: 'NEON_WHEEL' },
]

const plain: SimulatedEvent = {
  fact: 'ACTIVITY',
  eventType: 'purchase',
  points: 0,
  gameType: null,
  campaign: null,
  metadata: {},
}

const events: SimulatedEvent[] = [
  plain,
  ...['12', '12.5', '-3', '011', 'shoes', 'true', '2000000000'].map((size) => ({
    ...plain,
    metadata: { size },
  })),
  { ...plain, eventType: 'visit' },
  { ...plain, fact: 'GAME_PLAYED', gameType: 'NEON_WHEEL' },
  { ...plain, fact: 'GAME_WON', gameType: 'COSMIC_SLOTS' },
  { ...plain, fact: 'POINTS_AWARDED' },
]

const goalOf = async (n: number, measure: object) => {
  const slug = `goal-${n}`
  await send(`mutation ($input: CreateGoalInput!) { createGoal(input: $input) { __typename } }`, {
    input: { slug, name: slug, window: 'EVER', repeat: 'ONCE', tasks: [{ target: 1, measure }] },
  })
  const { goal } = await send(
    `query ($slug: String!) { goal(by: { slug: $slug }) { tasks { measure {
      facts eventTypes gameType of attribute campaign { id name } where { key test values number } } } } }`,
    { slug },
  )
  return { slug, measure: goal.tasks[0].measure }
}

const matches = async (slug: string, event: SimulatedEvent): Promise<boolean> => {
  const { fact, eventType, points } = event
  const { goal } = await send(
    `query ($slug: String!, $fact: SimulatedFactInput!) {
      goal(by: { slug: $slug }) { simulatedFact(user: { externalId: "mina" }, fact: $fact) { tasks { amount } } } }`,
    { slug, fact: { fact, eventType, points, metadata: metadataOf(event) } },
  )
  return goal.simulatedFact.tasks[0].amount !== null
}

test.each(measures.map((measure, n) => [JSON.stringify(measure), measure, n] as const))(
  'an event meets all conditions of %s exactly if it counts',
  async (_, of, n) => {
    const { slug, measure } = await goalOf(n, of)
    const verdicts: boolean[] = []
    for (const event of events) {
      const isMet = conditionsOf(measure, event).every((item) => item.isMet)
      expect(await matches(slug, event), JSON.stringify(event)).toBe(isMet)
      verdicts.push(isMet)
    }
    expect(new Set(verdicts).size).toBe(2)
  },
)
