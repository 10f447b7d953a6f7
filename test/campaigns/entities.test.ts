/** The entities of a campaign are nodes with edges: mutations return them, and `node` finds them again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let slug: string

beforeAll(async () => {
  world = await createWorld()
  slug = await makeCampaign(world, 'golden-ticket', {
    referralRules: { referrerPoints: 3, refereePoints: 2 },
  })
})
afterAll(() => world.end())

const user = (externalId: string) => ({ externalId })

/** Runs a mutation in the campaign. Returns its payload or the error. */
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

test('an event returns itself, its prize, the participant and the user', async () => {
  const event = `id number eventType points isDrawn campaign { slug } user { externalId }
    instantWin { id } occurredAt`
  const recorded = await run(
    'recordCampaignEvent',
    { user: user('ann'), eventType: 'purchase' },
    `campaignEvent { ${event} } instantWinDraw { isWon winCode instantWin { ${win} } } ${participant}`,
  )
  const { campaignEvent, instantWinDraw: draw } = recorded
  expect(recorded).toMatchObject({
    campaignEvent: {
      number: 1,
      eventType: 'purchase',
      points: 10,
      isDrawn: true,
      campaign: { slug },
      user: { externalId: 'ann' },
      instantWin: { id: draw.instantWin.id },
    },
    instantWinDraw: { isWon: true, winCode: expect.any(String), instantWin: { redeemedAt: null } },
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
      campaignPoints: 10 + points,
      eventCount: 1,
      winCount: 1,
      user: { balance: 10 + points },
    },
    user: { balance: 10 + points },
  })
  expect((await reload('InstantWin', redeemed.instantWin, win)).redeemedAt).toBe(redeemedAt)
})

test('a user is named by id or externalId; an unknown id creates no user', async () => {
  await world.givePoints('ben', 1)
  const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: user('ben') })
  const record = (by: object) =>
    run('recordCampaignEvent', { user: by, eventType: 'purchase' }, 'user { externalId }')
  expect(await record({ id })).toEqual({ user: { externalId: 'ben' } })
  const nobody = '00000000-0000-7000-8000-000000000000'
  expect(await record({ id: nobody })).toEqual({ code: 'USER_NOT_FOUND' })
})

test('a redeemed code returns its batch, the participant and the user', async () => {
  const made = await callsTo(world).generate({ slug, batchSize: 2, pointsValue: 25 })
  const [code] = made.body.data.codes
  const payload = `codeBatch { uuid redeemedCount campaign { slug } } ${participant}`
  expect(await run('redeemCode', { user: user('cid'), code }, payload)).toEqual({
    codeBatch: { uuid: made.body.data.batch.id, redeemedCount: 1, campaign: { slug } },
    participant: { campaignPoints: 25, eventCount: 0, winCount: 0, user: { balance: 25 } },
    user: { balance: 25 },
  })
})

test('a referral returns itself and both participants; a mutation creates the code', async () => {
  await world.givePoints('dan', 1, 'daily_login')
  const requested = () =>
    run(
      'createReferralCode',
      { user: user('dan') },
      'participant { id referralCode referralPoints }',
    )
  const { participant: dan } = await requested()
  expect(dan).toMatchObject({ referralCode: expect.any(String), referralPoints: 0 })
  expect(await requested()).toEqual({ participant: dan })
  const shown = `id referrerPoints refereePoints campaign { slug } referrer { externalId balance }
    referee { externalId balance } createdAt`
  const { referral, ...others } = await run(
    'recordReferral',
    { referrer: user('dan'), referee: user('eve'), referralCode: dan.referralCode },
    `referral { ${shown} } referrer { id referralCount referralPoints } referee { campaignPoints }`,
  )
  expect(referral).toMatchObject({
    referrerPoints: 3,
    refereePoints: 2,
    campaign: { slug },
    referrer: { externalId: 'dan' },
    referee: { externalId: 'eve', balance: 2 },
  })
  expect(others).toEqual({
    referrer: { id: dan.id, referralCount: 1, referralPoints: 3 },
    referee: { campaignPoints: 2 },
  })
  expect(await reload('Referral', referral, shown)).toEqual(referral)
})

const lists = `participants { totalCount { value } nodes { user { externalId } } }
  events { totalCount { value } nodes { number user { externalId } } }
  instantWins { totalCount { value } nodes { user { externalId } } }
  referrals { totalCount { value } nodes { referrer { externalId } } }
  codeBatches { totalCount { value } nodes { uuid redemptions { totalCount { value } nodes {
    uuid redeemedAt user { externalId } codeBatch { uuid } } } } }
  codeStats { codeCount redeemedCount activeCount batchCount }`

test('a campaign lists its events, wins, referrals and codes for its owner', async () => {
  const call = callsTo(world)
  const of = await makeCampaign(world, 'golden-ticket', {
    referralRules: { referrerPoints: 3, refereePoints: 2 },
  })
  for (const userId of ['fay', 'gil', 'gil']) await call.buy(of, userId)
  const { referralCode } = (await call.referralCode(of, 'fay')).body.data
  await call.refer(of, { referrerId: 'fay', refereeId: 'hal', referralCode })
  const { batch, codes } = (await call.generate({ slug: of, batchSize: 3, pointsValue: 1 })).body
    .data
  for (const code of codes.slice(0, 2)) await call.redeem(of, { code, userId: 'gil' })
  const ask = async (by?: object) =>
    (await world.graphql(`{ campaign(by: { slug: "${of}" }) { ${lists} } }`, {}, by)).body
  const by = (externalId: string) => ({ user: { externalId } })
  const redemption = { ...by('gil'), codeBatch: { uuid: batch.id }, uuid: expect.any(String) }
  expect((await ask()).data.campaign).toMatchObject({
    participants: { totalCount: { value: 3 }, nodes: [by('hal'), by('gil'), by('fay')] },
    events: {
      totalCount: { value: 3 },
      nodes: [{ number: 2, ...by('gil') }, { number: 1, ...by('gil') }, by('fay')],
    },
    instantWins: { totalCount: { value: 3 }, nodes: [by('gil'), by('gil'), by('fay')] },
    referrals: { totalCount: { value: 1 }, nodes: [{ referrer: { externalId: 'fay' } }] },
    codeBatches: {
      totalCount: { value: 1 },
      nodes: [
        {
          uuid: batch.id,
          redemptions: { totalCount: { value: 2 }, nodes: [redemption, redemption] },
        },
      ],
    },
    codeStats: { codeCount: 3, redeemedCount: 2, activeCount: 1, batchCount: 1 },
  })
  const { body } = await world.graphql(
    '{ user(by: { externalId: "gil" }) { participants { nodes { campaign { slug } eventCount } } } }',
  )
  expect(body.data.user.participants.nodes).toEqual([{ campaign: { slug: of }, eventCount: 2 }])
})

test('a code shows whether it can be redeemed and who redeemed it', async () => {
  const { codes } = (await callsTo(world).generate({ slug, batchSize: 1, pointsValue: 5 })).body
    .data
  const look = async (code: string, by?: object) =>
    (
      await world.graphql(
        `query ($code: String!) { campaignCode(code: $code) {
          status codeBatch { points campaign { slug } } redemption { user { externalId } } } }`,
        { code },
        by,
      )
    ).body.data.campaignCode
  const codeBatch = { points: 5, campaign: { slug } }
  expect(await look(codes[0])).toEqual({ status: 'REDEEMABLE', codeBatch, redemption: null })
  await callsTo(world).redeem(slug, { code: codes[0], userId: 'ivy' })
  const redemption = { user: { externalId: 'ivy' } }
  expect(await look(codes[0])).toEqual({ status: 'REDEEMED', codeBatch, redemption })
  expect(await look('NOPE')).toBe(null)
  expect(await look(codes[0], world.partner.live)).toBe(null)
})

test('a visitor sees what the code paid, and nothing about the user or the batch', async () => {
  const { partnerId: id } = world.partner
  const { slug: partnerSlug } = await world.runtime.db.partner.findUniqueOrThrow({ where: { id } })
  const made = await callsTo(world).generate({ slug, batchSize: 1, pointsValue: 5 })
  const won = await callsTo(world).buy(slug, 'joe')
  const redeem = async (code: string) => {
    const input = { partnerSlug, slug, environment: 'TEST', externalId: 'joe', code }
    const { body } = await world.graphql(
      `mutation ($input: RedeemPublicCodeInput!) { redeemPublicCode(input: $input) {
        ... on RedeemPublicCodePayload { points prize { __typename name }
          campaign { __typename slug
            ... on Campaign { participants { nodes { id } } codeStats { codeCount } } } } } }`,
      { input },
      {},
    )
    return body.data.redeemPublicCode
  }
  const campaign = { __typename: 'CampaignView', slug }
  expect(await redeem(made.body.data.codes[0])).toEqual({ points: 5, prize: null, campaign })
  const { winCode, prizeTier: name, pointsEarned: points } = won.body.data.instantWin
  expect(await redeem(winCode)).toEqual({
    points,
    prize: { __typename: 'Prize', name },
    campaign,
  })
})
