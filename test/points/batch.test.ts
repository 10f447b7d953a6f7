import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { awardPoints } from '../../src/points/points.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let live: Tenant
beforeAll(async () => {
  world = await createWorld()
  live = { ...world.tenant, environment: 'LIVE' }
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

type Award = Parameters<typeof awardPoints>[1][number]

const awardAll = (awards: Award[]) => awardPoints(world.runtime, awards)

const short = (results: Awaited<ReturnType<typeof awardPoints>>) =>
  results.map((result) =>
    result instanceof Error
      ? (result as Error & { code: string }).code
      : `${result.user.externalId} ${result.ledgerEntry.points} → ${result.ledgerEntry.balanceAfter}`,
  )

const select = async (text: string, values: unknown[] = []) =>
  (await world.server.database.pool.query({ text, values })).rows

it('a batch is processed in order, and has a result for each item', async () => {
  await awardAll([{ ...world.userKey('anna'), eventType: 'daily_login', reference: 'old' }])
  const results = await awardAll([
    { ...world.userKey('anna'), eventType: 'signup', reference: 'a' },
    { ...world.userKey('ben'), eventType: 'purchase', reference: 'a' },
    { ...world.userKey('cleo'), eventType: 'unknown', reference: 'b' },
    { ...world.userKey('ben'), eventType: 'signup', reference: 'a' },
    { ...world.userKey('anna'), eventType: 'purchase' },
    { ...world.userKey('dora'), eventType: 'daily_login', reference: 'old' },
    { ...world.userKey('anna'), eventType: 'purchase' },
    { ...world.userKey('ben'), eventType: 'referral', reference: 'b' },
    { ...world.userKey('anna'), eventType: 'signup', reference: 'c' },
  ])
  expect(short(results)).toEqual([
    'anna 100 → 110',
    'ben 50 → 50',
    'REWARD_RULE_NOT_FOUND',
    'DUPLICATE_REFERENCE',
    'anna 50 → 160',
    'DUPLICATE_REFERENCE',
    'anna 50 → 210',
    'ben 200 → 250',
    'anna 100 → 310',
  ])
  const users = await select('SELECT external_id FROM end_user ORDER BY 1')
  expect(users.map((row) => row.external_id)).toEqual(['anna', 'ben'])
})

it('one user many times in a batch has consecutive entries with consecutive balances', async () => {
  const results = await awardAll(
    Array.from({ length: 50 }, (_, i) => ({
      ...world.userKey('many'),
      eventType: i % 2 ? 'purchase' : 'daily_login',
      displayName: i < 40 ? `name ${i}` : null,
      metadata: { i },
    })),
  )
  const rows = await select(
    `SELECT l.entry_no, l.points, l.balance_after::int AS balance, l.metadata, u.display_name
     FROM ledger_entry l JOIN end_user u ON u.id = l.user_id
     WHERE u.external_id = 'many' ORDER BY entry_no`,
  )
  expect(rows.map(({ entry_no }) => entry_no)).toEqual(rows.map((_, i) => i + 1))
  expect(rows.map(({ metadata }) => metadata.i)).toEqual(rows.map((_, i) => i))
  expect(rows.map(({ points, balance }) => `many ${points} → ${balance}`)).toEqual(short(results))
  expect(rows.at(-1)).toMatchObject({ balance: 1500, display_name: 'name 39' })
})

it('a batch over two environments keeps them apart', async () => {
  const item = { ...world.userKey('twin'), eventType: 'signup', reference: 'same' }
  const results = await awardPoints(world.runtime, [
    item,
    { ...item, ...live },
    { ...item, ...live },
    { ...world.userKey('twin'), eventType: 'purchase' },
  ])
  expect(short(results)).toEqual([
    'twin 100 → 100',
    'twin 100 → 100',
    'DUPLICATE_REFERENCE',
    'twin 50 → 150',
  ])
})

it('a batch with only refused items writes nothing', async () => {
  const count = async () =>
    (await select('SELECT (SELECT count(*) FROM end_user) + (SELECT count(*) FROM event) AS n'))[0]
  const before = await count()
  const results = await awardAll([
    { ...world.userKey('ghost'), eventType: 'unknown' },
    { ...world.userKey('ghost'), eventType: 'daily_login', reference: 'old' },
  ])
  expect(short(results)).toEqual(['REWARD_RULE_NOT_FOUND', 'DUPLICATE_REFERENCE'])
  expect(await count()).toEqual(before)
  expect(await awardAll([])).toEqual([])
})

it('each award is announced as documented, and is on the timeline', async () => {
  const results = await awardAll([
    { ...world.userKey('eve'), eventType: 'signup', reference: 'e-1', metadata: { from: 'shop' } },
    { ...world.userKey('eve'), eventType: 'purchase' },
  ])
  for (const result of results) {
    if (result instanceof Error) throw result
    const {
      id: ledgerId,
      reference,
      createdAt,
      eventType,
      points,
      balanceAfter,
    } = result.ledgerEntry
    const [event] = await select('SELECT *, data::text AS text FROM event WHERE id = $1', [
      ledgerId,
    ])
    expect(event).toMatchObject({ type: 'points.awarded', environment: 'TEST' })
    expect(event.occurred_at.toISOString()).toBe(createdAt.toISOString())
    expect(JSON.parse(event.text)).toEqual({
      ledgerId,
      userId: 'eve',
      eventType,
      pointsAwarded: points,
      userBalance: Number(balanceAfter),
      ...(reference && { reference }),
      createdAt: createdAt.toISOString(),
    })
    const [activity] = await select('SELECT * FROM user_activity WHERE id = $1', [ledgerId])
    expect(activity).toMatchObject({
      category: 'POINTS',
      event_type: eventType,
      points,
    })
    expect(activity.occurred_at.toISOString()).toBe(createdAt.toISOString())
  }
})
