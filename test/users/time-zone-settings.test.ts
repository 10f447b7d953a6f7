/**
 * Names of time zones, the default of an environment, personal data, and simultaneous calls. Neighbours that were looked
 * for: names that only the database or only Node knows, users with a zone and without, created before and after a change,
 * other environments, and members without the right.
 */
import { describe, expect, it } from 'vitest'
import { onPostgres } from '../world.ts'
import { ahead, at, dayOf, noon, only, useTimeZones } from './zone-calls.ts'

const { state, query, track, award, zoneOf, dateOf, zonesOf } = useTimeZones()

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
      await state.world.post('/v1/users/bad/token', state.partner.test.secret, { timeZone: name }),
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
  const change = (timeZone: string, by: object = state.partner.test) =>
    state.world.graphql(
      `mutation ($timeZone: TimeZone!) { setDefaultTimeZone(input: { timeZone: $timeZone }) {
        ... on SetDefaultTimeZonePayload { defaultTimeZone { timeZone change { timeZone startsAt } } }
        ... on Error { code message } } }`,
      { timeZone },
      by,
    )
  const read = async (by: object = state.partner.test) =>
    (
      await state.world.graphql(
        '{ defaultTimeZone { timeZone change { timeZone startsAt } } }',
        {},
        by,
      )
    ).body.data.defaultTimeZone

  it('changes at its next midnight for users who have no zone, and keeps their dates', async () => {
    // The clock of this test must not be set back.
    state.partner = await state.world.createPartner()
    for (const name of ['without', 'later']) await award(name)
    await track('with', 'America/Bogota')
    expect(await read()).toEqual({ timeZone: 'UTC', change: null })
    await change('Asia/Seoul')
    const { body } = await change('Asia/Tokyo')
    const startsAt = at(1, '00:00').toISOString()
    const shown = { timeZone: 'UTC', change: { timeZone: 'Asia/Tokyo', startsAt } }
    expect(body.data.setDefaultTimeZone.defaultTimeZone).toEqual(shown)
    expect(await read()).toEqual(shown)
    expect(await zoneOf('without')).toEqual(ahead('UTC', 'Asia/Tokyo', at(1, '00:00')))
    await award('between')
    state.now = at(1, '16:00')
    expect(await read()).toEqual({ timeZone: 'Asia/Tokyo', change: null })
    for (const name of ['without', 'between']) {
      expect(await zoneOf(name)).toEqual(only('Asia/Tokyo'))
      expect(await dateOf(name, state.now)).toBe(dayOf(2))
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
    const other = await state.world.createPartner()
    await change('Asia/Tokyo', other.live)
    expect((await read(other.live)).change.timeZone).toBe('Asia/Tokyo')
    for (const by of [other.test, state.world.partner.live])
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
    state.partner = await state.world.createPartner()
    const member = (role: 'ANALYST' | 'EDITOR') =>
      state.world.signInAs(role, state.partner.partnerId)
    const refused = await change('Asia/Tokyo', {
      bearer: await member('ANALYST'),
      environment: 'LIVE',
    })
    expect(refused.body.errors[0].extensions.code).toBe('RIGHT_REQUIRED')
    await change('Asia/Tokyo', { bearer: await member('EDITOR'), environment: 'LIVE' })
    expect((await read(state.partner.live)).change.timeZone).toBe('Asia/Tokyo')
    const { body } = await state.world.graphql(
      '{ auditLog(first: 1) { nodes { action changes { field to } } } }',
      {},
      { bearer: await state.world.signInAs('OWNER', state.partner.partnerId), environment: 'LIVE' },
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
    const exported = await state.world.graphql(
      '{ userData(by: { externalId: "gone" }) { timeZones { timeZone startsAt } } }',
    )
    expect(exported.body.data.userData.timeZones).toEqual([
      { timeZone: 'America/Bogota', startsAt: at(0, '15:00').toISOString() },
      { timeZone: 'Asia/Tokyo', startsAt: noon.toISOString() },
    ])
    const { body } =
      await state.world.graphql(`mutation { eraseUser(input: { user: { externalId: "gone" } }) {
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
        : state.world.post('/v1/users/made/token', state.partner.test.secret, {
            timeZone: 'Asia/Tokyo',
          }),
    )
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await zonesOf('made')).toEqual([{ zone: 'Asia/Tokyo', bySecret: true }])
    expect(await zoneOf('made')).toEqual(only('Asia/Tokyo'))
  })
})
