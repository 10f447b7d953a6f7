import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TesseraError } from '../../src/kit/errors.ts'
import { countKey, isKept } from '../../src/kit/http/idempotent-replay.ts'
import { retentionJobs } from '../../src/retention-rules.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { type Answer, createWorld, type World } from '../world.ts'

const hourMs = 3_600_000

let now = Date.now()
let world: World
let user: string
let users = 0

beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
})
beforeEach(() => {
  user = `user-${++users}`
})
afterAll(() => world.end())

const award = (
  idempotencyKey: string,
  {
    by = world.keys.secret,
    body = { userId: user, eventType: 'signup' } as object,
    headers = {},
  } = {},
) => world.post('/v1/points/award', by, body, { 'idempotency-key': idempotencyKey, ...headers })

const awardsOf = (externalId = user) =>
  world.runtime.db.ledgerEntry.count({ where: { user: { externalId } } })

const expectReplay = (answer: Answer, first: Answer) => {
  expect(answer.headers.get('idempotent-replayed')).toBe('true')
  expect(answer.status).toBe(first.status)
  expect(answer.text).toBe(first.text)
}

describe('repeating a request with the same key', () => {
  test('returns the first answer and awards nothing', async () => {
    const first = await award('again')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(first.body.data.userBalance).toBe(100)
    expectReplay(await award('again'), first)
    expect(await awardsOf()).toBe(1)
  })

  test('does not draw a second time', async () => {
    await world.givePoints(user, 5)
    const play = () =>
      world.post(
        '/v1/games/play',
        world.keys.public,
        { userId: user, gameType: 'NEON_WHEEL' },
        { 'idempotency-key': 'wheel' },
      )
    const first = await play()
    expect(first.status).toBe(200)
    expectReplay(await play(), first)
    expect(await world.runtime.db.play.count({ where: { user: { externalId: user } } })).toBe(1)
  })

  test('returns a refusal again, even if its reason is gone', async () => {
    const body = { userId: user, eventType: 'later' }
    const first = await award('refused', { body })
    expect(first.status).toBe(404)
    await world.graphql(
      'mutation { setRewardRule(input: { eventType: "later", points: 5 }) { __typename } }',
    )
    expectReplay(await award('refused', { body }), first)
    const invalid = await award('invalid', { body: { userId: '' } })
    expect(invalid.status).toBe(400)
    expectReplay(await award('invalid', { body: { userId: '' } }), invalid)
  })

  test('returns a problem document again with its content type', async () => {
    const headers = { accept: 'application/problem+json' }
    const body = { userId: user, eventType: 'nothing' }
    const first = await award('problem', { body, headers })
    const second = await award('problem', { body, headers })
    expectReplay(second, first)
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
  })

  test('is executed again after 24 hours, not before', async () => {
    const first = await award('day')
    now += 24 * hourMs - 1
    expectReplay(await award('day'), first)
    now += 1
    expect((await award('day')).body.data.userBalance).toBe(200)
    now += 24 * hourMs
    await retentionJobs[0]?.run(world.runtime)
    expect(await world.runtime.db.idempotentRequest.count()).toBe(0)
  })
})

describe('the same key', () => {
  test('with another body or on another route is 422', async () => {
    await award('other')
    const body = { userId: user, eventType: 'purchase' }
    const other = await award('other', { body })
    expect(other.body).toMatchObject({ code: 422, errorCode: 'IDEMPOTENCY_KEY_REUSED' })
    const elsewhere = await world.post(
      '/v1/lotteries/entries',
      world.keys.secret,
      { email: 'ann@example.com', lotterySlug: 'any' },
      { 'idempotency-key': 'other' },
    )
    expect(elsewhere.status).toBe(422)
    expect(await awardsOf()).toBe(1)
  })

  test('of another kind of caller is another key, so no answer reaches a caller who may not see it', async () => {
    const idempotent = { 'idempotency-key': 'whose' }
    const make = (by: string) =>
      world.post(
        '/dashboard/members',
        by,
        { email: 'root@example.com', password: 'x'.repeat(12), role: 'ADMIN' },
        idempotent,
      )
    expect((await make(await world.signInAs('OPERATOR'))).status).toBe(200)
    expect((await make(await world.signInAs('OWNER'))).status).toBe(403)

    const leave = (by: string) => world.post('/dashboard/auth/logout', by, undefined, idempotent)
    for (const by of [await world.signInAs('OWNER'), await world.signInAs('OWNER')]) {
      expect((await leave(by)).headers.get('idempotent-replayed')).toBeNull()
      expect((await world.get('/dashboard/auth/me', by)).status).toBe(401)
    }
    const rule = {
      query: 'mutation { setRewardRule(input: {eventType: "late", points: 5}) { __typename } }',
    }
    const ask = (key: string) => world.post('/graphql', key, rule, idempotent)
    expect((await ask(world.keys.secret)).body.data.setRewardRule.__typename).toBe(
      'SetRewardRulePayload',
    )
    expect((await ask(world.keys.public)).headers.get('idempotent-replayed')).toBeNull()
  })

  test('of another environment or partner is another key', async () => {
    const { test: foreign } = await world.createPartner()
    for (const by of [world.keys.secret, world.partner.live.secret, foreign.secret])
      expect((await award('tenant', { by })).body.data.userBalance).toBe(100)
    expect(await awardsOf()).toBe(3)
  })

  test('twenty times at once awards once; the others wait or get its answer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => award('parallel')))
    expect(await awardsOf()).toBe(1)
    const first = answers.find(
      ({ status, headers }) => status === 200 && !headers.get('idempotent-replayed'),
    ) as Answer
    for (const answer of answers)
      if (answer.status === 200 && answer !== first) expectReplay(answer, first)
      else if (answer !== first) {
        expect(answer.body).toMatchObject({
          code: 409,
          errorCode: 'IDEMPOTENT_REQUEST_IN_PROGRESS',
        })
        expect(answer.headers.get('retry-after')).toBe('1')
      }
    expectReplay(await award('parallel'), first)
  })

  test.each(['a b', 'ä', 'x'.repeat(256), ''])('must not be %j', async (key) => {
    const answer = await award(key)
    expect(answer.body).toMatchObject({ code: 400, errorCode: 'IDEMPOTENCY_KEY_INVALID' })
    expect(await awardsOf()).toBe(0)
  })

  test('may have 255 characters', async () => {
    expect((await award('~'.repeat(255))).status).toBe(200)
  })
})

describe('an interrupted request', () => {
  test('is never executed again: its outcome is unknown', async () => {
    await award('crash')
    await world.runtime.db.idempotentRequest.updateMany({
      where: { createdAt: { gte: new Date(now) } },
      data: { status: null, body: null },
    })
    expect((await award('crash')).body.errorCode).toBe('IDEMPOTENT_REQUEST_IN_PROGRESS')
    now += 60_000
    expect((await award('crash')).body).toMatchObject({
      code: 409,
      errorCode: 'IDEMPOTENT_OUTCOME_UNKNOWN',
    })
    expect(await awardsOf()).toBe(1)
  })

  test('whose database connection was lost after the write is not written twice', async () => {
    const { write } = world.runtime
    world.runtime.write = async (writer, item) => {
      await write(writer, item)
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'P1017' })
    }
    const first = await award('lost').finally(() => {
      world.runtime.write = write
    })
    expect(first.body).toMatchObject({ code: 503, errorCode: 'UNAVAILABLE' })
    expect(first.headers.get('retry-after')).toBe('2')
    const second = await award('lost')
    expect(second.body).toMatchObject({ code: 409, errorCode: 'IDEMPOTENT_OUTCOME_UNKNOWN' })
    expect(await awardsOf()).toBe(1)
  })

  test('nested too deeply to be serialized is refused', async () => {
    const body = `{"userId":"${user}","eventType":"signup","a":${'['.repeat(7000)}${']'.repeat(7000)}}`
    const answer = await world.post('/v1/points/award', world.keys.secret, body, {
      'idempotency-key': 'deep',
    })
    expect(answer.status).toBeLessThan(500)
  })

  test('refused by a busy server can be sent again', async () => {
    const { write } = world.runtime
    world.runtime.write = () => Promise.reject(new TesseraError('OVERLOADED'))
    const first = await award('busy').finally(() => {
      world.runtime.write = write
    })
    expect(first.body).toMatchObject({ code: 503, errorCode: 'OVERLOADED' })
    expect((await award('busy')).status).toBe(200)
    expect(await awardsOf()).toBe(1)
  })
})

describe('stored answers', () => {
  const generate = (key: string, batchSize: number, slug: string) =>
    world.post(
      '/v1/campaigns/codes/generate',
      world.keys.secret,
      { slug, batchSize, pointsValue: 1 },
      { 'idempotency-key': key },
    )

  test('are at most 64 KB: a larger one is not stored, and its request is not executed again', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const small = await generate('small-batch', 3_000, slug)
    expectReplay(await generate('small-batch', 3_000, slug), small)
    const large = await generate('large-batch', 10_000, slug)
    expect(large.status).toBe(200)
    const again = await generate('large-batch', 10_000, slug)
    expect(again).toMatchObject({
      status: 409,
      body: { errorCode: 'IDEMPOTENT_ANSWER_NOT_KEPT' },
    })
    expect(await world.runtime.db.codeBatch.count({ where: { campaign: { slug } } })).toBe(2)
    expect((await generate('large-batch', 9_999, slug)).status).toBe(422)
  })

  const stranger = { caller: null, ip: '127.0.0.1' }
  const signIn = (headers: Record<string, string>) => {
    const body = { email: 'nobody@example.com', password: 'wrong' }
    return world.post('/dashboard/auth/login', undefined, body, headers)
  }

  test('are at most 16 MB per address and day', async () => {
    const answer = 'x'.repeat(64 * 1024)
    for (let n = 0; n < 256; n++) expect(isKept(world.runtime, stranger, answer)).toBe(true)
    const headers = { 'idempotency-key': 'beyond-the-allowance' }
    expect((await signIn(headers)).status).toBe(401)
    const again = await signIn(headers)
    expect(again.body.errorCode).toBe('IDEMPOTENT_ANSWER_NOT_KEPT')
    expect(isKept(world.runtime, { ...stranger, ip: '192.0.2.1' }, answer)).toBe(true)
    now += 24 * hourMs
    expect((await signIn(headers)).status).toBe(401)
    expect((await signIn(headers)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('are at most 10,000 keys per address and day; a further request is not executed', async () => {
    now += 24 * hourMs
    for (let n = 0; n < 10_000; n++) countKey(world.runtime, stranger)
    const refused = await signIn({ 'idempotency-key': 'one-too-many' })
    expect(refused).toMatchObject({ status: 429, body: { errorCode: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await signIn({})).status).toBe(401)
    expect((await award('of-a-backend')).status).toBe(200)
    now += 24 * hourMs
    expect((await signIn({ 'idempotency-key': 'one-too-many' })).status).toBe(401)
  })
})
