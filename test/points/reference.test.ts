import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Answer, createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const award = (userId: string, eventType: string, reference: string, key = world.keys.secret) =>
  world.post('/v1/points/award', key, { userId, eventType, reference })

const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

/** How often this reference is in the ledger, in events and on timelines. */
const traces = async (reference: string) => {
  const { rows } = await world.server.database.pool.query({
    text: `SELECT
      (SELECT count(*) FROM ledger_entry WHERE reference = $1)::int AS entries,
      (SELECT count(*) FROM event WHERE data->>'reference' = $1)::int AS events,
      (SELECT count(*) FROM user_activity a JOIN ledger_entry l USING (id)
        WHERE l.reference = $1)::int AS activities`,
    values: [reference],
  })
  return rows[0]
}

it('a reference awards once for its event type in its environment', async () => {
  const { live } = world.partner
  expect((await award('anna', 'signup', 'r')).status).toBe(200)
  const again = await award('anna', 'signup', 'r')
  expect(again.status).toBe(409)
  expect(again.body).toMatchObject({
    message: 'Duplicate reference; points already awarded for this reference',
    code: 409,
    status: 'error',
    errorCode: 'DUPLICATE_REFERENCE',
  })
  expect((await award('anna', 'purchase', 'r')).status).toBe(200)
  expect((await award('anna', 'signup', 'R')).status).toBe(200)
  expect((await award('anna', 'signup', 'r', live.secret)).status).toBe(200)
  expect((await award('anna', 'signup', 'r', live.secret)).status).toBe(409)
  const other = await world.createPartner()
  expect((await award('anna', 'signup', 'r', other.test.secret)).status).toBe(200)
})

it('a duplicate for a new user creates no user and changes nobody', async () => {
  await world.post('/v1/points/award', world.keys.secret, {
    userId: 'ben',
    eventType: 'signup',
    reference: 'ben-1',
    displayName: 'Ben',
  })
  const answers = await Promise.all(
    ['ben', 'nobody'].map((userId) =>
      world.post('/v1/points/award', world.keys.secret, {
        userId,
        eventType: 'signup',
        reference: 'ben-1',
        displayName: 'Changed',
      }),
    ),
  )
  expect(count(answers, 409)).toBe(2)
  const ben = await world.get('/v1/users/ben/balance', world.keys.secret)
  expect(ben.body.data).toMatchObject({ displayName: 'Ben', totalPoints: 100 })
  expect((await world.get('/v1/users/nobody/balance', world.keys.secret)).status).toBe(404)
})

it.each([1, 2, 3])(
  '100 parallel duplicates award once and are refused 99 times (%i)',
  async (run) => {
    const reference = `hammer-${run}`
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => award('hammered', 'signup', reference)),
    )
    expect([count(answers, 200), count(answers, 409)]).toEqual([1, 99])
    expect(await traces(reference)).toEqual({ entries: 1, events: 1, activities: 1 })
  },
)

it('parallel duplicates of several references, each for two users, award each reference once', async () => {
  const references = Array.from({ length: 10 }, (_, i) => `shared-${i}`)
  const calls = Array.from({ length: 20 }, (_, i) => i).flatMap((i) =>
    references.map(async (reference) => ({
      reference,
      answer: await award(i % 2 ? 'left' : 'right', 'purchase', reference),
    })),
  )
  const results = await Promise.all(calls)
  for (const reference of references) {
    const answers = results.filter((r) => r.reference === reference).map(({ answer }) => answer)
    expect([count(answers, 200), count(answers, 409)]).toEqual([1, 19])
    expect(await traces(reference)).toEqual({ entries: 1, events: 1, activities: 1 })
  }
  const { rows } = await world.server.database.pool.query({
    text: "SELECT sum(balance)::int AS total FROM end_user WHERE external_id IN ('left', 'right')",
  })
  expect(rows[0].total).toBe(500)
})
