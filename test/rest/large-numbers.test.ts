/**
 * Integers beyond 2⁵³ − 1 change when JSON is parsed. In free-form data they are refused. Neighbours that were looked
 * for: each free-form field of REST, items of lists, results of sessions, and variables and documents of GraphQL.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
})
afterAll(() => world.end())

const message = (field: string) =>
  `${field} must not be a number beyond 9007199254740991, which would lose digits; send it as text`

const large = ['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '1e400']

/** Bodies as text, because JavaScript cannot hold the numbers. */
const bodies: [
  path: string,
  key: 'public' | 'secret',
  field: string,
  body: (n: string) => string,
][] = [
  [
    '/v1/points/award',
    'secret',
    'metadata.order.ids.1',
    (n) => `{"userId":"ann","eventType":"signup","metadata":{"order":{"ids":[1,${n}]}}}`,
  ],
  [
    '/v1/user-journeys/users',
    'public',
    'tags.id',
    (n) => `{"externalId":"ann","tags":{"id":${n}}}`,
  ],
  [
    '/v1/user-journeys/users',
    'public',
    'metadata.id',
    (n) => `{"externalId":"ann","metadata":{"a":"x","id":${n}}}`,
  ],
  [
    '/v1/user-journeys/events',
    'public',
    'metadata.id',
    (n) => `{"externalId":"ann","category":"CUSTOM","eventType":"x","metadata":{"id":${n}}}`,
  ],
  [
    '/v1/user-journeys/users/ann/offers',
    'secret',
    'metadata.id',
    (n) => `{"offerType":"vip_play","title":"x","metadata":{"id":${n}}}`,
  ],
]

test.each(bodies)('are refused by POST %s %s in %s', async (path, key, field, body) => {
  for (const number of large) {
    const answer = await world.post(path, world.keys[key], body(number))
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors).toContainEqual({ field, code: 'custom', message: message(field) })
  }
})

test('are refused for an item of a list', async () => {
  const item = `{"externalId":"ann","category":"CUSTOM","eventType":"x","metadata":{"id":${large[0]}}}`
  const { body } = await world.post(
    '/v1/user-journeys/track',
    world.keys.public,
    `{"events":[${item}]}`,
  )
  expect(body.data.results[0].error).toBe(message('metadata.id'))
})

test('are refused in the results of a session', async () => {
  const json = JSON.stringify(`{"token":"x","rounds":[{"id":${large[0]}}]}`)
  const path = '/v1/arena/games/sessions/00000000-0000-4000-8000-000000000000/result'
  const { body } = await world.post(path, undefined, `{"winnerId":"x","resultsJson":${json}}`)
  expect(body.errors).toContainEqual(
    expect.objectContaining({
      field: 'resultsJson',
      message: 'resultsJson must not contain rounds.0.id: a number that would lose digits',
    }),
  )
})

test('are refused in GraphQL, in variables and in the document', async () => {
  const input = (metadata: string) =>
    `{"user":{"externalId":"ann"},"eventType":"signup","metadata":${metadata}}`
  const query = (argument: string, variable = '') =>
    `mutation ${variable} { awardPoints(input: ${argument}) { __typename ... on ValidationError { errors { path message } } } }`
  const send = (text: string) => world.post('/graphql', world.keys.secret, text)
  const withVariables = `{"query":${JSON.stringify(query('$input', '($input: AwardPointsInput!)'))},
    "variables":{"input":${input(`{"id":${large[0]}}`)}}}`
  const inline = `{ user: { externalId: "ann" }, eventType: "signup", metadata: { id: ${large[0]} } }`
  for (const text of [withVariables, JSON.stringify({ query: query(inline) })]) {
    const { body } = await send(text)
    expect(body.data?.awardPoints ?? body).toEqual({
      __typename: 'ValidationError',
      errors: [{ path: ['metadata', 'id'], message: message('metadata.id') }],
    })
  }
})

test.each(['9007199254740991', '-9007199254740991', '0.1', '"9007199254740993"'])(
  'do not include %s',
  async (value) => {
    const text = `{"userId":"ann","eventType":"signup","metadata":{"id":${value}}}`
    expect((await world.post('/v1/points/award', world.keys.secret, text)).status).toBe(200)
    const { body } = await world.get('/v1/users/ann/history', world.keys.secret)
    expect(JSON.stringify(body.data[0].metadata)).toBe(`{"id":${value}}`)
  },
)
