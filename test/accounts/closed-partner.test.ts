import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { hashPassword } from '../../src/accounts/password.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { createArena } from '../arena/arena-world.ts'
import { makeAgent, makeMatch } from '../arena/matches/arena.ts'
import { awake } from '../timing.ts'
import { createReceiver } from '../webhooks/receiver.ts'
import { createWorld, type TestPartner, type World } from '../world.ts'

let world: World
let admin: string

beforeAll(async () => {
  const { arena } = readConfig({ NODE_ENV: 'test' })
  world = await createWorld({
    config: {
      jobs: true,
      webhookAllowPrivate: true,
      webhookRetrySeconds: [0, 1],
      // A match that has begun continues for a while.
      arena: { ...arena, movePauseMs: 20_000 },
    },
  })
  admin = await world.signInAs('OPERATOR')
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const setClosed = async ({ partnerId }: TestPartner, closed: boolean) => {
  const answer = await world.call('PATCH', `/admin/partners/${partnerId}`, {
    key: admin,
    body: { closed },
  })
  expect(answer.status, answer.text).toBe(200)
}

test('members of a closed partner cannot sign in, and a refused refresh does not use up the token', async () => {
  const partner = await world.createPartner()
  const { partnerId } = partner
  const [email, password] = [`${partnerId}@example.com`, 'a long password']
  const passwordHash = await hashPassword(password)
  await world.runtime.db.member.create({
    data: { id: partnerId, partnerId, email, passwordHash, role: 'OWNER' },
  })
  const logIn = (withPassword = password) =>
    world.post('/dashboard/auth/login', undefined, { email, password: withPassword })
  const { refreshToken } = (await logIn()).body.data
  const refresh = () => world.post('/dashboard/auth/refresh', undefined, { refreshToken })

  await setClosed(partner, true)
  const closed = { code: 403, errorCode: 'PARTNER_NOT_FOUND', message: 'Partner account not found' }
  expect((await logIn()).body).toMatchObject(closed)
  expect((await refresh()).body).toMatchObject(closed)
  // Callers who do not know the password do not learn that the account is closed.
  expect((await logIn('wrong')).body.errorCode).toBe('INVALID_CREDENTIALS')

  await setClosed(partner, false)
  expect((await logIn()).status).toBe(200)
  const { body } = await refresh()
  const next = { refreshToken: body.data.refreshToken }
  expect((await world.post('/dashboard/auth/refresh', undefined, next)).status).toBe(200)
  // Only now has it been used.
  expect((await refresh()).body.errorCode).toBe('INVALID_REFRESH_TOKEN')
})

test('deliveries of a closed partner wait, and continue when it is reopened', async () => {
  const partner = await world.createPartner()
  // The first attempt fails only after the partner is closed.
  const receiver = await createReceiver((n) => (n === 1 ? { status: 500, delayMs: 3_000 } : 200))
  try {
    const { secret } = partner.test
    await world.post('/v1/webhooks', secret, { url: receiver.url, events: ['points.awarded'] })
    await world.givePoints('ann', 1, 'signup', secret)
    expect(await receiver.until(1)).toHaveLength(1)

    await setClosed(partner, true)
    // The next attempt is due about a second after that.
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    expect(receiver.received).toHaveLength(1)

    await setClosed(partner, false)
    expect(await receiver.until(2)).toHaveLength(2)
  } finally {
    await receiver.end()
  }
})

test('its agents are not listed, ranked or shown, and its matches are cancelled', async () => {
  const { runtime, partner } = world
  const closing = await world.createPartner()
  const theirs = await makeAgent(runtime, closing.partnerId, 'random')
  const ours = await makeAgent(runtime, partner.partnerId, 'random')
  const others = await makeAgent(runtime, partner.partnerId, 'random')
  const later = { scheduledAt: new Date(Date.now() + 3600_000) }
  const scheduled = await makeMatch(runtime, [ours, theirs], later)
  const untouched = await makeMatch(runtime, [ours, others], { ...later, matchType: 'FRIENDLY' })
  const underWay = await makeMatch(runtime, [others, theirs])
  const globalId = Buffer.from(`ArenaAgent:${theirs.id}`).toString('base64url')
  const look = async () => {
    const { body } = await world.graphql(
      `query ($match: ID!, $id: ID!) {
        node(id: $id) { id }
        arena {
          agents(first: 100) { nodes { uuid } }
          leaderboard(first: 100) { nodes { agent { uuid } } }
          match(id: $match) { agent2 { profile { id } } }
        }
      }`,
      { match: scheduled.id, id: globalId },
      {},
    )
    type Named = { uuid: string }
    const { arena, node } = body.data
    const isListed = (agents: Named[]) => agents.some(({ uuid }) => uuid === theirs.id)
    const page = await world.get(`/v1/arena/agents/${theirs.id}`)
    return [
      isListed(arena.agents.nodes),
      isListed(arena.leaderboard.nodes.map(({ agent }: { agent: Named }) => agent)),
      node !== null,
      arena.match.agent2.profile !== null,
      page.status,
    ]
  }
  const statusOf = async (id: string) =>
    (await world.get(`/v1/arena/matches/${id}`)).body.data.status
  await vi.waitFor(async () => expect(await statusOf(underWay.id)).toBe('IN_PROGRESS'), 10_000)
  expect(await look()).toEqual([true, true, true, true, 200])
  await setClosed(closing, true)
  expect(await look()).toEqual([false, false, false, false, 404])

  for (const { id } of [scheduled, underWay])
    await vi.waitFor(async () => expect(await statusOf(id)).toBe('CANCELLED'), 10_000)
  expect(await statusOf(untouched.id)).toBe('SCHEDULED')

  const member = await world.signInAs('OWNER')
  const body = { agent1Id: ours.id, agent2Id: theirs.id, gameType: 'TIC_TAC_TOE', bestOf: 1 }
  const headers = { 'x-environment': 'LIVE' }
  const schedule = () =>
    world.call('POST', '/dashboard/arena-matches', { key: member, headers, body })
  expect((await schedule()).body.errorCode).toBe('AGENT_NOT_FOUND')

  await setClosed(closing, false)
  expect(await look()).toEqual([true, true, true, true, 200])
})

test('its games are not listed, and take no new sessions', async () => {
  const arena = await createArena(world)
  const closing = await world.createPartner()
  const developer = await world.signInAs('OWNER', closing.partnerId)
  const { id, slug } = await arena.publish({ name: 'Closing Time' }, developer)
  const look = async () => {
    const list = await world.get('/v1/arena/games?limit=100')
    const opened = await world.post(`/v1/arena/games/${id}/sessions`, world.partner.live.secret, {})
    return [
      list.body.data.some((game: { id: string }) => game.id === id),
      (await world.get(`/v1/arena/games/${slug}`)).status,
      (await world.get(`/v1/arena/games/id/${id}`)).status,
      opened.status,
    ]
  }
  expect(await look()).toEqual([true, 200, 200, 200])
  await setClosed(closing, true)
  expect(await look()).toEqual([false, 404, 404, 404])
  await setClosed(closing, false)
  expect(await look()).toEqual([true, 200, 200, 200])
})

/** The end of an event stream, when it has begun. */
const openStream = async (headers: Record<string, string>) => {
  const { body } = await fetch(`${world.base}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { eventPublished { uuid } }' }),
  })
  const reader = body?.getReader()
  const isOver = async () => {
    while (!(await reader?.read())?.done);
    return 'over'
  }
  return { promise: isOver().catch(() => 'over') }
}

test('its streams end within five seconds, those of keys and of members', async () => {
  const partner = await world.createPartner()
  const bearer = await world.signInAs('OWNER', partner.partnerId)
  const open = async (connectionParams: Record<string, string>) => {
    const connected = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<unknown>()
    createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams,
      retryAttempts: 0,
      lazy: false,
      onNonLazyError: () => {},
      on: { connected: () => connected.resolve(), closed: closed.resolve },
    })
    await connected.promise
    return closed
  }
  const sockets = [
    await open({ 'x-api-secret': partner.test.secret }),
    await open({ authorization: `Bearer ${bearer}` }),
  ]
  const streams = [
    await openStream({ 'x-api-secret': partner.test.secret }),
    await openStream({ authorization: `Bearer ${bearer}` }),
  ]
  const untouched = await openStream({ 'x-api-secret': world.keys.secret })
  await setClosed(partner, true)
  const startedAt = awake()
  const ends = await Promise.all([...sockets, ...streams].map(({ promise }) => promise))
  const expected = { code: 4403, reason: 'Partner account not found' }
  expect(ends).toMatchObject([expected, expected, 'over', 'over'])
  expect(await Promise.race([untouched.promise, Promise.resolve('open')])).toBe('open')
  expect(awake() - startedAt).toBeLessThan(5_000)
})
