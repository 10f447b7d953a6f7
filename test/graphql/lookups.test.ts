/** Root fields that find one object by its global id or its UUID. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { createWorld, type World } from '../world.ts'
import { plantNodes } from './planted-nodes.ts'

const fields = {
  ledgerEntry: 'LedgerEntry',
  offer: 'Offer',
  export: 'Export',
  codeBatch: 'CodeBatch',
  lotteryTicket: 'LotteryTicket',
  event: 'Event',
  apiKey: 'ApiKey',
  member: 'Member',
}

let world: World
let ids: Record<string, string>
let bearer: string

beforeAll(async () => {
  world = await createWorld()
  ids = await plantNodes(world)
  bearer = await world.signInAs('OWNER')
}, 120_000)
afterAll(() => world.end())

test.each(Object.entries(fields))('%s finds a %s by both of its ids', async (field, type) => {
  const uuid = ids[type] as string
  const by = { bearer, environment: 'LIVE' } as const
  const item = (id: string) =>
    world.graphql(`{ ${field}(id: "${id}") { __typename uuid } }`, {}, by)
  for (const id of [uuid, encodeNodeId(type, uuid)])
    expect((await item(id)).body).toMatchObject({ data: { [field]: { __typename: type, uuid } } })
  const nobody = await item('00000000-0000-7000-8000-000000000000')
  expect(nobody.body.errors).toBeUndefined()
  expect(nobody.body.data).toEqual({ [field]: null })
  const wrong = await item(encodeNodeId('Wrong', uuid))
  expect(wrong.body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
  const stranger = await world.signInAs('OWNER', (await world.createPartner()).partnerId)
  const query = `{ ${field}(id: "${uuid}") { uuid } }`
  const theirs = await world.graphql(query, {}, { bearer: stranger, environment: 'LIVE' })
  expect(theirs.body.data).toEqual({ [field]: null })
})

test('a lookup without its right is null with an error, where `node` is an error as well', async () => {
  const query = `{ apiKey(id: "${ids.ApiKey}") { id } games { id } }`
  const analyst = await world.signInAs('ANALYST')
  const { status, body } = await world.graphql(query, {}, { bearer: analyst, environment: 'LIVE' })
  expect(status).toBe(200)
  expect(body.data.apiKey).toBeNull()
  expect(body.errors[0].extensions).toMatchObject({ code: 'RIGHT_REQUIRED', right: 'KEYS_READ' })
})
