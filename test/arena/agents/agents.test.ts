import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { signatureOf } from '../../webhooks/receiver.ts'
import { createWorld, type World } from '../../world.ts'
import { makeAgent, makeMatch, playAll } from '../matches/arena.ts'

let world: World
let member: string
/** A server that plays for agents: its answers, and the requests it received. */
let answer: (body: never, path: string) => unknown
let requested: { path: string; headers: IncomingHttpHeaders; text: string }[] = []
const thinker = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString()
  const path = request.url ?? ''
  requested.push({ path, headers: request.headers, text })
  const result = await answer(JSON.parse(text) as never, path)
  if (result === null) return
  if (typeof result === 'number') return response.writeHead(result, { location: '/x' }).end()
  response.end(typeof result === 'string' ? result : JSON.stringify(result))
})
let url: string

const arena = { movePauseMs: 0, gamePauseMs: 0, moveTimeMs: 9000, liveMatches: 1, leaseMs: 30_000 }

beforeAll(async () => {
  world = await createWorld({
    config: { webhookAllowPrivate: true, arena: { ...arena, matchmaker: false } },
  })
  member = await world.signInAs('OWNER')
  await new Promise<void>((resolve) => thinker.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(thinker.address() as AddressInfo).port}`
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(async () => {
  thinker.closeAllConnections()
  thinker.close()
  await world.end()
})

const live = { 'x-environment': 'LIVE' }
const dashboard = (method: string, path: string, body?: unknown, key = member) =>
  world.call(method, `/dashboard/arena-agents${path}`, {
    key,
    headers: live,
    ...(body !== undefined && { body }),
  })

let count = 0
const create = async (more: object) => {
  const body = { name: `bot-${++count}`, displayName: 'Bot', ...more }
  return dashboard('POST', '', body)
}
const activate = async (id: string) => {
  expect((await dashboard('POST', `/${id}/activate`)).status).toBe(200)
  await playAll(world.runtime)
  return (await dashboard('GET', `/${id}`)).body.data
}

type Situation = { legalMoves: string[]; slot: number; gameType: string; history: unknown[] }
const firstLegal = ({ legalMoves }: Situation) => legalMoves[0]

/** The situation in a request for a chat completion. */
const situationIn = (body: { messages: { content: string }[] }): Situation =>
  JSON.parse(body.messages.at(-1)?.content ?? '')
const completion = (content: unknown) => ({
  choices: [
    { message: { content: typeof content === 'string' ? content : JSON.stringify(content) } },
  ],
})

describe('an agent', () => {
  test('is created, validated, paused, activated and retired by its partner', async () => {
    const made = await create({ provider: 'BUILTIN', modelId: 'markov', thinkingStyle: 'calm' })
    expect(made.body.data).toMatchObject({
      status: 'DRAFT',
      tier: 'ROOKIE',
      eloRating: 1200,
      signingSecret: null,
    })
    const { id } = made.body.data
    expect((await world.get(`/v1/arena/agents/${id}`)).status).toBe(404)
    expect(await activate(id)).toMatchObject({ status: 'ACTIVE', validationError: null })
    expect((await world.get(`/v1/arena/agents/${id}`)).body.data).toMatchObject({
      id,
      thinkingStyle: 'calm',
      recentMatches: [],
    })
    expect((await dashboard('POST', `/${id}/pause`)).body.data.status).toBe('PAUSED')
    expect((await dashboard('POST', `/${id}/activate`)).body.data.agent.status).toBe('ACTIVE')
    const changed = await dashboard('PATCH', `/${id}`, { modelId: 'mixed' })
    expect(changed.body.data.status).toBe('DRAFT')
    expect((await dashboard('PATCH', `/${id}`, { displayName: 'B' })).body.data).toMatchObject({
      displayName: 'B',
      modelId: 'mixed',
    })
    expect((await dashboard('DELETE', `/${id}`)).body.data.status).toBe('RETIRED')
    expect((await dashboard('POST', `/${id}/activate`)).status).toBe(409)
    expect((await dashboard('POST', `/${id}/pause`)).status).toBe(409)
    expect((await dashboard('PATCH', `/${id}`, { displayName: 'C' })).status).toBe(409)
  })

  test('is refused with every invalid field named, and in TEST', async () => {
    const bad = await dashboard('POST', '', { name: 'No!', provider: 'X' })
    expect(bad.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'displayName',
      'modelId',
      'name',
      'provider',
    ])
    const refused = async (more: object) => {
      const { status, body } = await create(more)
      return [status, body.errors?.[0].field]
    }
    expect(await refused({ provider: 'BUILTIN', modelId: 'genius' })).toEqual([400, 'modelId'])
    expect(await refused({ provider: 'OPENAI', modelId: 'm' })).toEqual([400, 'apiKey'])
    expect(await refused({ provider: 'CUSTOM', modelId: 'm' })).toEqual([400, 'endpointUrl'])
    expect(await refused({ provider: 'WEBHOOK', modelId: 'm' })).toEqual([400, 'endpointUrl'])
    const inTest = await world.call('POST', '/dashboard/arena-agents', {
      key: member,
      body: { name: 'a', displayName: 'A', provider: 'BUILTIN', modelId: 'random' },
    })
    expect(inTest.body).toMatchObject({ code: 403, errorCode: 'LIVE_ONLY' })
    const random = { provider: 'BUILTIN', modelId: 'random' }
    const made = await create(random)
    const again = await create({ ...random, name: made.body.data.name })
    expect(again.body).toMatchObject({ code: 409, errorCode: 'AGENT_NAME_TAKEN' })
  })

  test('of another partner gets the same answer as an unknown one', async () => {
    const { body } = await create({ provider: 'BUILTIN', modelId: 'random' })
    const other = await world.createPartner()
    const stranger = await world.signInAs('OWNER', other.partnerId)
    const unknown = '00000000-0000-7000-8000-000000000000'
    for (const [method, path, sent] of [
      ['GET', ''],
      ['PATCH', '', { displayName: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/activate'],
      ['POST', '/pause'],
    ] as const) {
      const gist = async (id: string) => {
        const answer = await dashboard(method, `/${id}${path}`, sent, stranger)
        return [answer.status, answer.body.errorCode]
      }
      expect(await gist(body.data.id)).toEqual([404, 'AGENT_NOT_FOUND'])
      expect(await gist(unknown)).toEqual([404, 'AGENT_NOT_FOUND'])
      expect(await gist('junk')).toEqual([404, 'AGENT_NOT_FOUND'])
    }
    const list = await dashboard('GET', '', undefined, stranger)
    expect(list.body.data).toEqual([])
  })

  test('is suspended only by an administrator, which cancels its matches', async () => {
    const { runtime, partner } = world
    const pair = [
      await makeAgent(runtime, partner.partnerId, 'random'),
      await makeAgent(runtime, partner.partnerId, 'random'),
    ] as const
    const match = await makeMatch(runtime, pair)
    const path = `/admin/arena-agents/${pair[0].id}/suspend`
    const by = async (key: string, suspended: unknown) =>
      world.call('POST', path, { key, headers: live, body: { suspended } })
    expect((await by(member, true)).status).toBe(403)
    const admin = await world.signInAs('OPERATOR', (await world.createPartner()).partnerId)
    expect((await by(admin, 'x')).status).toBe(400)
    expect((await by(admin, true)).body.data.status).toBe('SUSPENDED')
    expect((await world.get(`/v1/arena/matches/${match.id}`)).body.data.status).toBe('CANCELLED')
    expect((await dashboard('POST', `/${pair[0].id}/activate`)).status).toBe(409)
    expect((await by(admin, false)).body.data.status).toBe('DRAFT')
  })
})

describe('an agent with an external provider', () => {
  test('of a chat model is asked for strict JSON with its key, and never sees the other hand', async () => {
    requested = []
    answer = (body) => completion({ move: firstLegal(situationIn(body)) })
    const { body } = await create({
      provider: 'CUSTOM',
      modelId: 'some-model',
      endpointUrl: `${url}/v1`,
      apiKey: 'key-of-the-provider',
    })
    expect(body.data).toMatchObject({ secretLastFour: 'ider', status: 'DRAFT' })
    expect(JSON.stringify(body)).not.toContain('key-of-the-provider')
    const agent = await activate(body.data.id)
    expect(agent.status).toBe('ACTIVE')
    expect(requested[0]?.path).toBe('/v1/chat/completions')
    expect(requested[0]?.headers.authorization).toBe('Bearer key-of-the-provider')
    expect(JSON.parse(requested[0]?.text ?? '')).toMatchObject({
      model: 'some-model',
      response_format: { type: 'json_object' },
    })
    const { rows } = await world.server.database.pool.query({
      text: `SELECT encode(secret, 'escape') AS secret FROM arena_agent WHERE id = '${agent.id}'`,
    })
    expect(rows[0].secret).not.toContain('provider')

    const { runtime, partner } = world
    const mine = await runtime.db.arenaAgent.findUniqueOrThrow({ where: { id: agent.id } })
    const rock = await makeAgent(runtime, partner.partnerId, 'random')
    requested = []
    const { id } = await makeMatch(runtime, [mine, rock], { gameType: 'ROCK_PAPER_SCISSORS' })
    await playAll(runtime)
    const match = (await world.get(`/v1/arena/matches/${id}`)).body.data
    expect(match.status).toBe('COMPLETED')
    expect(requested).toHaveLength(match.games.length)
    for (const [i, { text }] of requested.entries()) {
      const situation = situationIn(JSON.parse(text))
      expect(situation).toMatchObject({ gameNumber: i + 1, slot: 1, board: [['', '']] })
      expect(situation.history).toHaveLength(i)
    }
  })

  test('may put its answer in a code fence', async () => {
    const forms = ['*', ' *\n', '```json\n*\n```', '```*```', '\n``` *\n\n```\n']
    let moves = 0
    answer = (body) => {
      const move = JSON.stringify({ move: firstLegal(situationIn(body)) })
      return completion(String(forms[moves++ % forms.length]).replace('*', move))
    }
    const { body } = await create({ provider: 'CUSTOM', modelId: 'm', endpointUrl: url })
    expect((await activate(body.data.id)).status).toBe('ACTIVE')
    expect(moves).toBeGreaterThan(forms.length)
  })

  test('sends a key only to the address it was given for', async () => {
    requested = []
    answer = (body) => completion({ move: firstLegal(situationIn(body)) })
    const first = { provider: 'CUSTOM', modelId: 'm', endpointUrl: `${url}/one`, apiKey: 'key-1' }
    const { id } = (await create(first)).body.data
    const change = (body: object) => dashboard('PATCH', `/${id}`, body)
    for (const endpointUrl of [`${url}/two`, 'http://127.0.0.2:9/']) {
      const { status, body } = await change({ endpointUrl })
      expect([status, body.errors[0].field]).toEqual([400, 'apiKey'])
    }
    expect((await change({ endpointUrl: first.endpointUrl, displayName: 'B' })).status).toBe(200)
    expect((await change({ endpointUrl: `${url}/two`, apiKey: 'key-2' })).status).toBe(200)
    expect((await activate(id)).status).toBe('ACTIVE')
    const without = await change({ endpointUrl: `${url}/three`, apiKey: null })
    expect(without.body.data).toMatchObject({ status: 'DRAFT', secretLastFour: null })
    expect((await activate(id)).status).toBe('ACTIVE')
    const sent = new Set(requested.map(({ path, headers }) => `${path} ${headers.authorization}`))
    expect([...sent]).toEqual([
      '/two/chat/completions Bearer key-2',
      '/three/chat/completions undefined',
    ])
    const claude = { provider: 'CLAUDE', modelId: 'm', apiKey: 'key-3' }
    const usual = (await create(claude)).body.data.id
    expect((await dashboard('PATCH', `/${usual}`, { endpointUrl: url })).status).toBe(400)
    expect((await dashboard('PATCH', `/${usual}`, { apiKey: null })).body.errors[0].field).toBe(
      'apiKey',
    )
  })

  test.each<[string, object]>([
    ['another address', { endpointUrl: 'http://127.0.0.1:9/' }],
    ['another model', { modelId: 'v2' }],
  ])('with %s during validation becomes a draft and needs another validation', async (_, body) => {
    let first = true
    const holder = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    answer = async (situation: { data: Situation }) => {
      if (first) {
        first = false
        arrived.resolve()
        await holder.promise
      }
      return { move: firstLegal(situation.data) }
    }
    const made = await create({ provider: 'WEBHOOK', modelId: 'v1', endpointUrl: url })
    const { id } = made.body.data
    const { validationMatch } = (await dashboard('POST', `/${id}/activate`)).body.data
    const playing = playAll(world.runtime)
    await arrived.promise
    expect((await dashboard('PATCH', `/${id}`, body)).body.data.status).toBe('DRAFT')
    holder.resolve()
    await playing
    expect((await dashboard('GET', `/${id}`)).body.data.status).toBe('DRAFT')
    const old = await world.runtime.db.arenaMatch.findUnique({ where: { id: validationMatch.id } })
    expect(old).toMatchObject({ status: 'CANCELLED', endReason: 'The agent was changed' })
    const anew = (await dashboard('POST', `/${id}/activate`)).body.data.validationMatch
    expect(anew.id).not.toBe(validationMatch.id)
    const again = (await dashboard('POST', `/${id}/activate`)).body.data.validationMatch
    expect(again.id).toBe(anew.id)
    await playAll(world.runtime)
  })

  test('of a webhook gets requests signed with its secret', async () => {
    requested = []
    answer = (body: never) => ({ move: Number(firstLegal((body as { data: Situation }).data)) })
    const { body } = await create({
      provider: 'WEBHOOK',
      modelId: 'v1',
      endpointUrl: `${url}/move`,
    })
    const { signingSecret, id } = body.data
    expect(signingSecret).toMatch(/^whsec_/)
    expect((await activate(id)).status).toBe('ACTIVE')
    for (const { headers, text } of requested) {
      expect(headers['x-webhook-signature']).toBe(signatureOf(signingSecret, text))
      expect(JSON.parse(text)).toMatchObject({
        event: 'arena.move_requested',
        data: { agentId: id },
      })
    }
    expect(requested.length).toBeGreaterThan(4)
    expect(JSON.stringify((await dashboard('GET', `/${id}`)).body)).not.toContain(signingSecret)
  })

  test.each<[string, string, () => unknown]>([
    ['an illegal move', 'ILLEGAL_MOVE', () => ({ move: '10' })],
    ['nothing in time', 'TIMEOUT', () => null],
    ['an error', 'FAILED', () => 500],
    ['a redirect', 'FAILED', () => 302],
    ['no JSON', 'FAILED', () => 'I play the middle!'],
    ['JSON without a move', 'FAILED', () => ({ best: '5' })],
    ['a move that is no text', 'FAILED', () => ({ move: ['5'] })],
    ['100 KB', 'FAILED', () => ({ move: 'x'.repeat(100_000) })],
    ['NUL', 'FAILED', () => ({ move: '\0' })],
    ['half a character', 'FAILED', () => ({ move: '\uD83D' })],
    ['a character that is cut in two', 'ILLEGAL_MOVE', () => ({ move: `${'a'.repeat(49)}🙂🙂` })],
  ])('that answers with %s is not validated: %s', async (_, fault, reply) => {
    answer = reply
    const { body } = await create({ provider: 'WEBHOOK', modelId: 'v1', endpointUrl: url })
    world.runtime.config.arena.moveTimeMs = fault === 'TIMEOUT' ? 1_500 : arena.moveTimeMs
    const agent = await activate(body.data.id)
    expect(agent).toMatchObject({ status: 'DRAFT', validationError: fault })
  })

  test('loses a game by each fault, and the match by three in a row', async () => {
    const { runtime, partner } = world
    answer = (body) => firstMove(body)
    const firstMove = (body: never) => ({ move: firstLegal((body as { data: Situation }).data) })
    const { body } = await create({ provider: 'WEBHOOK', modelId: 'v1', endpointUrl: url })
    await activate(body.data.id)
    const mine = await runtime.db.arenaAgent.findUniqueOrThrow({ where: { id: body.data.id } })
    const other = await makeAgent(runtime, partner.partnerId, 'frequency')
    answer = () => 503
    const { id } = await makeMatch(runtime, [mine, other], { bestOf: 7 })
    await playAll(runtime)
    const match = (await world.get(`/v1/arena/matches/${id}`)).body.data
    expect(match).toMatchObject({
      status: 'COMPLETED',
      agent1Score: 0,
      agent2Score: 3,
      totalGamesPlayed: 3,
    })
    expect(await runtime.db.arenaMatch.findUnique({ where: { id } })).toMatchObject({
      winnerSlot: 2,
      endReason: '3 games in a row were lost by faults',
      eloChange: -16,
    })
  })

  test('is never called at a private address', async () => {
    const guarded = await createWorld()
    const by = await guarded.signInAs('OWNER')
    for (const address of [
      'https://127.0.0.1/',
      'https://localhost/',
      'https://10.1.2.3/',
      'https://[::1]/',
      'https://169.254.169.254/latest',
      'https://0x7f.1/',
      'http://example.com/',
      'https://user:pw@example.com/',
      'ftp://example.com/',
    ]) {
      const { status, body } = await guarded.call('POST', '/dashboard/arena-agents', {
        key: by,
        headers: live,
        body: {
          name: 'inside',
          displayName: 'x',
          provider: 'CUSTOM',
          modelId: 'm',
          endpointUrl: address,
        },
      })
      expect([status, body.errors?.[0].field], address).toEqual([400, 'endpointUrl'])
    }
    // The connection itself is refused, regardless of the stored address and of what a name resolves to.
    requested = []
    const inside = await makeAgent(guarded.runtime, guarded.partner.partnerId, 'random', {
      provider: 'CUSTOM',
      endpointUrl: url,
    })
    const other = await makeAgent(guarded.runtime, guarded.partner.partnerId, 'random')
    const { id } = await makeMatch(guarded.runtime, [inside, other], { bestOf: 1 })
    await playAll(guarded.runtime)
    expect(requested).toEqual([])
    const game = await guarded.runtime.db.arenaMatchGame.findFirst({ where: { matchId: id } })
    expect(game?.agent1Fault).toBe('FAILED')
    await guarded.end()
  })
})
