/** An agent is an `ArenaAgent` to its owner and to operators; everyone else sees its public part, by the same id. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { makeAgent } from '../matches/arena.ts'

let world: World
let uuid: string
beforeAll(async () => {
  world = await createWorld()
  const more = {
    isPublic: true,
    endpointUrl: 'https://agents.example/secret',
    secretLastFour: 'ab12',
  }
  uuid = (await makeAgent(world.runtime, world.partner.partnerId, 'random', more)).id
})
afterAll(() => world.end())

const ownFields =
  '... on ArenaAgent { endpointUrl secretLastFour validatedAt validationError updatedAt }'

const read = async (by: object) => {
  const query = `query ($id: ID!) {
    arena { agent(id: $id) { __typename id uuid displayName ${ownFields} }
      agents { nodes { __typename id ${ownFields} } }
      leaderboard { nodes { agent { __typename id ${ownFields} } } } }
    node(id: $id) { __typename id ... on PublicArenaAgent { displayName } ${ownFields} } }`
  const id = Buffer.from(`ArenaAgent:${uuid}`).toString('base64url')
  const { body, text } = await world.graphql(query, { id }, by)
  expect(body.errors, text).toBeUndefined()
  const { arena, node } = body.data
  const all = [arena.agent, arena.agents.nodes[0], arena.leaderboard.nodes[0].agent, node]
  return { all, agent: arena.agent, text }
}

test('its owner and operators see all of it, wherever it is found', async () => {
  const { live, partnerId } = world.partner
  const stranger = await world.createPartner()
  for (const by of [
    { secret: live.secret },
    { bearer: await world.signInAs('DEVELOPER', partnerId) },
    { bearer: await world.signInAs('OPERATOR', stranger.partnerId) },
  ])
    for (const agent of (await read(by)).all)
      expect(agent).toMatchObject({
        __typename: 'ArenaAgent',
        endpointUrl: 'https://agents.example/secret',
        secretLastFour: 'ab12',
        validatedAt: expect.any(String),
        validationError: null,
        updatedAt: expect.any(String),
      })
})

test('everyone else sees its public part, with the same id', async () => {
  const { live, test: sandbox } = world.partner
  const stranger = await world.createPartner()
  const owned = (await read({ secret: live.secret })).agent
  for (const by of [
    {},
    { public: live.public },
    { secret: sandbox.secret },
    { secret: stranger.live.secret },
    { bearer: await world.signInAs('OWNER', stranger.partnerId) },
  ]) {
    const { all, agent, text } = await read(by)
    expect(text).not.toContain('secret')
    expect(agent).toEqual({
      __typename: 'ArenaAgentView',
      id: owned.id,
      uuid,
      displayName: owned.displayName,
    })
    for (const item of all)
      expect(item).toMatchObject({ __typename: 'ArenaAgentView', id: owned.id })
  }
})

test('a mutation takes the id that the public part has', async () => {
  const { id } = (await read({})).agent
  await world.givePoints('ann', 1, 'signup', world.partner.live.secret)
  const { body, text } = await world.graphql(
    `mutation ($id: ID!) { supportArenaAgent(input: { arenaAgentId: $id, user: { externalId: "ann" }, points: 1 }) {
      ... on SupportArenaAgentPayload { arenaAgent { __typename id supportPoints } } } }`,
    { id },
    { secret: (await world.createPartner()).live.secret },
  )
  // The user belongs to another partner.
  expect(body.data.supportArenaAgent, text).toEqual({})
  const own = await world.graphql(
    `mutation ($id: ID!) { supportArenaAgent(input: { arenaAgentId: $id, user: { externalId: "ann" }, points: 1 }) {
      ... on SupportArenaAgentPayload { arenaAgent { __typename id supportPoints } } } }`,
    { id },
    { secret: world.partner.live.secret },
  )
  expect(own.body.data.supportArenaAgent.arenaAgent).toEqual({
    __typename: 'ArenaAgent',
    id,
    supportPoints: 1,
  })
})
