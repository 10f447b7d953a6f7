/** Deliveries and their events in GraphQL. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
let endpoint: { id: string; uuid: string }
beforeAll(async () => {
  world = await createWorld()
  const input = { url: 'https://8.8.8.8/', eventNames: ['*'] }
  const { body } = await world.graphql(
    `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) {
      ... on CreateWebhookEndpointPayload { webhookEndpoint { id uuid } } } }`,
    { input },
  )
  endpoint = body.data.createWebhookEndpoint.webhookEndpoint
  await world.givePoints('ann', 2)
})
afterAll(() => world.end())

const ask = async (document: string, variables = {}) =>
  (await world.graphql(document, variables)).body.data

const fields = 'id uuid attemptCount endpoint { id } event { id uuid type occurredAt payload }'

test('a delivery is the same in the list, by id and as a node, and has the event of the feed', async () => {
  const { webhookDeliveries, events } = await ask(`{
    webhookDeliveries(filter: { names: ["points.*"], webhookEndpointId: "${endpoint.id}" }) { nodes { ${fields} } }
    events(filter: { names: ["points.awarded"] }) { nodes { id uuid type occurredAt payload } }
  }`)
  expect(events.nodes).toHaveLength(2)
  expect(events.nodes[0].payload).toMatchObject({ userId: 'ann', pointsAwarded: 100 })
  expect(webhookDeliveries.nodes.map(({ event }: { event: object }) => event)).toEqual(
    events.nodes.toReversed(),
  )
  const [delivery] = webhookDeliveries.nodes
  expect(delivery).toMatchObject({ attemptCount: 0, endpoint: { id: endpoint.id } })
  for (const id of [delivery.id, delivery.uuid])
    expect(await ask(`{ webhookDelivery(id: "${id}") { ${fields} } }`)).toEqual({
      webhookDelivery: delivery,
    })
  const again = await ask(`{
    delivery: node(id: "${delivery.id}") { ... on WebhookDelivery { ${fields} } }
    event: node(id: "${delivery.event.id}") { ... on Event { id uuid type occurredAt payload } } }`)
  expect(again).toEqual({ delivery, event: delivery.event })
})

test('an endpoint has its deliveries, newest first, each with its event', async () => {
  const deliveries = `deliveries(first: 2) { nodes { ${fields} } pageInfo { hasNextPage } totalCount { value } }`
  const { webhookEndpoint, webhookEndpoints, webhookDeliveries, unnamed } = await ask(`{
    webhookEndpoint(id: "${endpoint.id}") { ${deliveries} none: deliveries(filter: { names: ["match.*"] }) { nodes { id } }
      some: deliveries(first: 2, filter: { names: ["match.*", "points.awarded"], statuses: [PENDING, FAILED] }) { nodes { ${fields} } }
      empty: deliveries(filter: { names: [] }) { nodes { id } } }
    unnamed: events(filter: { names: [] }) { nodes { id } }
    webhookEndpoints { nodes { id ${deliveries} } }
    webhookDeliveries(first: 2, filter: { webhookEndpointId: "${endpoint.id}" }) { nodes { ${fields} } } }`)
  expect(webhookDeliveries.nodes).toHaveLength(2)
  expect(webhookEndpoint.deliveries).toMatchObject(webhookDeliveries)
  expect(webhookEndpoint.none.nodes).toEqual([])
  expect(webhookEndpoint.some.nodes).toEqual(webhookDeliveries.nodes)
  expect([webhookEndpoint.empty.nodes, unnamed.nodes]).toEqual([[], []])
  const { none, some, empty, ...own } = webhookEndpoint
  expect(webhookEndpoints.nodes).toEqual([{ id: endpoint.id, ...own }])
})

test('the feed continues after an event, by UUID or by global id', async () => {
  const [first, second] = (await ask('{ events { nodes { id uuid } } }')).events.nodes
  for (const id of [first.id, first.uuid]) {
    const { events } = await ask(`{ events(filter: { afterEventId: "${id}" }) { nodes { id } } }`)
    expect(events.nodes).toEqual([{ id: second.id }])
  }
  const { body } = await world.graphql(
    `{ events(filter: { afterEventId: "${endpoint.id}" }) { nodes { id } } }`,
  )
  expect(body.errors[0].extensions.code).toBe('EVENT_NOT_FOUND')
})

test('a delivery of a deleted event has no payload', async () => {
  const [{ uuid }] = (
    await ask('{ webhookDeliveries { nodes { event { uuid } } } }')
  ).webhookDeliveries.nodes.map(({ event }: { event: { uuid: string } }) => event)
  await world.runtime.db.event.delete({ where: { id: uuid } })
  const { webhookDeliveries } = await ask(
    '{ webhookDeliveries { nodes { event { uuid name payload } } } }',
  )
  expect(webhookDeliveries.nodes[0].event).toEqual({ uuid, name: 'points.awarded', payload: null })
})

test('mutations that resend return the delivery or the endpoint', async () => {
  const sent = await ask(
    `mutation ($id: ID!) { sendTestWebhook(input: { webhookEndpointId: $id }) {
      ... on SendTestWebhookPayload { webhookDelivery { id status event { type name } } } } }`,
    { id: endpoint.id },
  )
  const { webhookDelivery } = sent.sendTestWebhook
  expect(webhookDelivery).toMatchObject({
    status: 'PENDING',
    event: { type: 'TEST', name: 'test' },
  })
  const retried = await ask(
    `mutation ($id: ID!) { retryWebhookDelivery(input: { webhookDeliveryId: $id }) {
      ... on RetryWebhookDeliveryPayload { webhookDelivery { id status } } } }`,
    { id: webhookDelivery.id },
  )
  expect(retried.retryWebhookDelivery.webhookDelivery.id).toBe(webhookDelivery.id)
  const replayed = await ask(
    `mutation ($id: ID!) { replayWebhookEvents(input: { webhookEndpointId: $id, from: "2020-01-01T00:00:00Z" }) {
      ... on ReplayWebhookEventsPayload { queuedCount webhookEndpoint { id } continueAfter { id } } } }`,
    { id: endpoint.uuid },
  )
  expect(replayed.replayWebhookEvents).toEqual({
    queuedCount: 0,
    webhookEndpoint: { id: endpoint.id },
    continueAfter: null,
  })
})
