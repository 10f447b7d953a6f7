/** Recommendations lead to goals and to offers of rules that a partner has linked to them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAll } from '../programme/goals.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const succeed = async (document: string) => {
  const { text } = await world.graphql(document)
  expect(text).not.toContain('Error')
}

const recommendationsOf = async (userId: string, keys?: object) => {
  const document = `{ user(by: { externalId: "${userId}" }) { journey { stage recommendations {
    type goal { goal { slug } state } offer { title } } } } }`
  const { body, text } = await world.graphql(document, {}, keys)
  expect(body.errors, text).toBeUndefined()
  return body.data.user.journey.recommendations
}

const task = '{ target: 2, measure: { facts: [POINTS_AWARDED] } }'
const makeGoal = async (slug: string, more: string) => {
  await succeed(`mutation {
    createGoal(input: { slug: "${slug}", name: "${slug}", window: EVER, repeat: ONCE, countFrom: EVER, tasks: [${task}], ${more} })
      { __typename }
    startGoal(input: { goal: { slug: "${slug}" } }) { __typename } }`)
  await countAll(world.runtime)
}

test('without links they lead nowhere, and the documented fields stay', async () => {
  await world.givePoints('ann', 1)
  expect(await recommendationsOf('ann')).toEqual([
    { type: 'SPIN_TO_WIN', goal: null, offer: null },
    { type: 'FIRST_ACTION_REWARD', goal: null, offer: null },
  ])
  const { body } = await world.get('/v1/user-journeys/users/ann', world.keys.public)
  const keys = ['name', 'priority', 'reason', 'type']
  for (const recommendation of body.data.recommendations)
    expect(Object.keys(recommendation).sort()).toEqual(keys)
})

test('a goal that is linked is there with how far the user is, for REST and GraphQL', async () => {
  await makeGoal('later', 'recommendationType: FIRST_ACTION_REWARD, position: 2')
  await makeGoal('first', 'recommendationType: FIRST_ACTION_REWARD, position: 1')
  await makeGoal('secret', 'recommendationType: SPIN_TO_WIN, isSecret: true')
  const [spin, action] = await recommendationsOf('ann', { public: world.keys.public })
  expect(spin.goal).toBeNull()
  expect(action.goal).toEqual({ goal: { slug: 'first' }, state: 'IN_PROGRESS' })
  expect((await recommendationsOf('ann'))[0].goal.goal.slug).toBe('secret')
  const { body } = await world.get('/v1/user-journeys/users/ann', world.keys.public)
  expect(body.data.recommendations[1].goal).toEqual({
    goalId: expect.any(String),
    slug: 'first',
    name: 'first',
    state: 'IN_PROGRESS',
    nextAction: 'NONE',
  })
})

test('a goal that is paused, ended or not linked any more gives way to the next', async () => {
  const now = async () => (await recommendationsOf('ann'))[1].goal?.goal.slug
  await succeed('mutation { pauseGoal(input: { goal: { slug: "first" } }) { __typename } }')
  expect(await now()).toBe('later')
  await succeed(
    'mutation { updateGoal(input: { goal: { slug: "later" }, recommendationType: null }) { __typename } }',
  )
  expect(await now()).toBeUndefined()
})

test('an active offer of a rule that is linked is there, until the user claims it', async () => {
  await succeed(`mutation { setOfferRule(input: { stage: NEW, offerType: WELCOME_BONUS, title: "Hello", points: 5,
    recommendationType: SPIN_TO_WIN }) { __typename } }`)
  const external = { externalId: 'eve', category: 'CUSTOM', eventType: 'x' }
  await world.post('/v1/user-journeys/events', world.keys.public, external)
  const offered = async () => (await recommendationsOf('eve'))[0].offer
  await expect.poll(offered).toEqual({ title: 'Hello' })
  const { body } = await world.get('/v1/user-journeys/users/eve', world.keys.public)
  const { id, status } = body.data.recommendations[0].offer
  expect(status).toBe('active')
  await world.post(`/v1/user-journeys/users/eve/offers/${id}/claim`, world.keys.public)
  expect(await offered()).toBeNull()
})
