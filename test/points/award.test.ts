import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { setRewardRule } from '../../src/points/reward-rule.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const award = (body: unknown, key = world.keys.secret) => world.post('/v1/points/award', key, body)
const balance = (userId: string, key = world.keys.secret) =>
  world.get(`/v1/users/${userId}/balance`, key)

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('an award', () => {
  it('returns every documented field and creates the user', async () => {
    const { status, body } = await award({
      userId: 'anna',
      eventType: 'signup',
      displayName: 'Anna',
      email: 'anna@example.com',
      reference: 'r-1',
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'Points awarded successfully',
        code: 200,
        status: 'success',
        data: {
          ledgerId: expect.stringMatching(uuid),
          userId: 'anna',
          eventType: 'signup',
          pointsAwarded: 100,
          userBalance: 100,
          reference: 'r-1',
          createdAt: expect.stringMatching(moment),
        },
      },
    })
    expect((await balance('anna')).body.data).toEqual({
      userId: 'anna',
      totalPoints: 100,
      displayName: 'Anna',
      email: 'anna@example.com',
      metadata: {},
      createdAt: body.data.createdAt,
    })
  })

  it('without a reference has none in its answer and can be repeated', async () => {
    const first = await award({ userId: 'ben', eventType: 'purchase' })
    const second = await award({ userId: 'ben', eventType: 'purchase', reference: null })
    expect('reference' in first.body.data || 'reference' in second.body.data).toBe(false)
    expect([first.body.data.userBalance, second.body.data.userBalance]).toEqual([50, 100])
    expect(first.body.data.ledgerId).not.toBe(second.body.data.ledgerId)
  })

  it('changes name and address when they are given and keeps them when they are not', async () => {
    const seen = []
    for (const change of [
      { displayName: 'Cleo', email: 'cleo@example.com' },
      {},
      { displayName: null, email: null },
      { displayName: 'Cleopatra' },
      { email: 'queen@example.com' },
    ]) {
      expect((await award({ userId: 'cleo', eventType: 'signup', ...change })).status).toBe(200)
      const { displayName, email } = (await balance('cleo')).body.data
      seen.push([displayName, email])
    }
    expect(seen).toEqual([
      ['Cleo', 'cleo@example.com'],
      ['Cleo', 'cleo@example.com'],
      ['Cleo', 'cleo@example.com'],
      ['Cleopatra', 'cleo@example.com'],
      ['Cleopatra', 'queen@example.com'],
    ])
  })

  it('keeps metadata exactly: nesting, order of keys, numbers and characters', async () => {
    const metadata = {
      zebra: 1,
      apple: { y: [1, 2.5, -0.1, 1e15, null, true], x: { deep: [[{}]], '': 'empty key' } },
      text: 'Zoë said “hi” 💥 \n\t\\ \u0001',
    }
    await award({ userId: 'dora', eventType: 'signup', metadata })
    const { body } = await world.get('/v1/users/dora/history', world.keys.secret)
    expect(JSON.stringify(body.data[0].metadata)).toBe(JSON.stringify(metadata))
  })

  it('awards the points of the current rule, up to the maximum', async () => {
    const rule = { ...world.tenant, eventType: 'jackpot' }
    const awards = []
    for (const points of [1, 2_147_483_647, 2_147_483_647]) {
      await setRewardRule(world.runtime, { ...rule, points })
      const { data } = (await award({ userId: 'eve', eventType: 'jackpot', points: 5 })).body
      awards.push([data.pointsAwarded, data.userBalance])
    }
    expect(awards).toEqual([
      [1, 1],
      [2_147_483_647, 2_147_483_648],
      [2_147_483_647, 4_294_967_295],
    ])
  })

  it('in LIVE belongs to another user than in TEST', async () => {
    const { live } = world.partner
    await award({ userId: 'finn', eventType: 'signup' })
    expect((await balance('finn', live.secret)).status).toBe(404)
    await award({ userId: 'finn', eventType: 'purchase' }, live.secret)
    expect((await balance('finn', live.secret)).body.data.totalPoints).toBe(50)
    expect((await balance('finn')).body.data.totalPoints).toBe(100)
  })
})

describe('a refused award', () => {
  it('of an unknown event type is 404, creates no user and does not use up the reference', async () => {
    const { status, body } = await award({ userId: 'gus', eventType: 'later', reference: 'g' })
    expect(status).toBe(404)
    expect(body).toMatchObject({
      message: 'No reward rule found for event type',
      code: 404,
      status: 'error',
      errorCode: 'REWARD_RULE_NOT_FOUND',
    })
    expect(await balance('gus')).toMatchObject({ status: 404, body: { message: 'User not found' } })
    await setRewardRule(world.runtime, { ...world.tenant, eventType: 'later', points: 7 })
    const again = await award({ userId: 'gus', eventType: 'later', reference: 'g' })
    expect(again.body.data.userBalance).toBe(7)
  })

  it('names all invalid fields at once', async () => {
    const { status, body } = await award({
      userId: '',
      eventType: 7,
      displayName: 'x'.repeat(256),
      email: 'nobody',
      metadata: ['list'],
      reference: 'half \ud800',
      unknown: 'ignored',
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      message: 'Invalid request body',
      code: 400,
      status: 'error',
      errorCode: 'VALIDATION_FAILED',
    })
    const messages = body.errors.map(({ message }: { message: string }) => message)
    expect(messages).toEqual([
      'userId must not be empty',
      'eventType must be a string',
      'displayName must be at most 255 characters',
      'email must be an e-mail address',
      'metadata must be an object',
      'reference must not contain lone surrogates',
    ])
  })

  it.each([
    [{}, ['userId', 'eventType']],
    [{ userId: null, eventType: null }, ['userId', 'eventType']],
    [{ userId: 'x'.repeat(256), eventType: 'x'.repeat(256) }, ['userId', 'eventType']],
    [{ userId: 'h', eventType: 'nul \0' }, ['eventType']],
    [{ userId: 'h', eventType: 'signup', metadata: { big: 'x'.repeat(16_400) } }, ['metadata']],
    [{ userId: 'h', eventType: 'signup', metadata: { 'nul \0': 1 } }, ['metadata']],
  ])('is 400 for %j', async (sent, fields) => {
    const { status, body } = await award(sent)
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect((await balance('h')).status).toBe(404)
  })

  it.each(['[]', '"text"', '7', 'null', ''])('is 400 for the body %s', async (text) => {
    const answer = await world.call('POST', '/v1/points/award', {
      key: world.keys.secret,
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    expect(answer).toMatchObject({ status: 400, body: { message: 'Invalid request body' } })
  })
})
