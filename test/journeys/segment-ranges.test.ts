/** Segments by numbers and times: who is in them, as time goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { dayMs } from '../../src/journeys/journey.rules.ts'
import { createWorld, type World } from '../world.ts'
import { segmentCalls } from './segment-calls.ts'

let world: World
let now = new Date('2026-08-01T12:00:00.000Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const { identify, createSegment, profiles } = segmentCalls(() => world)
describe('a segment by numbers and times', () => {
  const day = (n: number) => new Date(Date.parse('2026-08-01T12:00:00.000Z') + n * dayMs)
  const usersOf = async (name: string) => {
    const { body } = await world.graphql(
      `query ($by: SegmentBy!) { segment(by: $by) { users(first: 50) { nodes { externalId } } } }`,
      { by: { name } },
    )
    return body.data.segment.users.nodes.map((user: { externalId: string }) => user.externalId)
  }
  /** The users of a new segment, which are those of the same filter of users. */
  const inSegment = async (name: string, filter: object, ofUsers: object = filter) => {
    expect(await createSegment({ name, tag: 'n', ...filter })).toMatchObject({
      __typename: 'CreateSegmentPayload',
    })
    const found = await usersOf(name)
    expect(await profiles({ tag: 'n', ...ofUsers })).toEqual(found)
    return found
  }

  beforeAll(async () => {
    for (const n of [0, 5, 10]) {
      now = day(n)
      await identify(`n${n}`, { tags: { n: 'x' } })
    }
    now = day(12)
    await world.givePoints('n0', 1)
    await world.givePoints('n5', 2)
    for (const _ of [1, 2])
      await world.post('/v1/games/play', world.keys.public, {
        userId: 'n5',
        gameType: 'ENIGMA_BOXES',
      })
    await world.post('/v1/user-journeys/events', world.keys.public, {
      externalId: 'n10',
      category: 'GAME_PLAY',
      eventType: 'said',
    })
  })

  it('has users by balance and lifetime points', async () => {
    const { body } = await world.graphql(
      '{ n0: user(by: { externalId: "n0" }) { balance } n5: user(by: { externalId: "n5" }) { lifetimePoints } }',
    )
    const { n0, n5 } = body.data
    expect(await inSegment('Rich', { balance: { min: n0.balance, max: n0.balance } })).toEqual([
      'n0',
    ])
    expect(await inSegment('Poor', { balance: { max: 0 } })).toEqual(['n10'])
    expect(await inSegment('Best', { lifetimePoints: { min: n5.lifetimePoints } })).toEqual(['n5'])
  })

  it('has users by plays of the last 30 days that the server drew', async () => {
    expect(await inSegment('Players', { recentPlayCount: { min: 2 } })).toEqual(['n5'])
    expect(await inSegment('Idle', { recentPlayCount: { max: 1 } })).toEqual(['n0', 'n10'])
    expect(await inSegment('Many', { recentPlayCount: { min: 3 } })).toEqual([])
    const later = now
    now = day(43)
    expect(await usersOf('Players')).toEqual([])
    now = later
  })

  it('has users by days since they were created and last seen, as time goes on', async () => {
    const week = { userCreatedDaysAgo: { min: 7 } }
    expect(await inSegment('Old', week, { createdDaysAgo: { min: 7 } })).toEqual(['n0', 'n5'])
    const fresh = { userCreatedDaysAgo: { max: 7 } }
    expect(await inSegment('Fresh', fresh, { createdDaysAgo: { max: 7 } })).toEqual(['n10', 'n5'])
    expect(await inSegment('Away', { lastSeenDaysAgo: { min: 1 } })).toEqual([])
    const later = now
    now = day(15)
    expect(await usersOf('Away')).toEqual(['n0', 'n10', 'n5'])
    now = day(17)
    expect(await usersOf('Fresh')).toEqual(['n10'])
    expect(await usersOf('Old')).toEqual(['n0', 'n10', 'n5'])
    now = later
  })

  it('has users by when they were created and last seen', async () => {
    const created = { from: day(0), to: day(5) }
    expect(await inSegment('First', { userCreatedAt: created }, { createdAt: created })).toEqual([
      'n0',
    ])
    expect(await inSegment('Seen', { lastSeenAt: { to: day(12) } })).toEqual([])
    expect(await inSegment('Seen later', { lastSeenAt: { from: day(12) } })).toHaveLength(3)
  })

  it('shows, changes and clears its ranges, and refuses those that end before they begin', async () => {
    const update = async (input: object) =>
      (
        await world.graphql(
          `mutation ($input: UpdateSegmentInput!) { updateSegment(input: $input) { __typename
            ... on UpdateSegmentPayload { segment { balance { min max } lastSeenAt { from to }
              userCreatedDaysAgo { min max } } }
            ... on ValidationError { errors { path } } } }`,
          { input: { segment: { name: 'Poor' }, ...input } },
        )
      ).body.data.updateSegment
    const none = { balance: null, lastSeenAt: null, userCreatedDaysAgo: null }
    expect((await update({})).segment).toEqual({ ...none, balance: { min: null, max: 0 } })
    expect(
      (await update({ balance: { min: -5 }, userCreatedDaysAgo: { min: 1, max: 2 } })).segment,
    ).toEqual({ ...none, balance: { min: -5, max: null }, userCreatedDaysAgo: { min: 1, max: 2 } })
    expect((await update({ balance: null })).segment).toMatchObject({ balance: null })
    expect(await update({ balance: { min: 2, max: 1 } })).toMatchObject({
      errors: [{ path: ['balance'] }],
    })
    expect(
      await createSegment({ name: 'Never', lastSeenAt: { from: day(2), to: day(1) } }),
    ).toMatchObject({ errors: [{ path: ['lastSeenAt'] }] })
    expect(await createSegment({ name: 'Everybody', balance: {} })).toMatchObject({
      errors: [{ path: ['stage'] }],
    })
  })

  it('says that users enter only if they meet the numbers, too', async () => {
    const { segment } = await createSegment({
      name: 'Swiss with points',
      country: 'CH',
      balance: { min: 1 },
    })
    await identify('n0', { country: 'CH' })
    await identify('n10', { country: 'CH' })
    const { uuid: segmentId } = (
      await world.graphql(`{ segment(by: { id: "${segment.id}" }) { uuid } }`)
    ).body.data.segment
    const moves = await world.runtime.db.segmentChange.findMany({
      where: { segmentId },
      include: { profile: { include: { user: true } } },
    })
    expect(moves.map(({ move, profile }) => [profile.user.externalId, move])).toEqual([
      ['n0', 'entered'],
    ])
  })
})
