/** `awardPointsBatch` and its route: each award of a list has a result of its own. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { statementCounter } from '../count-statements.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const document = `mutation ($awards: [AwardInput!]!) {
  awardPointsBatch(input: { awards: $awards }) {
    ... on AwardPointsBatchPayload {
      results {
        ... on AwardPointsPayload { ledgerEntry { balanceAfter user { externalId } } user { balance } }
        ... on ValidationError { errors { path message } }
        ... on Error { code }
        ... on DuplicateReferenceError { firstEntry { points } }
      }
    }
    ... on ValidationError { errors { path message } }
  }
}`

const award = async (awards: unknown) => {
  const { body, text } = await world.graphql(document, { awards })
  expect(body.errors, text).toBeUndefined()
  return body.data.awardPointsBatch
}

const ofUser = (externalId: string, eventType: string, reference: string, more: object = {}) => ({
  user: { externalId },
  eventType,
  reference,
  ...more,
})

describe('awardPointsBatch', () => {
  test('has one result for each award, in order; a wrong one refuses only itself', async () => {
    const { results } = await award([
      ofUser('ann', 'signup', 'a-1'),
      ofUser('ann', 'purchase', 'a-2'),
      ofUser('ben', 'no_rule', 'b-1'),
      ofUser('ben', 'signup', 'a-1'),
      ofUser('', 'signup', 'x-1'),
      ofUser('ben', 'purchase', ''),
      ofUser('ben', 'purchase', 'b-2', { email: 'no address' }),
      { ...ofUser('', 'signup', 'x-2'), user: { id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c60' } },
      ofUser('ben', 'signup', 'b-3'),
    ])
    const invalid = (field: string, message: string) => ({
      code: 'VALIDATION_FAILED',
      errors: [{ path: field.split('.'), message: `${field} ${message}` }],
    })
    expect(results).toEqual([
      { ledgerEntry: { balanceAfter: 100, user: { externalId: 'ann' } }, user: { balance: 150 } },
      { ledgerEntry: { balanceAfter: 150, user: { externalId: 'ann' } }, user: { balance: 150 } },
      { code: 'REWARD_RULE_NOT_FOUND' },
      { code: 'DUPLICATE_REFERENCE', firstEntry: { points: 100 } },
      invalid('user.externalId', 'must not be empty'),
      invalid('reference', 'must not be empty'),
      invalid('email', 'must be an e-mail address'),
      { code: 'USER_NOT_FOUND' },
      { ledgerEntry: { balanceAfter: 100, user: { externalId: 'ben' } }, user: { balance: 100 } },
    ])
  })

  test('that is sent again awards nothing', async () => {
    const awards = [ofUser('cleo', 'signup', 'c-1'), ofUser('cleo', 'purchase', 'c-2')]
    await award(awards)
    const { results } = await award([...awards, ofUser('cleo', 'purchase', 'c-3')])
    expect(results).toMatchObject([
      { code: 'DUPLICATE_REFERENCE' },
      { code: 'DUPLICATE_REFERENCE' },
      { user: { balance: 200 } },
    ])
  })

  test('needs as many statements for 400 awards as for 20', async () => {
    const count = statementCounter(world)
    let n = 0
    const send = (length: number) => () =>
      award(Array.from({ length }, () => ofUser(`user-${n % 7}`, 'daily_login', `n-${n++}`)))
    const few = await count(send(20))
    expect(await count(send(400), few)).toBe(few)
  })

  test('takes 1 to 500 awards', async () => {
    const of = (length: number) =>
      Array.from({ length }, (_, n) => ofUser('dora', 'daily_login', `d-${n}`))
    for (const [awards, message] of [
      [[], 'must have at least one award'],
      [of(501), 'must have at most 500 awards'],
    ] as const)
      expect(await award(awards)).toEqual({
        errors: [{ path: ['awards'], message: `awards ${message}` }],
      })
    expect((await award(of(500))).results.at(-1)).toMatchObject({ user: { balance: 5_000 } })
  })
})

describe('POST /v1/points/award/batch', () => {
  const post = (body: unknown, key = world.keys.secret) =>
    world.post('/v1/points/award/batch', key, body)

  test('answers for each award as for a single one, or with its error', async () => {
    const { status, body } = await post({
      awards: [
        { userId: 'eve', eventType: 'signup', reference: 'e-1', displayName: 'Eve' },
        { userId: 'eve', eventType: 'no_rule', reference: 'e-2' },
        { userId: 'eve', eventType: 'signup', reference: 'e-1' },
        { userId: 'eve', eventType: 'purchase' },
        { userId: 7, eventType: 'purchase', reference: 'e-3', metadata: 'text' },
        'not an object',
        { userId: 'eve', eventType: 'purchase', reference: 'e-4', metadata: { order: 4 } },
      ],
    })
    const success = (eventType: string, more: object) => ({
      status: 'success',
      ledgerId: expect.any(String),
      userId: 'eve',
      eventType,
      createdAt: expect.any(String),
      ...more,
    })
    const error = (code: number, errorCode: string, message: string) => ({
      status: 'error',
      code,
      message,
      errorCode,
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'Awards processed successfully',
        code: 200,
        status: 'success',
        data: {
          results: [
            success('signup', { pointsAwarded: 100, userBalance: 100, reference: 'e-1' }),
            error(404, 'REWARD_RULE_NOT_FOUND', 'No reward rule found for event type'),
            error(
              409,
              'DUPLICATE_REFERENCE',
              'Duplicate reference; points already awarded for this reference',
            ),
            error(400, 'VALIDATION_FAILED', 'reference is required'),
            error(400, 'VALIDATION_FAILED', 'userId must be a string; metadata must be an object'),
            error(400, 'VALIDATION_FAILED', 'The award must be an object'),
            success('purchase', { pointsAwarded: 50, userBalance: 150, reference: 'e-4' }),
          ],
        },
      },
    })
    const entry = await world.runtime.db.ledgerEntry.findFirstOrThrow({
      where: { ...world.tenant, reference: 'e-4' },
    })
    expect(entry.metadata).toEqual({ order: 4 })
  })

  test('refuses a list of a wrong shape as a whole', async () => {
    const award = { userId: 'finn', eventType: 'signup', reference: 'f' }
    const many = Array.from({ length: 501 }, (_, n) => ({ ...award, reference: `f-${n}` }))
    for (const [body, message] of [
      [{}, 'awards is required'],
      [{ awards: award }, 'awards must be a list'],
      [{ awards: [] }, 'awards must have at least one award'],
      [{ awards: many }, 'awards must have at most 500 awards'],
    ] as const) {
      const { status, body: answer } = await post(body)
      expect([status, answer.errorCode]).toEqual([400, 'VALIDATION_FAILED'])
      expect(answer.errors).toMatchObject([{ field: 'awards', message }])
    }
    const where = { ...world.tenant, externalId: 'finn' }
    expect(await world.runtime.db.endUser.count({ where })).toBe(0)
  })

  test('needs a secret key, and awards in its environment', async () => {
    const body = { awards: [{ userId: 'gus', eventType: 'signup', reference: 'e-1' }] }
    expect((await post(body, world.keys.public)).status).toBe(401)
    const live = await post(body, world.partner.live.secret)
    expect(live.body.data.results).toMatchObject([{ status: 'success', userBalance: 100 }])
  })
})
