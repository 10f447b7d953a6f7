/** Each `id` that a public key reaches by any field is found by `node` for the same caller, with a token or without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { plant, userId } from './planted.ts'
import { deadEnds, rootFields, waysFrom } from './walk.ts'

const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url')

let world: World
let args: Record<string, Record<string, unknown>>
let token: string

beforeAll(async () => {
  world = await createWorld()
  const { slug, agentId, matchId, game, sessionId, drawId, nodes } = await plant(world)
  const { partnerId, live } = world.partner
  const { db } = world.runtime
  const { slug: partnerSlug } = await db.partner.findUniqueOrThrow({ where: { id: partnerId } })
  const { lotteryId } = await db.lotteryDraw.findUniqueOrThrow({ where: { id: drawId } })
  const play = nodes.Play as { id: string }
  await world.givePoints('another', 5, 'signup', live.secret)
  args = {
    user: { by: { externalId: userId } },
    leaderboardAround: { user: { externalId: userId } },
    game: { gameType: 'NEON_WHEEL' },
    'Arena.agent': { id: agentId },
    'Arena.match': { id: matchId },
    'Arena.game': { by: { slug: game.slug } },
    'Arena.session': { id: sessionId },
    publicCampaign: { partnerSlug, slug },
    publicLotteryDraw: { id: drawId },
    publicLottery: { by: { id: lotteryId } },
    play: { id: globalId('Play', play.id) },
    ledgerEntry: { id: globalId('LedgerEntry', play.id) },
    goal: { by: { slug: 'planted-goal' } },
  }
  const path = `/v1/users/${userId}/token`
  token = (await world.post(path, live.secret, {})).body.data.token
}, 60_000)
afterAll(() => world.end())

type Json = null | string | number | boolean | Json[] | { [name: string]: Json }

/** All ids in an answer, by the name of the type that has them. */
const idsIn = (value: Json, found = new Map<string, Set<string>>()) => {
  if (Array.isArray(value)) for (const item of value) idsIn(item, found)
  else if (value && typeof value === 'object')
    for (const [name, inner] of Object.entries(value))
      if (name.endsWith('_id') && typeof inner === 'string')
        found.set(name.slice(0, -3), (found.get(name.slice(0, -3)) ?? new Set()).add(inner))
      else idsIn(inner, found)
  return found
}

const isNodeId = (leaf: string) => /\w+_id: id \}$/.test(leaf)

/** The types whose ids a caller is given, with their ids. */
const reach = async (headers: Record<string, string>) => {
  const found = new Map<string, Set<string>>()
  for (const field of rootFields('query')) {
    const ends = deadEnds()
    for (const way of waysFrom('query', field, args)) {
      if (ends.has(way)) continue
      const leaves = way.leaves.filter(isNodeId)
      const body = { query: way.document(leaves) }
      const answer = await world.call('POST', '/graphql', { headers, body })
      ends.note(way, [answer.text])
      idsIn((answer.body.data ?? null) as Json, found)
    }
  }
  return found
}

const node = async (id: string, headers: Record<string, string>) => {
  const query = '($id: ID!) { node(id: $id) { __typename id } }'
  const body = { query: `query ${query}`, variables: { id } }
  return (await world.call('POST', '/graphql', { headers, body })).body
}

describe.each(['a public key', 'a public key and the token of a user'])('%s', (name) => {
  test('finds each id that it reaches', async () => {
    const headers = {
      'x-api-key': world.partner.live.public,
      ...(name.endsWith('user') && { 'x-user-token': token }),
    }
    const reached = await reach(headers)
    const types = [...reached.keys()]
    expect(types).toEqual(
      expect.arrayContaining([
        'ApiKey',
        'Application',
        'Game',
        'GameVersion',
        'LedgerEntry',
        'Goal',
        'LotteryDrawView',
        'Play',
        'User',
      ]),
    )
    const lost: string[] = []
    for (const [type, ids] of reached)
      for (const id of [...ids].slice(0, 20)) {
        const { data, errors } = await node(id, headers)
        if (data?.node?.id !== id) lost.push(`${type}: ${errors?.[0]?.extensions.code ?? 'null'}`)
      }
    expect([...new Set(lost)]).toEqual([])
  }, 120_000)
})

test('a public key finds neither entries of other movements nor other keys by their ids', async () => {
  const { live, partnerId } = world.partner
  const { db } = world.runtime
  const award = await db.ledgerEntry.findFirstOrThrow({
    where: { partnerId, environment: 'LIVE', eventType: 'signup' },
  })
  const { id: keyId } = await db.apiKey.findFirstOrThrow({
    where: { partnerId, environment: 'LIVE', kind: 'SECRET' },
  })
  const headers = { 'x-api-key': live.public }
  expect((await node(globalId('LedgerEntry', award.id), headers)).data).toEqual({ node: null })
  const { errors } = await node(globalId('ApiKey', keyId), headers)
  expect(errors[0].extensions.code).toBe('MISSING_API_SECRET')
})
