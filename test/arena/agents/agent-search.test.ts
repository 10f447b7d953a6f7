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
      query: `query ($filter: ArenaAgentFilter, $shown: PublicArenaAgentFilter) {
        arenaAgents(filter: $filter) { nodes { displayName } }
        arena { agents(filter: $shown) { nodes { displayName } } } }`,
      variables: { filter: { search: 'QUOKKA' }, shown: { search: 'QUOKKA' } },
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

test('agents are filtered by tier, and the own ones by whether they are public', async () => {
  const owner = await world.createPartner()
  const bearer = await world.signInAs('OWNER', owner.partnerId)
  for (const [name, eloRating, isPublic] of [
    ['rookie', 1299, true],
    ['contender', 1300, true],
    ['champion', 1699, false],
    ['legend', 1700, true],
  ] as const) {
    const { id } = await makeAgent(world.runtime, owner.partnerId, 'random', { name, isPublic })
    await world.runtime.db.arenaAgent.update({ where: { id }, data: { eloRating } })
  }
  const names = async (filter: string) => {
    const document = `{ arenaAgents(filter: { ${filter} }, orderBy: { field: NAME, direction: ASC }) {
      nodes { name } } }`
    const { body } = await world.graphql(document, {}, { bearer, environment: 'LIVE' })
    return body.data.arenaAgents.nodes.map(({ name }: { name: string }) => name)
  }
  for (const tier of ['ROOKIE', 'CONTENDER', 'CHAMPION', 'LEGEND'])
    expect(await names(`tiers: [${tier}]`)).toEqual([tier.toLowerCase()])
  expect(await names('tiers: [ROOKIE, LEGEND]')).toEqual(['legend', 'rookie'])
  expect(await names('tiers: []')).toEqual([])
  expect(await names('isPublic: false')).toEqual(['champion'])
  expect(await names('isPublic: true, tiers: [CHAMPION]')).toEqual([])
})
