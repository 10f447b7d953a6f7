/** Audit entries of manual changes to rows that also change in normal operation say what was changed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAgent } from '../../arena/matches/arena.ts'
import { makeLottery } from '../../lotteries/lottery.ts'
import { pointsByHand } from '../../points/by-hand.ts'
import { createWorld, type World } from '../../world.ts'

let world: World
let member: string
beforeAll(async () => {
  world = await createWorld()
  member = await world.signInAs('OWNER')
})
afterAll(() => world.end())

/** The changes of the newest entry of a mutation. */
const changesOf = async (action: string) => {
  const entry = await world.runtime.db.auditEntry.findFirstOrThrow({
    where: { action },
    orderBy: { id: 'desc' },
  })
  return entry.changes
}

const run = async (mutation: string, input: object, selection = '__typename') => {
  const Name = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}`
  const { body, text } = await world.call('POST', '/graphql', {
    headers: { authorization: `Bearer ${member}`, 'x-environment': 'LIVE' },
    body: {
      query: `mutation ($input: ${Name}Input!) { result: ${mutation}(input: $input) {
        __typename ... on ${Name}Payload { ${selection} } ... on Error { message } } }`,
      variables: { input },
    },
  })
  if (body.data?.result?.__typename !== `${Name}Payload`) throw new Error(text)
  return body.data.result
}

const live = () => ({ ...world.tenant, environment: 'LIVE' as const })

test('a correction of points: the balance before and after, and nothing for a refused one', async () => {
  await world.givePoints('ann', 1)
  const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: 'ann' } })
  const of = { table: 'end_user', id, field: 'balance' }
  const hand = pointsByHand(world)
  const { ledgerEntry } = await hand.adjust('ann', -30)
  expect(await changesOf('adjustPoints')).toEqual([{ ...of, from: 100, to: 70 }])
  await hand.reverse(ledgerEntry.uuid)
  expect(await changesOf('reverseLedgerEntry')).toEqual([{ ...of, from: 70, to: 100 }])
  const count = () => world.runtime.db.auditEntry.count()
  const before = await count()
  expect(await hand.adjust('ann', -101)).toMatchObject({ code: 'INSUFFICIENT_POINTS' })
  expect(await count()).toBe(before)
})

test('an erasure: the pseudonym, but not the user behind it', async () => {
  await world.givePoints('somebody@example.com', 1, 'signup', world.partner.live.secret)
  await run('eraseUser', { user: { externalId: 'somebody@example.com' } })
  const { id, externalId } = await world.runtime.db.endUser.findFirstOrThrow({ where: live() })
  expect(externalId).toMatch(/^erased-/)
  expect(await changesOf('eraseUser')).toEqual([
    { table: 'end_user', id, field: 'external_id', from: '***', to: externalId },
  ])
})

test('a cancelled ticket: since when', async () => {
  const { slug } = await makeLottery(world, {}, live())
  const entry = { userId: 'bob', email: 'bob@example.com', lotterySlug: slug }
  await world.post('/v1/lotteries/entries', world.partner.live.secret, entry)
  const { id } = await world.runtime.db.lotteryTicket.findFirstOrThrow()
  await run('cancelLotteryTicket', { lotteryTicketId: id })
  const { cancelledAt } = await world.runtime.db.lotteryTicket.findFirstOrThrow()
  expect(await changesOf('cancelLotteryTicket')).toEqual([
    {
      table: 'lottery_ticket',
      id,
      field: 'cancelled_at',
      from: null,
      to: cancelledAt?.toISOString(),
    },
  ])
})

test('a match: its agents and game, then its status', async () => {
  const { partnerId } = world.partner
  const [first, second] = [
    await makeAgent(world.runtime, partnerId, 'random'),
    await makeAgent(world.runtime, partnerId, 'minimax'),
  ]
  const match = { agent1Id: first.id, agent2Id: second.id, gameType: 'TIC_TAC_TOE', bestOf: 3 }
  const { arenaMatch } = await run('scheduleArenaMatch', match, 'arenaMatch { uuid }')
  const of = { table: 'arena_match', id: arenaMatch.uuid }
  expect(await changesOf('scheduleArenaMatch')).toEqual([
    { ...of, field: 'agent1_id', from: null, to: first.id },
    { ...of, field: 'agent2_id', from: null, to: second.id },
    { ...of, field: 'game_type', from: null, to: 'TIC_TAC_TOE' },
    { ...of, field: 'best_of', from: null, to: 3 },
  ])
  await run('cancelArenaMatch', { arenaMatchId: arenaMatch.uuid })
  expect(await changesOf('cancelArenaMatch')).toEqual([
    { ...of, field: 'status', from: 'SCHEDULED', to: 'CANCELLED' },
  ])
})

test('a resent delivery: its status; a replay: the number of deliveries', async () => {
  const endpoint = { url: 'https://8.8.8.8/hook', events: ['*'] }
  const made = await world.post('/v1/webhooks', world.partner.live.secret, endpoint)
  const endpointId: string = made.body.data.id
  await world.givePoints('cid', 3, 'signup', world.partner.live.secret)
  await world.runtime.db.webhookDelivery.updateMany({
    where: { endpointId },
    data: { status: 'FAILED', finishedAt: new Date() },
  })
  const { id: deliveryId } = await world.runtime.db.webhookDelivery.findFirstOrThrow({
    where: { endpointId },
  })
  await run('retryWebhookDelivery', { webhookDeliveryId: deliveryId })
  expect(await changesOf('retryWebhookDelivery')).toEqual([
    { table: 'webhook_delivery', id: deliveryId, field: 'status', from: 'FAILED', to: 'PENDING' },
  ])
  const from = new Date(Date.now() - 3_600_000).toISOString()
  const replay = { webhookEndpointId: endpointId, from, failedOnly: true }
  const { queuedCount } = await run('replayWebhookEvents', replay, 'queuedCount')
  expect(queuedCount).toBeGreaterThan(1)
  const of = { table: 'webhook_endpoint', id: endpointId, field: 'queued_count' }
  expect(await changesOf('replayWebhookEvents')).toEqual([{ ...of, from: null, to: queuedCount }])
})
