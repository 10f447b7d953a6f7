/**
 * Who sets the time zone of a user, and from when it holds. Neighbours that were looked for: all calls that take a zone,
 * users who exist or not, public and secret keys, awards that are refused, changes before the same midnight, and moves over
 * the date line in both directions.
 */
import { describe, expect, it } from 'vitest'
import { statementCounter } from '../count-statements.ts'
import { onPostgres } from '../world.ts'
import { ahead, at, dayOf, only, useTimeZones } from './zone-calls.ts'

const { state, query, track, award, zoneOf, dateOf, zonesOf } = useTimeZones()

describe('a user who is created with a time zone', () => {
  const ways: Record<string, (userId: string) => Promise<{ status: number }>> = {
    'profile data': (userId) => track(userId, 'Asia/Tokyo'),
    'profile data by a public key': (userId) => track(userId, 'Asia/Tokyo', true),
    'an award': (userId) => award(userId, { timeZone: 'Asia/Tokyo' }),
    'a list of awards': (userId) =>
      state.world.post('/v1/points/award/batch', state.partner.test.secret, {
        awards: [
          { userId, eventType: 'signup', reference: `${userId} 1` },
          { userId, eventType: 'signup', reference: `${userId} 2`, timeZone: 'Asia/Tokyo' },
        ],
      }),
    'a user token': (userId) =>
      state.world.post(`/v1/users/${userId}/token`, state.partner.test.secret, {
        timeZone: 'Asia/Tokyo',
      }),
  }

  it.each(Object.keys(ways))('by %s has it from the beginning', async (way) => {
    state.now = at(0, '16:00')
    const userId = `new by ${way}`
    expect((await ways[way]?.(userId))?.status).toBe(200)
    expect(await zoneOf(userId)).toEqual(only('Asia/Tokyo'))
    expect(await dateOf(userId, state.now)).toBe(dayOf(1))
    // Also for what happened before.
    expect(await dateOf(userId, at(-3, '16:00'))).toBe(dayOf(-2))
    expect(await zonesOf(userId)).toHaveLength(1)
  })

  it('has it on the first entry of the timeline', async () => {
    state.now = at(0, '16:00')
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
      state.world.post(`/v1/users/${userId}/token`, state.partner.test.secret, {
        timeZone: 'Asia/Tokyo',
      }),
  }

  it.each(Object.keys(ways))('gets another zone by %s from the next midnight on', async (way) => {
    const userId = `old by ${way}`
    await award(userId)
    expect((await ways[way]?.(userId))?.status).toBe(200)
    expect(await zoneOf(userId)).toEqual(ahead('UTC', 'Asia/Tokyo', at(1, '00:00')))
    expect(await dateOf(userId, at(0, '23:59'))).toBe(dayOf(0))
    state.now = at(1, '00:00')
    expect(await zoneOf(userId)).toEqual(only('Asia/Tokyo'))
    expect(await dateOf(userId, at(1, '14:59'))).toBe(dayOf(1))
    expect(await dateOf(userId, at(1, '15:00'))).toBe(dayOf(2))
    expect(await dateOf(userId, at(0, '23:59'))).toBe(dayOf(0))
  })

  it('has the last one of several zones that were set before midnight', async () => {
    await award('twice')
    await track('twice', 'Asia/Tokyo')
    state.now = at(0, '18:00')
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
    state.now = at(0, '23:58')
    await track('hasty', 'Asia/Tokyo')
    expect(await zoneOf('hasty')).toEqual(ahead('UTC', 'Asia/Tokyo', at(2, '00:00')))
  })

  it('gets a zone that is sent again once', async () => {
    for (const day of [0, 1, 2]) {
      state.now = at(day, '12:00')
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
    state.now = at(3, '12:00')
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
    const { public: key } = state.partner.test
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
    const count = statementCounter(state.world)
    expect(await count(() => award('counted'), 1)).toBe(1)
  })

  it('of a list with an unknown zone is refused alone', async () => {
    const { body } = await state.world.post('/v1/points/award/batch', state.partner.test.secret, {
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
