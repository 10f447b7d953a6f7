import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { makeAgent } from '../matches/arena.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

test('agents are found by a part of their name or their display name', async () => {
  const { partnerId } = world.partner
  const member = await world.signInAs('OWNER')
  const rival = await world.createPartner()
  const named = (name: string, displayName: string, of = partnerId) =>
    makeAgent(world.runtime, of, 'random', { name, displayName })
  await named('quokka-1', 'First')
  await named('second', 'The Quokka')
  await named('third', 'Quokka of others', rival.partnerId)
  const { body } = await world.call('POST', '/graphql', {
    key: member,
    headers: { 'x-environment': 'LIVE' },
    body: {
      query: `query ($filter: ArenaAgentFilter) {
        arenaAgents(filter: $filter) { nodes { displayName } }
        arena { agents(filter: $filter) { nodes { displayName } } } }`,
      variables: { filter: { search: 'QUOKKA' } },
    },
  })
  const names = ({ nodes }: { nodes: { displayName: string }[] }) =>
    nodes.map(({ displayName }) => displayName)
  expect(names(body.data.arenaAgents)).toEqual(['The Quokka', 'First'])
  expect(names(body.data.arena.agents)).toEqual(['Quokka of others', 'The Quokka', 'First'])
})

test('operators find the agents of all partners, also private ones; others do not', async () => {
  const owner = await world.createPartner()
  const { id } = await makeAgent(world.runtime, owner.partnerId, 'random', {
    name: 'numbat',
    displayName: 'Hidden',
    isPublic: false,
  })
  const ask = async (key: string) => {
    const query = `query ($id: ID!) { platform {
      arenaAgent(id: $id) { displayName partnerName }
      arenaAgents(filter: { search: "numbat" }) { nodes { displayName } } } }`
    const body = { query, variables: { id } }
    return (await world.call('POST', '/graphql', { key, body })).body
  }
  const { data } = await ask(await world.signInAs('OPERATOR'))
  expect(data.platform.arenaAgent.displayName).toBe('Hidden')
  expect(data.platform.arenaAgents.nodes).toEqual([{ displayName: 'Hidden' }])
  const refused = await ask(await world.signInAs('OWNER', owner.partnerId))
  expect(refused.errors[0].extensions.code).toBe('ADMIN_REQUIRED')
})
