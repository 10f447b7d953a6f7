/** What changes of reward rules and offer rules would cost, from what happened in the last 30 days. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statementCounter } from '../count-statements.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-03-01T10:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(() => world.end())

const ask = async (query: string) => {
  const { body, text } = await world.graphql(query)
  expect(body.errors, text).toBeUndefined()
  return Object.values(body.data)[0]
}

const previewRewardRule = (eventType: string, points: number) =>
  ask(`{ previewRewardRule(rule: { eventType: "${eventType}", points: ${points} }) {
    awardCount { value precision } before { points awardedPoints } after { points awardedPoints } } }`)

const previewOfferRule = (rule: string) =>
  ask(`{ previewOfferRule(rule: { stage: NEW, offerType: WELCOME_BONUS, ${rule} }) {
    stageEntryCount before { points maxPoints } after { points maxPoints } reward { slug } } }`)

const exactly = (value: number) => ({ value, precision: 'EXACT' })

test('a preview of a reward rule counts the awards of its event type in the last 30 days', async () => {
  await world.givePoints('early', 2, 'purchase')
  now = new Date('2026-03-31T10:00:01Z')
  await world.givePoints('ann', 3, 'purchase')
  await world.givePoints('ben', 5, 'signup')
  await ask(`mutation { adjustPoints(input: { user: { externalId: "ann" }, points: 7, reason: "Goodwill" }) {
    __typename } }`)
  expect(await previewRewardRule('purchase', 77)).toEqual({
    awardCount: exactly(3),
    before: { points: 50, awardedPoints: 150 },
    after: { points: 77, awardedPoints: 231 },
  })
  expect(await previewRewardRule('survey', 10)).toEqual({
    awardCount: exactly(0),
    before: null,
    after: { points: 10, awardedPoints: 0 },
  })
  const rule = { where: { eventType: 'purchase' } }
  expect(await world.runtime.db.rewardRule.findFirst(rule)).toMatchObject({ points: 50 })
})

test('a preview of an offer rule counts the entries into its stage in the last 30 days', async () => {
  const root = '/v1/user-journeys/users'
  const enter = (externalId: string) => world.post(root, world.keys.public, { externalId })
  now = new Date('2026-05-01T10:00:00Z')
  await enter('old')
  now = new Date('2026-06-10T10:00:00Z')
  for (const name of ['one', 'two', 'three']) await enter(name)
  expect(await previewOfferRule('points: 20')).toEqual({
    stageEntryCount: 3,
    before: null,
    after: { points: 20, maxPoints: 60 },
    reward: null,
  })
  await ask(`mutation { setOfferRule(input: { stage: NEW, offerType: WELCOME_BONUS, points: 20 }) {
    __typename } }`)
  expect(await previewOfferRule('points: 500, creditsPoints: false')).toMatchObject({
    before: { points: 20, maxPoints: 60 },
    after: { points: 0, maxPoints: 0 },
  })
})

test('a preview of an offer rule names the reward of the rule, or else that of the type of offer', async () => {
  for (const slug of ['mug', 'spin'])
    await ask(`mutation { createReward(input: { slug: "${slug}", name: "${slug}", kind: ITEM }) {
      __typename } }`)
  expect(await previewOfferRule('reward: { slug: "mug" }')).toMatchObject({
    reward: { slug: 'mug' },
  })
  await ask(`mutation { setOfferReward(input: { offerType: WELCOME_BONUS, reward: { slug: "spin" } }) {
    __typename } }`)
  expect(await previewOfferRule('points: 1')).toMatchObject({ reward: { slug: 'spin' } })
  expect(await previewOfferRule('reward: { slug: "mug" }')).toMatchObject({
    reward: { slug: 'mug' },
  })
})

test('previews take a constant number of statements, and write nothing', async () => {
  const count = statementCounter(world)
  const [changes, versions] = [world.runtime.db.auditEntry, world.runtime.db.settingsVersion]
  const before = [await changes.count(), await versions.count()]
  expect(await count(() => previewRewardRule('purchase', 5))).toBeLessThanOrEqual(4)
  expect(await count(() => previewOfferRule('points: 5'))).toBeLessThanOrEqual(6)
  expect([await changes.count(), await versions.count()]).toEqual(before)
})
