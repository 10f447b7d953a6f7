/** What the search of the console finds by a text: keys, webhook endpoints, and tickets by their reference. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLottery } from '../lotteries/lottery.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let owner: string
beforeAll(async () => {
  world = await createWorld()
  owner = await world.signInAs('OWNER')
})
afterAll(() => world.end())

const run = async (query: string, bearer = owner) => {
  const { body } = await world.graphql(query, {}, { bearer, environment: 'TEST' })
  if (!body.data) throw new Error(JSON.stringify(body))
  return body.data
}

test('keys are found by their label and by their last four characters', async () => {
  const { createApiKey } = await run(`mutation {
    createApiKey(input: { kind: SECRET, label: "Till 100%" }) { ... on CreateApiKeyPayload { apiKey { lastFour } } } }`)
  const labels = async (search: string) =>
    (await run(`{ apiKeys(filter: { search: "${search}" }) { nodes { label } } }`)).apiKeys.nodes
  const found = [{ label: 'Till 100%' }]
  expect(await labels('tILL')).toEqual(found)
  expect(await labels('100%')).toEqual(found)
  expect(await labels('1%0')).toEqual([])
  expect(await labels(createApiKey.apiKey.lastFour)).toEqual(found)
})

test('endpoints are found by their URL and by their description, unless they are deleted', async () => {
  const { a } = await run(`mutation {
    a: createWebhookEndpoint(input: { url: "https://8.8.8.8/orders", eventNames: ["*"], description: "Warehouse" }) {
      ... on CreateWebhookEndpointPayload { webhookEndpoint { id url } } }
    b: createWebhookEndpoint(input: { url: "https://8.8.8.8/mail", eventNames: ["*"] }) { __typename } }`)
  const urls = async (search: string) => {
    const { webhookEndpoints } = await run(
      `{ webhookEndpoints(filter: { search: "${search}" }) { nodes { url } } }`,
    )
    return webhookEndpoints.nodes.map(({ url }: { url: string }) => url)
  }
  expect(await urls('ORDER')).toEqual([a.webhookEndpoint.url])
  expect(await urls('warehouse')).toEqual([a.webhookEndpoint.url])
  expect(await urls('8.8.8.8')).toHaveLength(2)
  await run(`mutation { deleteWebhookEndpoint(input: { webhookEndpointId: "${a.webhookEndpoint.id}" }) {
    __typename } }`)
  expect(await urls('order')).toEqual([])
})

test('tickets are found by their reference in any lottery, by their partner alone', async () => {
  const lottery = await makeLottery(world, { name: 'Friday' })
  const user = { userId: 'anna', email: 'anna@example.com' }
  const entered = await world.post('/v1/lotteries/entries', world.keys.secret, {
    lotterySlug: lottery.slug,
    ...user,
  })
  const { ticketRef } = entered.body.data
  const found = async (bearer?: string) => {
    const text = `{ lotteryTicketsByRef(ticketRef: "${ticketRef}") { ticketRef lottery { name } } }`
    return (await run(text, bearer)).lotteryTicketsByRef
  }
  expect(await found()).toEqual([{ ticketRef, lottery: { name: 'Friday' } }])
  const { partnerId } = await world.createPartner()
  expect(await found(await world.signInAs('OWNER', partnerId))).toEqual([])
})
