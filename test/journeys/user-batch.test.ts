/** What is done to all users of a filter by the job: offers and adjustments of points. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createOffers } from '../../src/journeys/offer.ts'
import { runUserBatches } from '../../src/journeys/user-batch.ts'
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

const fields =
  'id status progress expectedUserCount { value precision } name userCount doneCount expiresAt completedAt'

const start = async (input: object) =>
  (
    await run(
      `mutation ($input: CreateOffersForUsersInput!) { result: createOffersForUsers(input: $input) {
        ... on CreateOffersForUsersPayload { userBatch { ${fields} } }
        ... on Error { code } } }`,
      { input: { offerType: 'WELCOME_BONUS', points: 50, ...input } },
    )
  ).result

const cancel = async (id: string) =>
  (
    await run(
      `mutation ($input: CancelUserBatchInput!) { result: cancelUserBatch(input: $input) {
        ... on CancelUserBatchPayload { userBatch { ${fields} } } ... on Error { code } } }`,
      { input: { userBatchId: id } },
    )
  ).result

const batchOf = async (id: string) =>
  (await run(`query ($id: ID!) { node(id: $id) { ... on UserBatch { ${fields} } } }`, { id })).node

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
  const { userBatch } = await start({ filter: { segment } })
  expect(userBatch).toEqual({
    id: expect.any(String),
    status: 'QUEUED',
    progress: 0,
    expectedUserCount: { value: 12, precision: 'EXACT' },
    name: segment.name,
    userCount: 0,
    doneCount: 0,
    expiresAt: '2026-06-04T12:00:00.000Z',
    completedAt: null,
  })
  await Promise.all([runUserBatches(world.runtime), runUserBatches(world.runtime)])
  await runUserBatches(world.runtime)
  expect(await batchOf(userBatch.id)).toMatchObject({
    status: 'COMPLETED',
    userCount: 12,
    doneCount: 12,
    completedAt: now.toISOString(),
  })
  for (const name of names)
    expect(await offersOf(name)).toEqual([{ points: 50, batch: { id: userBatch.id } }])
  for (const name of other.names) expect(await offersOf(name)).toEqual([])
  const { offers } = await run(
    `query ($id: ID!) { offers(filter: { userBatchId: $id }, first: 50) { nodes { id } } }`,
    { id: userBatch.id },
  )
  expect(offers.nodes).toHaveLength(12)
})

it('makes offers to the users of a filter: of a search, a stage and a wallet', async () => {
  const { names } = await segmentOf(3)
  const [rich, poor] = names as [string, string]
  await world.givePoints(rich, 1)
  const filter = { search: rich.slice(0, 8), stages: ['NEW'], balance: { min: 1 } }
  const { userBatch } = await start({ filter, title: 'Hello' })
  expect(userBatch).toMatchObject({ name: 'Hello', expectedUserCount: { value: 1 } })
  await start({ filter: { search: poor, balance: { min: 1 } } })
  await runUserBatches(world.runtime)
  expect(await batchOf(userBatch.id)).toMatchObject({
    status: 'COMPLETED',
    progress: 1,
    userCount: 1,
    doneCount: 1,
  })
  expect(await offersOf(rich)).toEqual([{ points: 50, batch: { id: userBatch.id } }])
  expect(await offersOf(poor)).toEqual([])
})

const adjust = async (input: object, by?: object) =>
  (
    await world.graphql(
      `mutation ($input: AdjustPointsOfUsersInput!) { result: adjustPointsOfUsers(input: $input) {
        ... on AdjustPointsOfUsersPayload { userBatch { ${fields} kind points reason } }
        ... on Error { code } } }`,
      { input: { reason: 'Sorry', ...input } },
      by as never,
    )
  ).body.data.result

const ledgerOf = async (externalId: string) =>
  (
    await run(
      `query ($id: String!) { user(by: { externalId: $id }) { balance
        ledgerEntries { nodes { eventType points reference correction { reason } } } } }`,
      { id: externalId },
    )
  ).user

it('adjusts the points of each user once, on several nodes and after a node has stopped', async () => {
  const { names, segment } = await segmentOf(12)
  const { userBatch } = await adjust({ filter: { segment }, points: 25, name: 'Apology' })
  expect(userBatch).toMatchObject({ kind: 'POINTS', name: 'Apology', points: 25, reason: 'Sorry' })
  const { db } = world.runtime
  const { uuid } = (
    await run(`query ($id: ID!) { userBatch(id: $id) { uuid } }`, { id: userBatch.id })
  ).userBatch
  await Promise.all([1, 2, 3].map(() => runUserBatches(world.runtime)))
  await runUserBatches(world.runtime)
  // As if a node had lost its place: the references keep it from doing it again.
  await db.userBatch.update({
    where: { id: uuid },
    data: { status: 'RUNNING', completedAt: null, afterExternalId: '', doneCount: 0, userCount: 0 },
  })
  await runUserBatches(world.runtime)
  for (const name of names)
    expect(await ledgerOf(name)).toEqual({
      balance: 25,
      ledgerEntries: {
        nodes: [
          {
            eventType: 'adjustment',
            points: 25,
            reference: expect.stringContaining(`batch-${uuid}-`),
            correction: { reason: 'Sorry' },
          },
        ],
      },
    })
})

it('takes no points from users who have fewer, and says for how many it was done', async () => {
  const { names, segment } = await segmentOf(3)
  await world.givePoints(names[0] as string, 1)
  const { userBatch } = await adjust({ filter: { segment }, points: -40 })
  await runUserBatches(world.runtime)
  expect(await batchOf(userBatch.id)).toMatchObject({ userCount: 3, doneCount: 1 })
  expect((await ledgerOf(names[0] as string)).balance).toBe(60)
  expect((await ledgerOf(names[1] as string)).balance).toBe(0)
})

it('is written to the audit log once, with the number of users', async () => {
  const { segment } = await segmentOf(2)
  const { userBatch } = await adjust({ filter: { segment }, points: 5 })
  await runUserBatches(world.runtime)
  const { uuid } = (
    await run(`query ($id: ID!) { userBatch(id: $id) { uuid } }`, { id: userBatch.id })
  ).userBatch
  const entries = await world.runtime.db.auditEntry.findMany({ where: { targetId: uuid } })
  expect(entries.map(({ action }) => action)).toEqual(['adjustPointsOfUsers'])
  expect(entries[0]?.changes).toContainEqual(
    expect.objectContaining({ table: 'user_batch', field: 'expected_users', to: 2 }),
  )
})

it('leaves out users who have three active offers', async () => {
  const { names, segment } = await segmentOf(3)
  const full = names[0] as ExternalId
  for (let n = 0; n < 3; n++)
    await createOffers(world.runtime, [
      { ...world.tenant, externalId: full, offerType: 'vip_play' },
    ])
  const { userBatch } = await start({ filter: { segment } })
  await runUserBatches(world.runtime)
  expect(await batchOf(userBatch.id)).toMatchObject({ userCount: 3, doneCount: 2 })
})

it('ends when it is cancelled, when its segment is deleted, and when its offers would have expired', async () => {
  const { names, segment } = await segmentOf(1)
  const cancelled = (await start({ filter: { segment } })).userBatch.id
  const overdue = (await start({ filter: { segment }, expiresAt: '2026-06-01T12:30:00Z' }))
    .userBatch.id
  const orphan = (await start({ filter: { segment } })).userBatch.id
  expect((await cancel(cancelled)).userBatch).toMatchObject({ status: 'CANCELLED' })
  expect(await cancel(cancelled)).toEqual({ code: 'USER_BATCH_ENDED' })
  await run(
    `mutation ($input: DeleteSegmentInput!) { deleteSegment(input: $input) { __typename } }`,
    { input: { segment } },
  )
  now = new Date('2026-06-01T13:00:00Z')
  await runUserBatches(world.runtime)
  for (const [id, status] of [
    [cancelled, 'CANCELLED'],
    [overdue, 'COMPLETED'],
    [orphan, 'COMPLETED'],
  ] as const)
    expect(await batchOf(id)).toMatchObject({ status, doneCount: 0 })
  expect(await offersOf(names[0] as string)).toEqual([])
})

it('is refused for a segment or reward that does not exist, and for offers in the past', async () => {
  const { segment } = await segmentOf(1)
  expect(await start({ filter: { segment: { name: 'nobody' } } })).toEqual({
    code: 'SEGMENT_NOT_FOUND',
  })
  expect(await start({ filter: { segment }, reward: { slug: 'nothing' } })).toEqual({
    code: 'REWARD_NOT_FOUND',
  })
  expect(await start({ filter: { segment }, expiresAt: '2020-01-01T00:00:00Z' })).toEqual({
    code: 'VALIDATION_FAILED',
  })
  expect(await cancel(randomUUID())).toEqual({ code: 'USER_BATCH_NOT_FOUND' })
})
