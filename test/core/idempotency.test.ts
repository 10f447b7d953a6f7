import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TesseraError } from '../../src/core/errors.ts'
import { idempotencyJobs } from '../../src/core/idempotency.ts'
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

describe('the same key and request again', () => {
  test('gives the first answer again and awards nothing', async () => {
    const first = await award('again')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(first.body.data.userBalance).toBe(100)
    expectReplay(await award('again'), first)
    expect(await awardsOf()).toBe(1)
  })

  test('draws no second time', async () => {
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

  test('gives refusals again, even when the reason is gone', async () => {
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

  test('gives a problem document again as what it is', async () => {
    const headers = { accept: 'application/problem+json' }
    const body = { userId: user, eventType: 'nothing' }
    const first = await award('problem', { body, headers })
    const second = await award('problem', { body, headers })
    expectReplay(second, first)
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
  })

  test('is new after 24 hours, not before', async () => {
    const first = await award('day')
    now += 24 * hourMs - 1
    expectReplay(await award('day'), first)
    now += 1
    expect((await award('day')).body.data.userBalance).toBe(200)
    now += 24 * hourMs
    await idempotencyJobs[0]?.run(world.runtime)
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

  test('of another kind of caller is another key: no answer reaches who may not ask', async () => {
    const idempotent = { 'idempotency-key': 'whose' }
    const make = (by: string) =>
      world.post(
        '/dashboard/members',
        by,
        { email: 'root@example.com', password: 'x'.repeat(12), role: 'ADMIN' },
        idempotent,
      )
    expect((await make(await world.signInAs('ADMIN'))).status).toBe(200)
    expect((await make(await world.signInAs('DEVELOPER'))).status).toBe(403)

    const leave = (by: string) => world.post('/dashboard/auth/logout', by, undefined, idempotent)
    for (const by of [await world.signInAs('DEVELOPER'), await world.signInAs('DEVELOPER')]) {
      expect((await leave(by)).headers.get('idempotent-replayed')).toBeNull()
      expect((await world.get('/dashboard/auth/me', by)).status).toBe(401)
    }
    const rule = {
      query: 'mutation { setRewardRule(input: {eventType: "late", points: 5}) { __typename } }',
    }
    const ask = (key: string) => world.post('/graphql', key, rule, idempotent)
    expect((await ask(world.keys.secret)).body.data.setRewardRule.__typename).toBe('RewardRule')
    expect((await ask(world.keys.public)).headers.get('idempotent-replayed')).toBeNull()
  })

  test('of another environment or partner is another key', async () => {
    const { test: foreign } = await world.createPartner()
    for (const by of [world.keys.secret, world.partner.live.secret, foreign.secret])
      expect((await award('tenant', { by })).body.data.userBalance).toBe(100)
    expect(await awardsOf()).toBe(3)
  })

  test('twenty times at once awards once; the others wait or see its answer', async () => {
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

describe('a request that was broken off', () => {
  test('is never run again: its outcome is unknown', async () => {
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

  test('by a lost connection to the database after it was written is not written twice', async () => {
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
    expect(second.status).not.toBe(200)
    expect(await awardsOf()).toBe(1)
  })

  test('nested deeper than can be written is refused', async () => {
    const body = `{"userId":"${user}","eventType":"signup","a":${'['.repeat(7000)}${']'.repeat(7000)}}`
    const answer = await world.post('/v1/points/award', world.keys.secret, body, {
      'idempotency-key': 'deep',
    })
    expect(answer.status).toBeLessThan(500)
  })

  test('by a server that is too busy may be sent again', async () => {
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
