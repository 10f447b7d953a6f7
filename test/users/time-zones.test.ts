/**
 * Who sets a time zone, and from when it holds. Neighbours that were looked for: all calls that take a zone, users who exist
 * or not, public and secret keys, awards that are refused, changes before the same midnight, the default of an
 * environment, names that only the database or only Node knows, erasure, and export.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { statementCounter } from '../count-statements.ts'
import { createWorld, onPostgres, type TestPartner, type World } from '../world.ts'

let world: World
/** Whose users the calls below name. */
let partner: TestPartner
/** Tomorrow at noon, so that no midnight is near. */
const noon = new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`)
let now = noon
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  partner = world.partner
})
afterEach(async () => {
  now = noon
  partner = world.partner
  const broken: string[] = []
  await audit(world.server.database.pool, (name, count) => void (count > 0 && broken.push(name)))
  expect(broken).toEqual([])
})
afterAll(() => world.end())

const dayMs = 86_400_000
/** A time of a day after tomorrow, in UTC. */
const at = (days: number, time: string) =>
  new Date(`${new Date(Number(noon) + days * dayMs).toISOString().slice(0, 10)}T${time}:00.000Z`)
const dayOf = (days: number) => at(days, '00:00').toISOString().slice(0, 10)

const query = async (text: string, values: unknown[] = []) =>
  (await world.server.database.pool.query({ text, values })).rows

/** By a secret key, unless a page calls. */
const track = async (externalId: string, timeZone: string | null, isPage = false) => {
  const { public: key, secret } = partner.test
  if (isPage) return world.post('/v1/user-journeys/users', key, { externalId, timeZone })
  const answer = await world.graphql(
    `mutation ($input: TrackUserInput!) { trackUser(input: $input) { __typename
      ... on ValidationError { errors { path message } } } }`,
    { input: { user: { externalId }, timeZone } },
    { secret },
  )
  expect(answer.body.errors).toBeUndefined()
  return answer
}
const award = (userId: string, more: object = {}) =>
  world.post('/v1/points/award', partner.test.secret, { userId, eventType: 'signup', ...more })

/** The zone now, the one ahead, and from when on. */
const zoneOf = async (externalId: string, by: object = partner.test) => {
  const { body } = await world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) {
      timeZone timeZoneChange { timeZone startsAt } } }`,
    { id: externalId },
    by,
  )
  expect(body.errors).toBeUndefined()
  return body.data.user
}
const only = (timeZone: string) => ({ timeZone, timeZoneChange: null })
const ahead = (timeZone: string, next: string, startsAt: Date) => ({
  timeZone,
  timeZoneChange: { timeZone: next, startsAt: startsAt.toISOString() },
})

const dateOf = async (externalId: string, moment: Date) => {
  const [row] = await query(
    `SELECT local_date(id, $2)::text AS date FROM end_user
      WHERE external_id = $1 AND partner_id = $3 AND environment = 'TEST'`,
    [externalId, moment, partner.partnerId],
  )
  return row.date
}

const zonesOf = (externalId: string) =>
  query(
    `SELECT z.zone, z.by_secret AS "bySecret" FROM user_time_zone z JOIN end_user u ON u.id = z.user_id
      WHERE u.external_id = $1 AND u.partner_id = $2 ORDER BY z.since`,
    [externalId, partner.partnerId],
  )

describe('a user who is created with a time zone', () => {
  const ways: Record<string, (userId: string) => Promise<{ status: number }>> = {
    'profile data': (userId) => track(userId, 'Asia/Tokyo'),
    'profile data by a public key': (userId) => track(userId, 'Asia/Tokyo', true),
    'an award': (userId) => award(userId, { timeZone: 'Asia/Tokyo' }),
    'a list of awards': (userId) =>
      world.post('/v1/points/award/batch', partner.test.secret, {
        awards: [
          { userId, eventType: 'signup', reference: `${userId} 1` },
          { userId, eventType: 'signup', reference: `${userId} 2`, timeZone: 'Asia/Tokyo' },
        ],
      }),
    'a user token': (userId) =>
      world.post(`/v1/users/${userId}/token`, partner.test.secret, { timeZone: 'Asia/Tokyo' }),
  }

  it.each(Object.keys(ways))('by %s has it from the beginning', async (way) => {
    now = at(0, '16:00')
    const userId = `new by ${way}`
    expect((await ways[way]?.(userId))?.status).toBe(200)
    expect(await zoneOf(userId)).toEqual(only('Asia/Tokyo'))
    expect(await dateOf(userId, now)).toBe(dayOf(1))
    // Also for what happened before.
    expect(await dateOf(userId, at(-3, '16:00'))).toBe(dayOf(-2))
    expect(await zonesOf(userId)).toHaveLength(1)
  })

  it('has it on the first entry of the timeline', async () => {
    now = at(0, '16:00')
    await query(`CREATE TABLE first_dates (external_id text, date date)`)
    await query(`CREATE FUNCTION note_first_date() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO first_dates SELECT u.external_id, local_date(u.id, a.occurred_at)
        FROM added a JOIN end_user u ON u.id = a.user_id;
      RETURN NULL; END $$`)
    await query(`CREATE TRIGGER user_activity_z_noted AFTER INSERT ON user_activity
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_first_date()`)
    try {
      await award('first entry', { timeZone: 'Asia/Tokyo' })
      await award('other entry')
      expect(
        await query('SELECT external_id AS id, date::text FROM first_dates ORDER BY 2 DESC'),
      ).toEqual([
        { id: 'first entry', date: dayOf(1) },
        { id: 'other entry', date: dayOf(0) },
      ])
    } finally {
      await query('DROP TRIGGER user_activity_z_noted ON user_activity')
      await query('DROP FUNCTION note_first_date; ')
      await query('DROP TABLE first_dates')
    }
  })
})

describe('a user who exists', () => {
  const ways: Record<string, (userId: string) => Promise<{ status: number }>> = {
    'profile data': (userId) => track(userId, 'Asia/Tokyo'),
    'an award': (userId) => award(userId, { timeZone: 'Asia/Tokyo' }),
    'a user token': (userId) =>
      world.post(`/v1/users/${userId}/token`, partner.test.secret, { timeZone: 'Asia/Tokyo' }),
  }

  it.each(Object.keys(ways))('gets another zone by %s from the next midnight on', async (way) => {
    const userId = `old by ${way}`
    await award(userId)
    expect((await ways[way]?.(userId))?.status).toBe(200)
    expect(await zoneOf(userId)).toEqual(ahead('UTC', 'Asia/Tokyo', at(1, '00:00')))
    expect(await dateOf(userId, at(0, '23:59'))).toBe(dayOf(0))
    now = at(1, '00:00')
    expect(await zoneOf(userId)).toEqual(only('Asia/Tokyo'))
    expect(await dateOf(userId, at(1, '14:59'))).toBe(dayOf(1))
    expect(await dateOf(userId, at(1, '15:00'))).toBe(dayOf(2))
    expect(await dateOf(userId, at(0, '23:59'))).toBe(dayOf(0))
  })

  it('has the last one of several zones that were set before midnight', async () => {
    await award('twice')
    await track('twice', 'Asia/Tokyo')
    now = at(0, '18:00')
    await track('twice', 'America/Bogota')
    expect(await zoneOf('twice')).toEqual(ahead('UTC', 'America/Bogota', at(1, '00:00')))
    await track('twice', 'UTC')
    expect(await zoneOf('twice')).toEqual(only('UTC'))
    expect(await zonesOf('twice')).toHaveLength(1)
  })

  it('has the midnight of the zone before', async () => {
    await track('moving', 'America/Bogota')
    await track('moving', 'Asia/Tokyo')
    expect(await zoneOf('moving')).toEqual(ahead('America/Bogota', 'Asia/Tokyo', at(1, '05:00')))
  })

  it('keeps the date of an activity that was sent five minutes ahead', async () => {
    await award('hasty')
    now = at(0, '23:58')
    await track('hasty', 'Asia/Tokyo')
    expect(await zoneOf('hasty')).toEqual(ahead('UTC', 'Asia/Tokyo', at(2, '00:00')))
  })

  it('gets a zone that is sent again once', async () => {
    for (const day of [0, 1, 2]) {
      now = at(day, '12:00')
      await track('again', 'Asia/Tokyo')
    }
    expect(await zonesOf('again')).toEqual([{ zone: 'Asia/Tokyo', bySecret: true }])
  })

  it('has a long date after a move to the east of the date line, and misses one after a move to the west', async () => {
    await track('line', 'Pacific/Kiritimati')
    // In Kiritimati it is 2:00 of the next day.
    await track('line', 'Pacific/Pago_Pago')
    const there = at(1, '10:00')
    expect(await zoneOf('line')).toEqual(ahead('Pacific/Kiritimati', 'Pacific/Pago_Pago', there))
    const dates = async (...moments: Date[]) =>
      Promise.all(moments.map((moment) => dateOf('line', moment)))
    expect(await dates(at(0, '10:00'), at(1, '09:59'), at(1, '10:00'), at(1, '11:00'))).toEqual(
      Array(4).fill(dayOf(1)),
    )
    expect(await dates(at(2, '10:59'), at(2, '11:00'))).toEqual([dayOf(1), dayOf(2)])
    now = at(3, '12:00')
    await track('line', 'Pacific/Kiritimati')
    const back = at(4, '11:00')
    expect(await zoneOf('line')).toEqual(ahead('Pacific/Pago_Pago', 'Pacific/Kiritimati', back))
    expect(await dates(at(4, '10:59'), at(4, '11:00'))).toEqual([dayOf(3), dayOf(5)])
    const [deadlines] = await query(
      `SELECT array_agg(window_end_at(id, 'DAY', day) ORDER BY day) AS ends FROM end_user,
        unnest($1::date[]) day WHERE external_id = 'line'`,
      [[dayOf(1), dayOf(3), dayOf(4), dayOf(5)]],
    )
    expect(deadlines.ends).toEqual([at(2, '11:00'), back, back, at(5, '10:00')])
  })

  it('does not lose a zone of a secret key to a public one', async () => {
    await track('kept', 'Asia/Tokyo')
    await track('kept', 'America/Bogota', true)
    expect(await zoneOf('kept')).toEqual(only('Asia/Tokyo'))
    await track('given', 'Asia/Tokyo', true)
    await track('given', 'America/Bogota', true)
    expect((await zoneOf('given')).timeZoneChange.timeZone).toBe('America/Bogota')
    // The same zone again, by somebody whom a public key does not overrule.
    await track('given', 'America/Bogota')
    await track('given', 'Asia/Tokyo', true)
    expect((await zoneOf('given')).timeZoneChange.timeZone).toBe('America/Bogota')
    await track('given', 'Europe/Berlin')
    expect((await zoneOf('given')).timeZoneChange.timeZone).toBe('Europe/Berlin')
  })

  it('returns to the default, which a public key may then change', async () => {
    await track('unset', 'Asia/Tokyo')
    await track('unset', '', true)
    expect(await zoneOf('unset')).toEqual(only('Asia/Tokyo'))
    await track('unset', null)
    expect(await zoneOf('unset')).toEqual(ahead('Asia/Tokyo', 'UTC', at(0, '15:00')))
    await track('unset', 'Asia/Seoul', true)
    expect((await zoneOf('unset')).timeZoneChange.timeZone).toBe('Asia/Seoul')
  })

  it('is shown with the zone to callers who may read personal data', async () => {
    await track('shown', 'Asia/Tokyo')
    const { public: key } = partner.test
    expect(await zoneOf('shown', { public: key })).toEqual({ timeZone: null, timeZoneChange: null })
  })
})

describe('an award', () => {
  it('that is refused changes no zone and creates no user', async () => {
    await award('refused', { reference: 'r' })
    const again = await award('refused', { reference: 'r', timeZone: 'Asia/Tokyo' })
    const unknown = await award('nobody', { eventType: 'no rule', timeZone: 'Asia/Tokyo' })
    expect([again.status, unknown.status]).toEqual([409, 404])
    expect(await zoneOf('refused')).toEqual(only('UTC'))
    expect(await zoneOf('nobody')).toBe(null)
  })

  it.skipIf(onPostgres)('without a zone is one statement', async () => {
    await award('counted')
    const count = statementCounter(world)
    expect(await count(() => award('counted'), 1)).toBe(1)
  })

  it('of a list with an unknown zone is refused alone', async () => {
    const { body } = await world.post('/v1/points/award/batch', partner.test.secret, {
      awards: ['Asia/Tokyo', 'Asia/Atlantis'].map((timeZone) => ({
        userId: `list ${timeZone}`,
        eventType: 'signup',
        reference: timeZone,
        timeZone,
      })),
    })
    expect(body.data.results).toMatchObject([
      { status: 'success' },
      { errorCode: 'VALIDATION_FAILED' },
    ])
    expect(await zoneOf('list Asia/Tokyo')).toEqual(only('Asia/Tokyo'))
    expect(await zoneOf('list Asia/Atlantis')).toBe(null)
  })
})

describe('the name of a zone', () => {
  it.each([
    'Europe/Paris',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'Etc/GMT+5',
    'UTC',
    'GMT',
  ])('%s is accepted as it is written', async (name) => {
    expect((await track(`in ${name}`, name)).status).toBe(200)
    expect(await zoneOf(`in ${name}`)).toEqual(only(name))
  })

  it.each([
    ...['europe/paris', 'Europe/Atlantis', ' Europe/Paris', '+02:00', 'GMT+5', 'EST', 'IST', 'Z'],
    // Zones for Node, abbreviations without a summer time for the database.
    ...['CET', 'EET', 'MET', 'MST'],
    ...['posix/Europe/Paris', 'localtime', 'Factory', 'x'.repeat(300)],
  ])('%j is refused with a message', async (name) => {
    for (const { status, body } of [
      await track('badly named', name, true),
      await award('badly named', { timeZone: name }),
      await world.post('/v1/users/bad/token', partner.test.secret, { timeZone: name }),
    ]) {
      expect([status, body.errorCode, body.errors.length]).toEqual([400, 'VALIDATION_FAILED', 1])
      expect(body.errors[0].field).toBe('timeZone')
    }
    expect(await zoneOf('badly named')).toBe(null)
  })

  it('has a message that says what is expected', async () => {
    const { body } = await track('badly named', 'Europe/Atlantis', true)
    expect(body.errors[0].message).toBe(
      'timeZone must be the name of a time zone, such as Europe/Paris',
    )
  })
})

describe('the default of an environment', () => {
  const change = (timeZone: string, by: object = partner.test) =>
    world.graphql(
      `mutation ($timeZone: TimeZone!) { setDefaultTimeZone(input: { timeZone: $timeZone }) {
        ... on SetDefaultTimeZonePayload { defaultTimeZone { timeZone change { timeZone startsAt } } }
        ... on Error { code message } } }`,
      { timeZone },
      by,
    )
  const read = async (by: object = partner.test) =>
    (await world.graphql('{ defaultTimeZone { timeZone change { timeZone startsAt } } }', {}, by))
      .body.data.defaultTimeZone

  it('changes at its next midnight for users who have no zone, and keeps their dates', async () => {
    // The clock of this test must not be set back.
    partner = await world.createPartner()
    for (const name of ['without', 'later']) await award(name)
    await track('with', 'America/Bogota')
    expect(await read()).toEqual({ timeZone: 'UTC', change: null })
    await change('Asia/Seoul')
    const { body } = await change('Asia/Tokyo')
    const startsAt = at(1, '00:00').toISOString()
    const state = { timeZone: 'UTC', change: { timeZone: 'Asia/Tokyo', startsAt } }
    expect(body.data.setDefaultTimeZone.defaultTimeZone).toEqual(state)
    expect(await read()).toEqual(state)
    expect(await zoneOf('without')).toEqual(ahead('UTC', 'Asia/Tokyo', at(1, '00:00')))
    await award('between')
    now = at(1, '16:00')
    expect(await read()).toEqual({ timeZone: 'Asia/Tokyo', change: null })
    for (const name of ['without', 'between']) {
      expect(await zoneOf(name)).toEqual(only('Asia/Tokyo'))
      expect(await dateOf(name, now)).toBe(dayOf(2))
      expect(await dateOf(name, at(0, '16:00'))).toBe(dayOf(0))
    }
    expect(await zoneOf('with')).toEqual(only('America/Bogota'))
    await award('after')
    expect(await zoneOf('after')).toEqual(only('Asia/Tokyo'))
    // A user has the first zone also for what happened before.
    expect(await dateOf('after', at(0, '16:00'))).toBe(dayOf(1))
    await track('later', 'America/Bogota')
    expect(await zoneOf('later')).toEqual(ahead('Asia/Tokyo', 'America/Bogota', at(2, '15:00')))
    expect(await dateOf('later', at(2, '15:00'))).toBe(dayOf(2))
    await change('Pacific/Kiritimati')
    expect(await zoneOf('with')).toEqual(only('America/Bogota'))
    expect(await zoneOf('later')).toEqual(ahead('Asia/Tokyo', 'America/Bogota', at(2, '15:00')))
  })

  it('is that of one environment of one partner', async () => {
    const other = await world.createPartner()
    await change('Asia/Tokyo', other.live)
    expect((await read(other.live)).change.timeZone).toBe('Asia/Tokyo')
    for (const by of [other.test, world.partner.live])
      expect(await read(by)).toEqual({ timeZone: 'UTC', change: null })
  })

  it('is a zone by its name', async () => {
    const { body } = await change('europe/paris')
    expect(body.data.setDefaultTimeZone).toEqual({
      code: 'VALIDATION_FAILED',
      message: expect.any(String),
    })
  })

  it('is changed by who may change settings of journeys, and the audit log has it', async () => {
    partner = await world.createPartner()
    const member = (role: 'ANALYST' | 'EDITOR') => world.signInAs(role, partner.partnerId)
    const refused = await change('Asia/Tokyo', {
      bearer: await member('ANALYST'),
      environment: 'LIVE',
    })
    expect(refused.body.errors[0].extensions.code).toBe('RIGHT_REQUIRED')
    await change('Asia/Tokyo', { bearer: await member('EDITOR'), environment: 'LIVE' })
    expect((await read(partner.live)).change.timeZone).toBe('Asia/Tokyo')
    const { body } = await world.graphql(
      '{ auditLog(first: 1) { nodes { action changes { field to } } } }',
      {},
      { bearer: await world.signInAs('OWNER', partner.partnerId), environment: 'LIVE' },
    )
    const [entry] = body.data.auditLog.nodes
    expect(entry.action).toBe('setDefaultTimeZone')
    expect(entry.changes).toContainEqual({ field: 'zone', to: 'Asia/Tokyo' })
  })
})

describe('personal data', () => {
  it('has the zones of a user, and an erasure deletes them', async () => {
    await track('gone', 'Asia/Tokyo')
    await track('gone', 'America/Bogota')
    const exported = await world.graphql(
      '{ userData(by: { externalId: "gone" }) { timeZones { timeZone startsAt } } }',
    )
    expect(exported.body.data.userData.timeZones).toEqual([
      { timeZone: 'America/Bogota', startsAt: at(0, '15:00').toISOString() },
      { timeZone: 'Asia/Tokyo', startsAt: noon.toISOString() },
    ])
    const { body } =
      await world.graphql(`mutation { eraseUser(input: { user: { externalId: "gone" } }) {
      ... on EraseUserPayload { user { id externalId timeZone } } } }`)
    const { externalId, timeZone } = body.data.eraseUser.user
    expect(timeZone).toBe('UTC')
    expect(await zonesOf(externalId)).toEqual([])
    expect(
      await query(
        'SELECT time_zone, time_zone_since FROM user_profile p JOIN end_user u ON u.id = p.user_id WHERE external_id = $1',
        [externalId],
      ),
    ).toEqual([{ time_zone: null, time_zone_since: null }])
  })
})

describe.runIf(onPostgres)('simultaneous calls', () => {
  it('leave one change for a midnight, by whichever was last', async () => {
    await award('busy')
    const zones = ['Asia/Tokyo', 'America/Bogota', 'Europe/Berlin', 'Pacific/Kiritimati']
    const calls = Array.from({ length: 24 }, (_, n) => {
      const timeZone = zones[n % zones.length] as string
      return n % 2 ? track('busy', timeZone) : award('busy', { timeZone })
    })
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await zonesOf('busy')).toHaveLength(1)
    expect((await zoneOf('busy')).timeZoneChange.startsAt).toBe(at(1, '00:00').toISOString())
  })

  it('create a user with one of their zones', async () => {
    const calls = Array.from({ length: 12 }, (_, n) =>
      n % 3
        ? award('made', { timeZone: 'Asia/Tokyo' })
        : world.post('/v1/users/made/token', partner.test.secret, { timeZone: 'Asia/Tokyo' }),
    )
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await zonesOf('made')).toEqual([{ zone: 'Asia/Tokyo', bySecret: true }])
    expect(await zoneOf('made')).toEqual(only('Asia/Tokyo'))
  })
})
