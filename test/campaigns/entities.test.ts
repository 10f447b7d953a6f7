/** What happens in a campaign, as nodes with edges: mutations answer with them, and `node` finds them again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let slug: string

beforeAll(async () => {
  world = await createWorld()
  slug = await makeCampaign(world, 'golden-ticket', {
    referralRules: { referrerReward: 3, refereeReward: 2 },
  })
})
afterAll(() => world.end())

const user = (externalId: string) => ({ externalId })

/** Runs a mutation in the campaign; gives its payload, or the error. */
const run = async (name: string, input: object, payload: string) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const { body } = await world.graphql(
    `mutation ($input: ${Name}Input!) { result: ${name}(input: $input) {
      ... on ${Name}Payload { ${payload} } ... on Error { code } } }`,
    { input: { campaign: { slug }, ...input } },
  )
  expect(body.errors).toBeUndefined()
  return body.data.result
}

const reload = async (type: string, { id }: { id: string }, fields: string) => {
  const { body } = await world.graphql(`{ node(id: "${id}") { ... on ${type} { ${fields} } } }`)
  expect(body.errors).toBeUndefined()
  return body.data.node
}

const participant =
  'participant { campaignPoints eventCount winCount user { balance } } user { balance }'
const win = `id points prizeTier { name } campaign { slug } user { externalId } wonAt expiresAt redeemedAt`

test('an event is answered with itself, its prize, the participant and the user', async () => {
  const event = `id number eventType points isDrawn campaign { slug } user { externalId }
    instantWin { id } occurredAt`
  const recorded = await run(
    'recordCampaignEvent',
    { user: user('ann'), eventType: 'purchase' },
    `campaignEvent { ${event} } draw { isWon winCode instantWin { ${win} } } ${participant}`,
  )
  const { campaignEvent, draw } = recorded
  expect(recorded).toMatchObject({
    campaignEvent: {
      ...{ number: 1, eventType: 'purchase', points: 10, isDrawn: true },
      ...{
        campaign: { slug },
        user: { externalId: 'ann' },
        instantWin: { id: draw.instantWin.id },
      },
    },
    draw: { isWon: true, winCode: expect.any(String), instantWin: { redeemedAt: null } },
    participant: { campaignPoints: 10, eventCount: 1, winCount: 1, user: { balance: 10 } },
    user: { balance: 10 },
  })
  expect(await reload('CampaignEvent', campaignEvent, event)).toEqual(campaignEvent)
  expect(await reload('InstantWin', draw.instantWin, win)).toEqual(draw.instantWin)

  const redeemed = await run(
    'redeemWinCode',
    { user: user('ann'), winCode: draw.winCode },
    `instantWin { ${win} } ${participant}`,
  )
  const { points } = draw.instantWin
  const { redeemedAt } = redeemed.instantWin
  expect(redeemed).toEqual({
    instantWin: { ...draw.instantWin, redeemedAt: expect.any(String) },
    participant: {
      ...{ campaignPoints: 10 + points, eventCount: 1, winCount: 1 },
      user: { balance: 10 + points },
    },
    user: { balance: 10 + points },
  })
  expect((await reload('InstantWin', redeemed.instantWin, win)).redeemedAt).toBe(redeemedAt)
})

test('a user is named by id as by externalId; an id of nobody is no new user', async () => {
  await world.givePoints('ben', 1)
  const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: user('ben') })
  const record = (by: object) =>
    run('recordCampaignEvent', { user: by, eventType: 'purchase' }, 'user { externalId }')
  expect(await record({ id })).toEqual({ user: { externalId: 'ben' } })
  const nobody = '00000000-0000-7000-8000-000000000000'
  expect(await record({ id: nobody })).toEqual({ code: 'USER_NOT_FOUND' })
})

test('a code is answered with its batch, the participant and the user', async () => {
  const made = await callsTo(world).generate({ slug, batchSize: 2, pointsValue: 25 })
  const [code] = made.body.data.codes
  const payload = `codeBatch { uuid redeemedCount campaign { slug } } ${participant}`
  expect(await run('redeemCode', { user: user('cid'), code }, payload)).toEqual({
    codeBatch: { uuid: made.body.data.batch.id, redeemedCount: 1, campaign: { slug } },
    participant: { campaignPoints: 25, eventCount: 0, winCount: 0, user: { balance: 25 } },
    user: { balance: 25 },
  })
})

test('a referral is answered with itself and both participants; a code is made by a mutation', async () => {
  await world.givePoints('dan', 1, 'daily_login')
  const asked = () =>
    run(
      'createReferralCode',
      { user: user('dan') },
      'participant { id referralCode referralPoints }',
    )
  const { participant: dan } = await asked()
  expect(dan).toMatchObject({ referralCode: expect.any(String), referralPoints: 0 })
  expect(await asked()).toEqual({ participant: dan })
  const shown = `id referrerReward refereeReward campaign { slug } referrer { externalId balance }
    referee { externalId balance } createdAt`
  const { referral, ...others } = await run(
    'recordReferral',
    { referrer: user('dan'), referee: user('eve'), referralCode: dan.referralCode },
    `referral { ${shown} } referrer { id referralCount referralPoints } referee { campaignPoints }`,
  )
  expect(referral).toMatchObject({
    ...{ referrerReward: 3, refereeReward: 2, campaign: { slug } },
    ...{ referrer: { externalId: 'dan' }, referee: { externalId: 'eve', balance: 2 } },
  })
  expect(others).toEqual({
    referrer: { id: dan.id, referralCount: 1, referralPoints: 3 },
    referee: { campaignPoints: 2 },
  })
  expect(await reload('Referral', referral, shown)).toEqual(referral)
})
