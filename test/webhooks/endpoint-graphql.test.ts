/** Webhook endpoints as GraphQL clients see them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

type Named = { id: string; uuid: string }

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const ask = async (document: string, variables = {}, by = world.keys) =>
  (await world.graphql(document, variables, by)).body

const create = async (): Promise<{ secret: string; webhookEndpoint: Named }> => {
  const { data } = await ask(`mutation {
    createWebhookEndpoint(input: { url: "https://8.8.8.8/hook", eventNames: ["*"] }) {
      ... on CreateWebhookEndpointPayload { secret webhookEndpoint { id uuid } } } }`)
  return data.createWebhookEndpoint
}

const find = 'query ($id: ID!) { webhookEndpoint(id: $id) { uuid } }'

test('an endpoint is found by its global id and by its UUID', async () => {
  const { webhookEndpoint } = await create()
  const { id, uuid } = webhookEndpoint
  for (const item of [id, uuid, uuid.toUpperCase()])
    expect(await ask(find, { id: item })).toMatchObject({ data: { webhookEndpoint: { uuid } } })
})

test('it is null, without an error, for others, in LIVE and when there is none', async () => {
  const { webhookEndpoint } = await create()
  const { id } = webhookEndpoint
  const nobody = '00000000-0000-7000-8000-000000000000'
  const nothing = { data: { webhookEndpoint: null } }
  expect(await ask(find, { id: nobody })).toMatchObject(nothing)
  for (const keys of [world.partner.live, (await world.createPartner()).test]) {
    const answer = await ask(find, { id }, keys)
    expect(answer).toMatchObject(nothing)
    expect(answer.errors).toBeUndefined()
  }
})

test('the id of another type is refused with the name of that type', async () => {
  const id = Buffer.from('Play:00000000-0000-7000-8000-000000000000').toString('base64url')
  const { errors } = await ask(find, { id })
  expect(errors[0].extensions).toMatchObject({
    code: 'INVALID_PARAMETERS',
    errors: [{ message: 'id is the id of a Play, not of a WebhookEndpoint' }],
  })
})

test('mutations return the endpoint; a deletion also returns its id', async () => {
  const { webhookEndpoint, secret } = await create()
  const { id, uuid } = webhookEndpoint
  const { data } = await ask(
    `mutation ($id: ID!) {
      updateWebhookEndpoint(input: { webhookEndpointId: $id, status: DISABLED }) {
        ... on UpdateWebhookEndpointPayload { webhookEndpoint { id status } } }
      rotateWebhookSecret(input: { webhookEndpointId: $id }) {
        ... on RotateWebhookSecretPayload {
          secret webhookEndpoint { id previousSecretExpiresAt } } }
      deleteWebhookEndpoint(input: { webhookEndpointId: $id }) {
        ... on DeleteWebhookEndpointPayload { deletedId webhookEndpoint { uuid } } }
    }`,
    { id },
  )
  expect(data).toEqual({
    updateWebhookEndpoint: { webhookEndpoint: { id, status: 'DISABLED' } },
    rotateWebhookSecret: {
      secret: expect.stringMatching(/^whsec_/),
      webhookEndpoint: { id, previousSecretExpiresAt: expect.any(String) },
    },
    deleteWebhookEndpoint: { deletedId: id, webhookEndpoint: { uuid } },
  })
  expect(data.rotateWebhookSecret.secret).not.toBe(secret)
  expect(await ask(find, { id })).toMatchObject({ data: { webhookEndpoint: null } })
})
