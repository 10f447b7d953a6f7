/** Ids in arguments and inputs: global or UUID alike, of the right type, of the caller's own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
let ann: { id: string; uuid: string }

const ask = async (document: string, by = world.keys) =>
  (await world.graphql(document, {}, by)).body

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 2)
  for (let i = 0; i < 3; i++)
    await world.post('/v1/games/play', world.keys.public, { userId: 'ann', gameType: 'NEON_WHEEL' })
  ann = (await ask('{ user(by: { externalId: "ann" }) { id uuid } }')).data.user
})
afterAll(() => world.end())

describe('a user', () => {
  test('is the same by the id of the partner, the global id and the UUID', async () => {
    for (const by of [`id: "${ann.id}"`, `id: "${ann.uuid}"`, `id: "${ann.uuid.toUpperCase()}"`])
      expect(await ask(`{ user(by: { ${by} }) { externalId } }`)).toMatchObject({
        data: { user: { externalId: 'ann' } },
      })
  })

  test('who is unknown, of another partner or of LIVE is null without an error', async () => {
    const nobody = '00000000-0000-7000-8000-000000000000'
    for (const by of [`externalId: "no"`, `id: "${nobody}"`])
      expect(await ask(`{ user(by: { ${by} }) { id } }`)).toMatchObject({ data: { user: null } })
    const others = [world.partner.live, (await world.createPartner()).test]
    for (const keys of others)
      for (const by of [`externalId: "ann"`, `id: "${ann.id}"`])
        expect(await ask(`{ user(by: { ${by} }) { id } }`, keys)).toMatchObject({
          data: { user: null },
        })
  })

  test('is named in a mutation by any of them; an unknown id is not found', async () => {
    const award = (by: string) =>
      ask(`mutation { awardPoints(input: { user: { ${by} }, eventType: "daily_login" }) {
        ... on AwardPointsPayload { user { externalId } } ... on NotFoundError { resource } } }`)
    for (const by of [`id: "${ann.id}"`, `id: "${ann.uuid}"`, 'externalId: "ann"'])
      expect((await award(by)).data.awardPoints).toEqual({ user: { externalId: 'ann' } })
    const nobody = await award('id: "00000000-0000-7000-8000-000000000000"')
    expect(nobody.data.awardPoints).toEqual({ resource: 'USER' })
  })

  test('is refused by the id of another type, which is named', async () => {
    const { data } = await ask(
      '{ user(by: { externalId: "ann" }) { plays(first: 1) { nodes { id } } } }',
    )
    const [play] = data.user.plays.nodes
    const { errors } = await ask(`{ user(by: { id: "${play.id}" }) { id } }`)
    expect(errors[0].extensions).toMatchObject({
      code: 'INVALID_PARAMETERS',
      errors: [{ path: ['by', 'id'], message: 'by.id is the id of a Play, not of a User' }],
    })
    const garbage = await ask('{ user(by: { id: "no id" }) { id } }')
    expect(garbage.errors[0].extensions.errors[0].message).toBe('by.id is not the id of a User')
  })

  test('is named by exactly one key', async () => {
    for (const by of ['', 'id: "x", externalId: "ann"', 'externalId: null']) {
      const { status, body } = await world.graphql(`{ user(by: { ${by} }) { id } }`)
      expect(status).toBeLessThan(500)
      expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    }
  })
})

describe('nodes', () => {
  test('are in the order of their ids, null where there is none', async () => {
    const { data } = await ask(
      '{ user(by: { externalId: "ann" }) { plays { nodes { id uuid } } } }',
    )
    const plays = data.user.plays.nodes as { id: string; uuid: string }[]
    const other = Buffer.from('Play:00000000-0000-7000-8000-000000000000').toString('base64url')
    const ids = [plays[2]?.id, other, ann.id, plays[0]?.id]
    const { body } = await world.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id uuid ... on Play { user { externalId } } } }',
      { ids },
    )
    const user = { externalId: 'ann' }
    expect(body.data.nodes).toEqual([{ ...plays[2], user }, null, ann, { ...plays[0], user }])
  })

  test('are null for a text that is not an id', async () => {
    const ofNoNode = Buffer.from('Query:00000000-0000-7000-8000-000000000000').toString('base64url')
    const { body, status } = await world.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids: ['', 'no id', ann.id, ann.uuid, ofNoNode, '\0'] },
    )
    expect(status).toBe(200)
    expect(body.errors).toBeUndefined()
    expect(body.data.nodes).toEqual([null, null, { id: ann.id }, null, null, null])
    const inline = await ask(`{ nodes(ids: ["no id", "${ann.id}"]) { id } }`)
    expect(inline.data.nodes).toEqual([null, { id: ann.id }])
  })

  test('are limited to a hundred', async () => {
    const ids = Array.from({ length: 101 }, () => ann.id)
    const { status, body } = await world.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids },
    )
    expect(status).toBeLessThan(500)
    expect(body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
  })
})
