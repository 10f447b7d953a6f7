/**
 * The shop and free plays on two nodes, of which one is killed while 500 users buy or play at once, by HTTP only. Callers
 * repeat a purchase with the same reference until it is answered.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyPlay } from '../../packages/verifier/play.ts'
import { proofFields, proofOf } from '../games/proofs.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.ts'

const callers = 64
const stock = 100
const users = Array.from({ length: 500 }, (_, n) => `buyer-${n}`)
const funds = 1_000

let pair: TwoNodes
beforeAll(async () => {
  pair = await startTwoNodes(Date.now())
  await pair.endGoalsOfDemo()
  await pair.graphql(
    `mutation { setRewardRule(input: { eventType: "fund", points: ${funds} }) { __typename } }`,
  )
  const awards = users.map((userId) => ({ userId, eventType: 'fund', reference: userId }))
  const { status } = await pair.call('/v1/points/award/batch', { awards })
  expect(status).toBe(200)
}, 120_000)
afterAll(() => pair?.end())

const create = async (input: string) => {
  const data = await pair.graphql(`mutation { createReward(input: { ${input} }) { __typename } }`)
  expect(data.createReward.__typename).toBe('CreateRewardPayload')
}

type Bought = { userId: string; status: number; grantId?: string; errorCode?: string }

const buy = async (userId: string, slug: string, reference: string): Promise<Bought> => {
  const { status, body } = await pair.call(`/v1/users/${userId}/rewards/${slug}/buy`, { reference })
  return { userId, status, grantId: body.data?.grantId, errorCode: body.errorCode }
}

/** All users buy at once, and one node is killed meanwhile. */
const buyAll = async (slug: string): Promise<Bought[]> => {
  const bought: Bought[] = []
  await pair.runWithKill(
    users.map((userId) => async () => {
      bought.push(await buy(userId, slug, `${slug}-1`))
    }),
    callers,
  )
  return bought
}

const entriesOf = (userId: string, fields = 'eventType points') =>
  pair.pagesOf(userId, 'ledgerEntries', fields)

/** Runs a call for each item, some at a time. */
const forEach = async <T>(items: readonly T[], act: (item: T) => Promise<void>) => {
  const open = [...items]
  const caller = async () => {
    for (let item = open.shift(); item !== undefined; item = open.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

test('of 500 buyers, as many get the reward as there are, once, and a cancellation gives back once', async () => {
  await create(`slug: "bottle", name: "Bottle", kind: ITEM, price: 60, stock: ${stock}`)
  const answers = await buyAll('bottle')
  const bought = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ errorCode }) => errorCode === 'OUT_OF_STOCK')
  expect([bought.length, refused.length]).toEqual([stock, users.length - stock])
  await forEach(bought, async ({ userId, grantId }) => {
    expect((await buy(userId, 'bottle', 'bottle-1')).grantId).toBe(grantId)
    const paid = (await entriesOf(userId)).filter(
      ({ eventType }) => eventType === 'reward_purchase',
    )
    expect(paid).toEqual([{ eventType: 'reward_purchase', points: -60 }])
  })
  const cancelled: number[] = []
  await forEach([...bought, ...bought], async ({ grantId }) => {
    cancelled.push((await pair.call(`/v1/grants/${grantId}/cancel`, {})).status)
  })
  expect(cancelled.filter((status) => status === 200)).toHaveLength(stock)
  expect(cancelled.filter((status) => status === 409)).toHaveLength(stock)
  await forEach(bought, async ({ userId }) => {
    const back = (await entriesOf(userId)).filter(
      ({ eventType }) => eventType === 'purchase_refund',
    )
    expect(back).toEqual([{ eventType: 'purchase_refund', points: 60 }])
  })
  const { reward } = await pair.graphql('{ reward(by: { slug: "bottle" }) { stock grantCount } }')
  expect(reward).toEqual({ stock, grantCount: 0 })
}, 120_000)

test('each code is shown to one user', async () => {
  await create('slug: "voucher", name: "Voucher", kind: CODE, price: 10')
  const codes = Array.from({ length: stock }, (_, n) => `CODE-${n}`)
  await pair.graphql(
    `mutation ($codes: [String!]!) { addRewardCodes(input: { reward: { slug: "voucher" }, codes: $codes }) {
      __typename } }`,
    { codes },
  )
  const bought = (await buyAll('voucher')).filter(({ status }) => status === 200)
  expect(bought).toHaveLength(stock)
  const shown: string[] = []
  await forEach(bought, async ({ userId, grantId }) => {
    const { body } = await pair.call(`/v1/users/${userId}/grants/${grantId}/reveal`, {})
    shown.push(body.data.code)
  })
  expect(shown.sort()).toEqual(codes.sort())
}, 120_000)

test('what was reversed after it was spent is repaid, whatever else happens to the wallets', async () => {
  await pair.graphql('mutation { updatePointPolicy(input: { onShortfall: REPAY }) { __typename } }')
  await create(
    'slug: "sticker", name: "Sticker", kind: FREE_PLAYS, price: 10, freePlays: { gameType: NEON_WHEEL, count: 1 }',
  )
  const debtors = Array.from({ length: 60 }, (_, n) => `debtor-${n}`)
  const award = (userId: string, reference: string) =>
    pair.call('/v1/points/award', { userId, eventType: 'fund', reference })
  const actionsOf = (userId: string) => async () => {
    await award(userId, `${userId}-1`)
    await buy(userId, 'sticker', `${userId}-sticker`)
    await pair.call('/v1/games/play', { userId, gameType: 'NEON_WHEEL' })
    // A play that is repeated after the kill is a second one, and costs points.
    const spent = { userId, points: funds - 10, reference: `${userId}-spent`, reason: 'a discount' }
    expect((await pair.call('/v1/points/spend', spent)).status).toBeOneOf([200, 402, 409])
    const entries = await entriesOf(userId, 'id eventType')
    const { id } = entries.find(({ eventType }) => eventType === 'fund')
    await pair.graphql(
      `mutation ($id: ID!) { reverseLedgerEntry(input: { ledgerEntryId: $id, reason: "a test" }) { __typename } }`,
      { id },
    )
    await award(userId, `${userId}-2`)
  }
  await pair.runWithKill(debtors.map(actionsOf), 32)
  let repaid = 0
  await forEach(debtors, async (userId) => {
    const shortfall = async () => {
      const query = 'query ($id: String!) { user(by: { externalId: $id }) { shortfall } }'
      return (await pair.graphql(query, { id: userId })).user.shortfall
    }
    await expect.poll(shortfall, { timeout: 90_000, interval: 500 }).toBe(0)
    const entries = await entriesOf(userId)
    if (entries.some(({ eventType }) => eventType === 'shortfall_repaid')) repaid++
  })
  expect(repaid).toBeGreaterThan(debtors.length / 2)
}, 180_000)

test('each free play is used once, and every play can be verified', async () => {
  const [free, plays] = [3, 6]
  await create(
    `slug: "spins", name: "Spins", kind: FREE_PLAYS, freePlays: { gameType: NEON_WHEEL, count: ${free} }`,
  )
  await forEach(users, async (userId) => {
    const gift = { reward: 'spins', reference: `spins-${userId}` }
    expect((await pair.call(`/v1/users/${userId}/grants`, gift)).status).toBe(200)
  })
  const play = (id: string) => () =>
    pair.graphql(
      `mutation ($id: String!) { playGame(input: { user: { externalId: $id }, gameType: NEON_WHEEL }) {
        ... on Error { message } } }`,
      { id },
    )
  const actions = Array.from({ length: plays }, () => users.map(play)).flat()
  await pair.runWithKill(actions, callers)
  let verified = 0
  await forEach(users, async (userId) => {
    await pair.graphql(
      `mutation ($id: String!) { rotatePlaySeed(input: { user: { externalId: $id } }) { __typename } }`,
      { id: userId },
    )
    const all = await pair.pagesOf(userId, 'plays', `pointsSpent grant { uuid } ${proofFields}`)
    expect(all.length).toBeGreaterThanOrEqual(plays)
    expect(all.filter(({ pointsSpent }) => pointsSpent === 0)).toHaveLength(free)
    expect(all.filter(({ grant }) => grant)).toHaveLength(free)
    for (const { pointsSpent: _, grant: __, ...item } of all) {
      expect(verifyPlay(proofOf(item)).every(({ ok }) => ok)).toBe(true)
      verified++
    }
  })
  console.log(`${verified} plays verified, ${pair.seen.repeated} calls repeated`)
  await pair.checkAll()
}, 180_000)
