/** Every type with a global id, as the schema lists them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { createWorld, type TestPartner, type World } from '../world.ts'
import { nodeTypes, viewTypes } from './derived-rows.ts'
import { plantNodes } from './planted-nodes.ts'

/** Types of the arena, where the partners' users and agents meet, and campaigns, which have a public page. */
const isForAll = new Set([
  'Lottery',
  'LotteryDraw',
  'ArenaAgent',
  'ArenaGame',
  'ArenaMatch',
  'ArenaPlayer',
  'ArenaSession',
  'Campaign',
  // Draws have public pages.
  'LotteryDraw',
])

/** Types that belong to a partner in both environments. */
const hasNoEnvironment = new Set([
  'Application',
  'ArenaAcceptance',
  'ArenaBuild',
  'ArenaEarning',
  'Invitation',
  'Member',
  'Partner',
])

const isHidden = (type: string) => !isForAll.has(type)
const isOfEnvironment = (type: string) => isHidden(type) && !hasNoEnvironment.has(type)

type Caller = Record<string, string>

let world: World
let ids: Record<string, string>
let mine: Caller
let ofOther: Caller
let ofTest: Caller

/** All credentials of a partner: both keys and a member's token. */
const credentials = async (partner: TestPartner, environment: 'TEST' | 'LIVE'): Promise<Caller> => {
  const { public: pk, secret: sk } = partner[environment === 'LIVE' ? 'live' : 'test']
  const token = await world.signInAs('OWNER', partner.partnerId)
  return {
    'x-api-key': pk,
    'x-api-secret': sk,
    authorization: `Bearer ${token}`,
    'x-environment': environment,
  }
}

beforeAll(async () => {
  world = await createWorld()
  ids = await plantNodes(world)
  mine = await credentials(world.partner, 'LIVE')
  // Nobody sees sign-ins of others, not even a colleague.
  const newest = { orderBy: { id: 'desc' } } as const
  ids.SignIn = (await world.runtime.db.signIn.findFirstOrThrow(newest)).id
  ofTest = await credentials(world.partner, 'TEST')
  ofOther = await credentials(await world.createPartner(), 'LIVE')
}, 120_000)
afterAll(() => world.end())

const ask = async (query: string, headers: Caller) => {
  const { body, text } = await world.call('POST', '/graphql', { headers, body: { query } })
  expect(body.errors, text).toBeUndefined()
  return body.data
}

const idOf = (type: string) => encodeNodeId(type, ids[type] as string)
const nobody = (type: string) => encodeNodeId(type, '00000000-0000-7000-8000-000000000000')

test.each(nodeTypes)('a %s is found by `node` and by `nodes`, and has its UUID', async (type) => {
  expect(ids[type], `plant a ${type} in test/graphql/planted-rows.ts`).toBeDefined()
  const shown = '{ __typename id uuid }'
  const data = await ask(
    `{ node(id: "${idOf(type)}") ${shown} nodes(ids: ["${nobody(type)}", "${idOf(type)}"]) ${shown} }`,
    mine,
  )
  const node = { __typename: type, id: idOf(type), uuid: ids[type] }
  expect(data).toEqual({ node, nodes: [null, node] })
})

// Rankings show users; by its id, a user is found only for callers who may name them.
const foundViews = viewTypes.filter((name) => name !== 'UserView')

test.each(foundViews)('a %s has the id of the type of its owner', async (view) => {
  const type = view.replace('View', '')
  const seen = { __typename: view, id: idOf(type), uuid: ids[type] }
  for (const by of [{}, ofOther])
    expect(await ask(`{ node(id: "${idOf(type)}") { __typename id uuid } }`, by)).toEqual({
      node: seen,
    })
})

test.each(nodeTypes.filter(isHidden))('a %s is null for another partner', async (type) => {
  expect(await ask(`{ node(id: "${idOf(type)}") { id } }`, ofOther)).toEqual({ node: null })
})

test.each(nodeTypes.filter(isOfEnvironment))(
  'a %s is null in the other environment',
  async (type) => {
    expect(await ask(`{ node(id: "${idOf(type)}") { id } }`, ofTest)).toEqual({ node: null })
  },
)
