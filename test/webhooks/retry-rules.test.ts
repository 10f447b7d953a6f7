import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Attempt, createAttemptWriter } from '../../src/webhooks/delivery.ts'
import {
  type AttemptVerdict,
  defaultRetrySeconds,
  judgeAttempt,
  readRetryAfter,
} from '../../src/webhooks/retry.rules.ts'
import { createWorld, type World } from '../world.ts'
import { storeEndpoint } from './stored.ts'

const hour = 3600
/** The table as decided (§11), written down again. */
const table = [0, 5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

const failure = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 300, max: 599 }).filter((status) => status !== 410),
  fc.integer({ min: 100, max: 199 }),
)
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

const judge = (
  responseStatus: number | null,
  tries: number,
  { asked: requested = null as number | null, schedule = defaultRetrySeconds, by = 0.5 } = {},
) => judgeAttempt({ responseStatus, retryAfterSeconds: requested }, tries, schedule, by)

const delayOf = (verdict: AttemptVerdict) => {
  if (verdict.status !== 'PENDING') throw new Error(`it is ${verdict.status}`)
  return verdict.delaySeconds
}

describe('an attempt', () => {
  test('that fails is retried after the delay of the schedule, ±20 %, and the tenth is the last', () => {
    expect(defaultRetrySeconds).toEqual(table)
    fc.assert(
      fc.property(failure, fc.integer({ min: 1, max: 9 }), chance, (status, tries, by) => {
        const delay = delayOf(judge(status, tries, { by }))
        const planned = table[tries] as number
        expect(delay).toBeGreaterThanOrEqual(planned * 0.8 - 1e-6)
        expect(delay).toBeLessThanOrEqual(planned * 1.2 + 1e-6)
      }),
    )
    for (const tries of [10, 11, 100])
      expect(judge(500, tries)).toEqual({ status: 'FAILED', gone: false })
  })

  test('is retried at any time within ±20 %', () => {
    expect(delayOf(judge(500, 2, { by: 0 }))).toBeCloseTo(240, 6)
    expect(delayOf(judge(500, 2, { by: 0.5 }))).toBeCloseTo(300, 6)
    expect(delayOf(judge(500, 2, { by: 0.999_999 }))).toBeCloseTo(360, 2)
  })

  test('that is answered 2xx succeeds, whatever else the answer says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 299 }),
        fc.integer({ min: 1, max: 20 }),
        fc.option(fc.nat()),
        (status, tries, requested) => {
          expect(judge(status, tries, { asked: requested })).toEqual({ status: 'DELIVERED' })
        },
      ),
    )
  })

  test('that is answered 410 is the last', () => {
    for (const tries of [1, 5, 10])
      expect(judge(410, tries, { asked: 5 })).toEqual({ status: 'FAILED', gone: true })
  })

  test('waits as long as the receiver asks, at least as planned, and 24 hours at most', () => {
    fc.assert(
      fc.property(failure, fc.integer({ min: 1, max: 9 }), chance, fc.nat(), (...given) => {
        const [status, tries, by, requested] = given
        const planned = delayOf(judge(status, tries, { by }))
        const delay = delayOf(judge(status, tries, { by, asked: requested }))
        expect(delay).toBe(Math.max(planned, Math.min(requested, 24 * hour)))
      }),
    )
    expect(delayOf(judge(429, 1, { asked: 90 }))).toBe(90)
    expect(delayOf(judge(503, 1, { asked: 10 ** 9 }))).toBe(24 * hour)
    expect(delayOf(judge(503, 1, { asked: Number.POSITIVE_INFINITY }))).toBe(24 * hour)
    expect(judge(503, 10, { asked: 60 })).toEqual({ status: 'FAILED', gone: false })
  })

  test('follows the configured schedule', () => {
    const schedule = [0, 1]
    expect(delayOf(judge(500, 1, { schedule }))).toBe(1)
    expect(judge(500, 2, { schedule })).toEqual({ status: 'FAILED', gone: false })
  })
})

describe('Retry-After', () => {
  const now = new Date('2026-03-01T12:00:00.500Z')
  test.each([
    ['0', 0],
    ['1', 1],
    ['120', 120],
    ['999999999', 999_999_999],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60],
    ['Sun Mar  1 12:01:00 2026', 60],
    ['Sun, 01 Mar 2026 12:00:00 GMT', 0],
    ['Tue, 01 Mar 2022 12:00:00 GMT', 0],
  ])('%s is %d seconds', (text, seconds) => {
    expect(readRetryAfter(text, now)).toBe(seconds)
  })

  test.each(['9999999999', '9'.repeat(400)])('%.20s is a very long time', (text) => {
    expect(readRetryAfter(text, now)).toBeGreaterThan(24 * hour)
  })

  test.each([
    undefined,
    '',
    ' ',
    '-5',
    '+5',
    '1.5',
    '5s',
    '1e9',
    '0x10',
    'soon',
    'soon 5',
    'foo 9999',
    'NaN',
    'Infinity',
    '2026-03-02',
    '9999-12-31T23:59:59Z',
    'Sun, 99 Mar 2026 12:01:00 GMT',
    'Sun, 01 Mar 2026 12:01:00 GMT and more',
    '１２',
  ])('%j says nothing', (text) => {
    expect(readRetryAfter(text, now)).toBeNull()
  })

  test('gives null or a number that is not negative', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String)), (text) => {
        const seconds = readRetryAfter(text, now)
        expect(seconds === null || seconds >= 0).toBe(true)
      }),
    )
  })
})

describe('an endpoint', () => {
  let world: World
  let now = new Date('2026-03-01T00:00:00Z')
  beforeAll(async () => {
    world = await createWorld({ clock: () => now })
  })
  afterAll(() => world.end())

  const later = (hours: number, seconds = 0) => {
    now = new Date(now.getTime() + (hours * hour + seconds) * 1000)
  }

  /** A new endpoint, and a function that gives it an event and records answers to it concurrently. */
  const make = async () => {
    const id = await storeEndpoint(world, { ...world.tenant, url: 'https://8.8.8.8/' })
    const record = createAttemptWriter(world.runtime.config)
    const answer = async (...statuses: (number | null)[]) => {
      const attempts: Attempt[] = []
      for (const responseStatus of statuses) {
        await world.givePoints('ann', 1)
        const delivery = await world.runtime.db.webhookDelivery.findFirstOrThrow({
          where: { endpointId: id, id: { notIn: attempts.map((attempt) => attempt.delivery.id) } },
        })
        attempts.push({
          delivery,
          startedAt: now,
          durationMs: 5,
          responseStatus,
          retryAfterSeconds: null,
          responseBody: null,
          error: responseStatus === null ? 'The connection was refused' : null,
        })
      }
      await record(world.runtime, attempts)
      const { status, disabledReason, failingSince } =
        await world.runtime.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
      return { status, disabledReason, failingSince }
    }
    return { id, answer }
  }

  const healthy = { status: 'ACTIVE', disabledReason: null, failingSince: null }
  const because = 'Nothing was accepted for 120 hours'

  test('that fails for 120 hours and a second is disabled, with the reason', async () => {
    const { answer } = await make()
    const since = now
    expect(await answer(500)).toEqual({ ...healthy, failingSince: since })
    later(119)
    expect(await answer(null)).toEqual({ ...healthy, failingSince: since })
    later(0, 3599)
    expect(await answer(503)).toEqual({ ...healthy, failingSince: since })
    later(0, 2)
    expect(await answer(500)).toEqual({
      status: 'DISABLED',
      disabledReason: because,
      failingSince: since,
    })
  })

  test('that accepts a delivery in between is counted from the start', async () => {
    const { answer } = await make()
    await answer(500)
    later(119)
    expect(await answer(204)).toEqual(healthy)
    later(2)
    const since = now
    expect(await answer(500)).toEqual({ ...healthy, failingSince: since })
    later(119)
    expect(await answer(500)).toMatchObject({ status: 'ACTIVE' })
    later(1, 1)
    expect(await answer(500)).toMatchObject({ status: 'DISABLED', disabledReason: because })
  })

  test('that accepts one of several at the same moment is not failing', async () => {
    const { answer } = await make()
    await answer(500)
    later(121)
    expect(await answer(500, 200, null)).toEqual(healthy)
  })

  test('that answers 410 is disabled at once, whatever else it accepted', async () => {
    const { answer } = await make()
    const gone = { status: 'DISABLED', disabledReason: 'The receiver answered 410 Gone' }
    expect(await answer(200, 410)).toMatchObject(gone)
  })

  test('that was disabled for failing has a clean record when it is made active', async () => {
    const { id, answer } = await make()
    await answer(500)
    later(121)
    expect(await answer(500)).toMatchObject({ status: 'DISABLED' })
    const active = { key: world.keys.secret, body: { status: 'ACTIVE' } }
    const { body } = await world.call('PATCH', `/v1/webhooks/${id}`, active)
    expect(body.data).toMatchObject(healthy)
    const since = now
    expect(await answer(500)).toEqual({ ...healthy, failingSince: since })
  })
})
