/** A world whose clock a test sets, with the calls that concern time zones. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type TestPartner, type World } from '../world.ts'

/** Tomorrow at noon, so that no midnight is near. */
export const noon = new Date(
  `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`,
)

const dayMs = 86_400_000
/** A time of a day after tomorrow, in UTC. */
export const at = (days: number, time: string) =>
  new Date(`${new Date(Number(noon) + days * dayMs).toISOString().slice(0, 10)}T${time}:00.000Z`)
export const dayOf = (days: number) => at(days, '00:00').toISOString().slice(0, 10)

export const only = (timeZone: string) => ({ timeZone, timeZoneChange: null })
export const ahead = (timeZone: string, next: string, startsAt: Date) => ({
  timeZone,
  timeZoneChange: { timeZone: next, startsAt: startsAt.toISOString() },
})

/** To be called at the top of a test file. After each test, it is noon again. */
export const useTimeZones = () => {
  /** `partner` is whose users the calls name. */
  const state = { now: noon } as { now: Date; world: World; partner: TestPartner }
  beforeAll(async () => {
    state.world = await createWorld({ clock: () => state.now })
    state.partner = state.world.partner
  })
  afterEach(async () => {
    state.now = noon
    state.partner = state.world.partner
    const broken: string[] = []
    const { pool } = state.world.server.database
    await audit(pool, (name, count) => void (count > 0 && broken.push(name)))
    expect(broken).toEqual([])
  })
  afterAll(() => state.world.end())

  const query = async (text: string, values: unknown[] = []) =>
    (await state.world.server.database.pool.query({ text, values })).rows

  /** By a secret key, unless a page calls. */
  const track = async (externalId: string, timeZone: string | null, isPage = false) => {
    const { public: key, secret } = state.partner.test
    if (isPage) return state.world.post('/v1/user-journeys/users', key, { externalId, timeZone })
    const answer = await state.world.graphql(
      `mutation ($input: TrackUserInput!) { trackUser(input: $input) { __typename
      ... on ValidationError { errors { path message } } } }`,
      { input: { user: { externalId }, timeZone } },
      { secret },
    )
    expect(answer.body.errors).toBeUndefined()
    return answer
  }
  const award = (userId: string, more: object = {}) =>
    state.world.post('/v1/points/award', state.partner.test.secret, {
      userId,
      eventType: 'signup',
      ...more,
    })

  /** The zone now, the one ahead, and from when on. */
  const zoneOf = async (externalId: string, by: object = state.partner.test) => {
    const { body } = await state.world.graphql(
      `query ($id: String!) { user(by: { externalId: $id }) {
      timeZone timeZoneChange { timeZone startsAt } } }`,
      { id: externalId },
      by,
    )
    expect(body.errors).toBeUndefined()
    return body.data.user
  }

  const dateOf = async (externalId: string, moment: Date) => {
    const [row] = await query(
      `SELECT local_date(id, $2)::text AS date FROM end_user
      WHERE external_id = $1 AND partner_id = $3 AND environment = 'TEST'`,
      [externalId, moment, state.partner.partnerId],
    )
    return row.date
  }

  const zonesOf = (externalId: string) =>
    query(
      `SELECT z.zone, z.by_secret AS "bySecret" FROM user_time_zone z JOIN end_user u ON u.id = z.user_id
      WHERE u.external_id = $1 AND u.partner_id = $2 ORDER BY z.since`,
      [externalId, state.partner.partnerId],
    )

  return { state, query, track, award, zoneOf, dateOf, zonesOf }
}
