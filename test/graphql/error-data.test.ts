/** Errors contain the data that a client needs to continue, and the data is correct. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-05-01T12:00:00.000Z')

beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(() => world.end())

const fieldsOf = {
  NotFound: 'resource path',
  InsufficientPoints: 'balance price',
  DuplicateReference: 'firstEntry { reference points }',
  Limit: 'limit current retryAfterSeconds',
  NotActive: 'status since',
  Taken: 'path value',
  AlreadyDone: 'doneAt',
  InvalidCode: 'since',
}

/** The result of a mutation, with the data of errors of a kind. */
const refusal = async (mutation: string, kind: keyof typeof fieldsOf, input: object) => {
  const Name = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}`
  const { body } = await world.graphql(
    `mutation ($input: ${Name}Input!) {
      result: ${mutation}(input: $input) {
        __typename ... on Error { code } ... on ${kind}Error { ${fieldsOf[kind]} }
      }
    }`,
    { input },
  )
  return body.data?.result ?? body
}

test('too few points: the balance and the price', async () => {
  await world.givePoints('ann', 1, 'daily_login')
  expect(
    await refusal('playGame', 'InsufficientPoints', {
      user: { externalId: 'ann' },
      gameType: 'COSMIC_SLOTS',
    }),
  ).toEqual({
    __typename: 'InsufficientPointsError',
    code: 'INSUFFICIENT_POINTS',
    balance: 10,
    price: 30,
  })
})

test('a missing object', async () => {
  const noRule = await refusal('awardPoints', 'NotFound', {
    user: { externalId: 'ann' },
    eventType: 'no',
  })
  expect(noRule).toMatchObject({ __typename: 'NotFoundError', resource: 'REWARD_RULE', path: null })
  const noUser = await refusal('playGame', 'NotFound', {
    user: { externalId: 'no' },
    gameType: 'NEON_WHEEL',
  })
  expect(noUser).toMatchObject({ __typename: 'NotFoundError', resource: 'USER', path: ['user'] })
})

test('a referral of which the campaign, or the referrer, is missing', async () => {
  const slug = await makeCampaign(world, 'summer-sale', { startsAt: null, endsAt: null })
  const refer = (slug: string) =>
    refusal('recordReferral', 'NotFound', {
      campaign: { slug },
      referrer: { externalId: 'nobody' },
      referee: { externalId: 'new' },
      referralCode: 'ABC',
    })
  expect(await refer('no')).toMatchObject({ code: 'CAMPAIGN_NOT_FOUND', resource: 'CAMPAIGN' })
  expect(await refer(slug)).toMatchObject({ code: 'USER_NOT_FOUND', resource: 'USER' })
})

test('a repeated reference: the entry that has it, even in the same batch', async () => {
  const award = { user: { externalId: 'ben' }, eventType: 'signup', reference: 'once' }
  const entry = { reference: 'once', points: 100 }
  const together = await Promise.all(
    [1, 2].map(() => refusal('awardPoints', 'DuplicateReference', award)),
  )
  const later = await refusal('awardPoints', 'DuplicateReference', award)
  const refused = [...together, later].filter(({ code }) => code === 'DUPLICATE_REFERENCE')
  expect(refused).toMatchObject([{ firstEntry: entry }, { firstEntry: entry }])
})

test('a conflicting status, and since when', async () => {
  const endsAt = new Date('2026-05-02T00:00:00.000Z')
  const slug = await makeCampaign(world, 'summer-sale', { endsAt })
  const event = {
    campaign: { slug },
    user: { externalId: 'ann' },
    eventType: 'purchase',
  }
  now = new Date('2026-05-03T00:00:00.000Z')
  expect(await refusal('recordCampaignEvent', 'NotActive', event)).toMatchObject({
    __typename: 'NotActiveError',
    status: 'ENDED',
    since: endsAt.toISOString(),
  })
  expect(
    await refusal('recordCampaignEvent', 'NotFound', { ...event, campaign: { slug: 'no' } }),
  ).toMatchObject({ code: 'CAMPAIGN_NOT_FOUND', resource: 'CAMPAIGN' })
})

test('a limit, and the current count', async () => {
  const slug = await makeCampaign(world, 'winter-archive', {
    status: 'ACTIVE',
    startsAt: null,
    endsAt: null,
    maxEventsPerUser: 1,
  })
  const event = {
    campaign: { slug },
    user: { externalId: 'cat' },
    eventType: 'purchase',
  }
  await refusal('recordCampaignEvent', 'Limit', event)
  expect(await refusal('recordCampaignEvent', 'Limit', event)).toMatchObject({
    __typename: 'LimitError',
    limit: 1,
    current: 1,
    retryAfterSeconds: null,
  })
})

test('a code that was redeemed: when', async () => {
  const slug = await makeCampaign(world, 'summer-sale', { startsAt: null, endsAt: null })
  const made = await world.post('/v1/campaigns/codes/generate', world.keys.secret, {
    slug,
    batchSize: 1,
    pointsValue: 5,
  })
  const code = made.body.data.codes[0]
  const redemption = { campaign: { slug }, user: { externalId: 'dan' }, code }
  await refusal('redeemCode', 'AlreadyDone', redemption)
  expect(await refusal('redeemCode', 'AlreadyDone', redemption)).toMatchObject({
    __typename: 'AlreadyDoneError',
    doneAt: now.toISOString(),
  })
  expect(
    await refusal('redeemCode', 'InvalidCode', { ...redemption, code: 'SUMM-NOPENOPE' }),
  ).toMatchObject({
    __typename: 'InvalidCodeError',
    since: null,
  })
})

test('a value that is taken: which', async () => {
  const slug = await makeCampaign(world, 'summer-sale')
  expect(await refusal('createCampaign', 'Taken', { slug, name: 'Again' })).toMatchObject({
    __typename: 'TakenError',
    path: ['slug'],
    value: slug,
  })
})
