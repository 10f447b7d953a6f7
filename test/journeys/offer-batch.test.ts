/** Offers to all users of a segment, made by the job. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createOffers } from '../../src/journeys/offer.ts'
import { makeBatches } from '../../src/journeys/offer-batch.ts'
import type { ExternalId } from '../../src/kit/user-id.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-06-01T12:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const run = async (query: string, variables: Record<string, unknown> = {}) => {
  const { body } = await world.graphql(query, variables)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data
}

const fields = 'id status segmentName userCount offerCount expiresAt completedAt'

const start = async (input: object) =>
  (
    await run(
      `mutation ($input: CreateOffersForSegmentInput!) { result: createOffersForSegment(input: $input) {
        ... on CreateOffersForSegmentPayload { offerBatch { ${fields} } }
        ... on Error { code } } }`,
      { input: { offerType: 'WELCOME_BONUS', points: 50, ...input } },
    )
  ).result

const cancel = async (id: string) =>
  (
    await run(
      `mutation ($input: CancelOfferBatchInput!) { result: cancelOfferBatch(input: $input) {
        ... on CancelOfferBatchPayload { offerBatch { ${fields} } } ... on Error { code } } }`,
      { input: { offerBatchId: id } },
    )
  ).result

const batchOf = async (id: string) =>
  (await run(`query ($id: ID!) { node(id: $id) { ... on OfferBatch { ${fields} } } }`, { id })).node

/** Users with a tag of their own, and the segment that has them. */
const segmentOf = async (count: number) => {
  const tag = randomUUID()
  const names = Array.from({ length: count }, () => randomUUID())
  for (const externalId of names) {
    const body = { externalId, tags: { [tag]: 'yes' } }
    const { status } = await world.post('/v1/user-journeys/users', world.keys.public, body)
    expect(status).toBe(200)
  }
  await run(
    `mutation ($name: String!) { createSegment(input: { name: $name, tag: $name }) { __typename } }`,
    { name: tag },
  )
  return { names, segment: { name: tag } }
}

const offersOf = async (externalId: string) =>
  (
    await run(
      `query ($id: String!) { user(by: { externalId: $id }) { offers { nodes { points batch { id } } } } }`,
      { id: externalId },
    )
  ).user.offers.nodes

it('makes one offer to each user of the segment, and to nobody else', async () => {
  const { names, segment } = await segmentOf(12)
  const other = await segmentOf(2)
  const { offerBatch } = await start({ segment })
  expect(offerBatch).toEqual({
    id: expect.any(String),
    status: 'QUEUED',
    segmentName: segment.name,
    userCount: 0,
    offerCount: 0,
    expiresAt: '2026-06-04T12:00:00.000Z',
    completedAt: null,
  })
  await Promise.all([makeBatches(world.runtime), makeBatches(world.runtime)])
  await makeBatches(world.runtime)
  expect(await batchOf(offerBatch.id)).toMatchObject({
    status: 'COMPLETED',
    userCount: 12,
    offerCount: 12,
    completedAt: now.toISOString(),
  })
  for (const name of names)
    expect(await offersOf(name)).toEqual([{ points: 50, batch: { id: offerBatch.id } }])
  for (const name of other.names) expect(await offersOf(name)).toEqual([])
  const { offers } = await run(
    `query ($id: ID!) { offers(filter: { offerBatchId: $id }, first: 50) { nodes { id } } }`,
    { id: offerBatch.id },
  )
  expect(offers.nodes).toHaveLength(12)
})

it('leaves out users who have three active offers', async () => {
  const { names, segment } = await segmentOf(3)
  const full = names[0] as ExternalId
  for (let n = 0; n < 3; n++)
    await createOffers(world.runtime, [
      { ...world.tenant, externalId: full, offerType: 'vip_play' },
    ])
  const { offerBatch } = await start({ segment })
  await makeBatches(world.runtime)
  expect(await batchOf(offerBatch.id)).toMatchObject({ userCount: 3, offerCount: 2 })
})

it('ends when it is cancelled, when its segment is deleted, and when its offers would have expired', async () => {
  const { names, segment } = await segmentOf(1)
  const cancelled = (await start({ segment })).offerBatch.id
  const overdue = (await start({ segment, expiresAt: '2026-06-01T12:30:00Z' })).offerBatch.id
  const orphan = (await start({ segment })).offerBatch.id
  expect((await cancel(cancelled)).offerBatch).toMatchObject({ status: 'CANCELLED' })
  expect(await cancel(cancelled)).toEqual({ code: 'OFFER_BATCH_ENDED' })
  await run(
    `mutation ($input: DeleteSegmentInput!) { deleteSegment(input: $input) { __typename } }`,
    { input: { segment } },
  )
  now = new Date('2026-06-01T13:00:00Z')
  await makeBatches(world.runtime)
  for (const [id, status] of [
    [cancelled, 'CANCELLED'],
    [overdue, 'COMPLETED'],
    [orphan, 'COMPLETED'],
  ] as const)
    expect(await batchOf(id)).toMatchObject({ status, offerCount: 0 })
  expect(await offersOf(names[0] as string)).toEqual([])
})

it('is refused for a segment or reward that does not exist, and for offers in the past', async () => {
  const { segment } = await segmentOf(1)
  expect(await start({ segment: { name: 'nobody' } })).toEqual({ code: 'SEGMENT_NOT_FOUND' })
  expect(await start({ segment, reward: { slug: 'nothing' } })).toEqual({
    code: 'REWARD_NOT_FOUND',
  })
  expect(await start({ segment, expiresAt: '2020-01-01T00:00:00Z' })).toEqual({
    code: 'VALIDATION_FAILED',
  })
  expect(await cancel(randomUUID())).toEqual({ code: 'OFFER_BATCH_NOT_FOUND' })
})
