import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { audit } from '../../src/cli/audit/invariants.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
import { dayMs } from '../../src/journeys/journey.rules.ts'
import { followSegment } from '../../src/journeys/segment.ts'
import { untilListening } from '../listeners.ts'
import { createWorld, type World } from '../world.ts'
import { segmentCalls } from './segment-calls.ts'

let world: World
let now = new Date('2026-06-15T12:00:00.000Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const { identify, createSegment, profiles } = segmentCalls(() => world)

const track = (externalId: string) =>
  world.post('/v1/user-journeys/events', world.keys.public, {
    externalId,
    category: 'CUSTOM',
    eventType: 'x',
  })

describe('the list of profiles', () => {
  it('is filtered by stage, tier, tag, country, device and source', async () => {
    await identify('a', { country: 'DE', device: 'mobile', source: 'ad', tags: { plan: 'pro' } })
    await identify('b', { country: 'DE', device: 'desktop', tags: { plan: 'free', beta: true } })
    await identify('c', { country: 'FR', source: 'ad' })
    await world.post('/v1/user-journeys/track', world.keys.public, {
      events: Array.from({ length: 6 }, (_, i) => ({
        externalId: 'd',
        category: 'GAME_PLAY',
        eventType: 'x',
        reference: `${i}`,
      })),
    })
    expect(await profiles({})).toEqual(['a', 'b', 'c', 'd'])
    expect(await profiles({ countries: ['DE'] })).toEqual(['a', 'b'])
    expect(await profiles({ devices: ['DESKTOP'] })).toEqual(['b'])
    expect(await profiles({ sources: ['ad'], countries: ['FR'] })).toEqual(['c'])
    expect(await profiles({ tag: 'plan' })).toEqual(['a', 'b'])
    expect(await profiles({ tag: 'plan', tagValue: 'pro' })).toEqual(['a'])
    expect(await profiles({ tag: 'beta', tagValue: 'true' })).toEqual(['b'])
    expect(await profiles({ stages: ['NEW'] })).toEqual(['a', 'b', 'c'])
    expect(await profiles({ stages: ['ACTIVE'] })).toEqual(['d'])
    expect(await profiles({ engagementTiers: ['REGULAR'] })).toEqual(['d'])
    expect(await profiles({ engagementTiers: ['WHALE'] })).toEqual([])
    expect(await profiles({}, world.partner.live)).toEqual([])
  })

  it('needs the secret key', async () => {
    const by = { public: world.keys.public }
    const refused = await world.graphql('{ users { totalCount { value } } }', {}, by)
    expect(refused.body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
  })
})

describe('a segment', () => {
  it('is found by a part of its name, in any case', async () => {
    const names = ['Alpine walkers', 'Alpine skiers', '50%_off']
    const made = []
    for (const name of names) made.push((await createSegment({ name, country: 'CH' })).segment.id)
    const search = async (text: string) => {
      const { body } = await world.graphql(
        `query ($text: String) { segments(filter: { search: $text }, orderBy: { field: NAME, direction: ASC }) {
          totalCount { value } nodes { name } } }`,
        { text },
      )
      const { nodes, totalCount } = body.data.segments
      expect(totalCount.value).toBe(nodes.length)
      return nodes.map(({ name }: { name: string }) => name)
    }
    expect(await search('aLPine')).toEqual(['Alpine skiers', 'Alpine walkers'])
    expect(await search('%_')).toEqual(['50%_off'])
    expect(await search('nobody')).toEqual([])
    for (const id of made)
      await world.graphql(
        `mutation { deleteSegment(input: { segment: { id: "${id}" } }) { __typename } }`,
      )
  })

  it('has a live count and its profiles', async () => {
    const { segment: made } = await createSegment({ name: 'Germans', country: 'DE' })
    expect(made.users.totalCount.value).toBe(2)
    await identify('e', { country: 'DE' })
    const { body } = await world.graphql(
      '{ segments { nodes { name country users { totalCount { value } nodes { externalId } } } } }',
    )
    const [segment] = body.data.segments.nodes
    expect(segment).toMatchObject({ name: 'Germans', country: 'DE' })
    expect(segment.users).toMatchObject({ totalCount: { value: 3 }, nodes: [{}, {}, {}] })
    const found = await world.graphql('{ segment(by: { name: "Germans" }) { id } }')
    expect(found.body.data.segment).toEqual({ id: made.id })
    const remove = `mutation { deleteSegment(input: { segment: { id: "${made.id}" } }) {
      __typename ... on DeleteSegmentPayload { deletedId segment { id } } } }`
    const foreign = await world.graphql(remove, {}, world.partner.live)
    expect(foreign.body.data.deleteSegment.__typename).toBe('NotFoundError')
    expect((await world.graphql(remove)).body.data.deleteSegment.deletedId).toBe(made.id)
    expect((await world.graphql(remove)).body.data.deleteSegment.__typename).toBe('NotFoundError')
  })

  it('needs a filter and a unique name', async () => {
    const payload = 'CreateSegmentPayload'
    expect(await createSegment({ name: 'Everybody' })).toMatchObject({
      errors: [{ path: ['stage'] }],
    })
    expect(await createSegment({ name: 'x', tagValue: 'y' })).toMatchObject({
      errors: [{ path: ['tagValue'] }],
    })
    expect((await createSegment({ name: 'Mine', stage: 'NEW' })).__typename).toBe(payload)
    expect((await createSegment({ name: 'Mine', stage: 'NEW' })).code).toBe('SEGMENT_NAME_TAKEN')
    expect(
      (await createSegment({ name: 'Mine', stage: 'NEW' }, world.partner.live)).__typename,
    ).toBe(payload)
  })

  it('can be changed: null clears a field, and a field that is not given is kept', async () => {
    const { segment: made } = await createSegment({ name: 'Old', country: 'FR', source: 'ad' })
    const update = async (input: object, by = world.keys) =>
      (
        await world.graphql(
          `mutation ($input: UpdateSegmentInput!) { updateSegment(input: $input) { __typename
            ... on UpdateSegmentPayload { segment { name country source stage tag tagValue
              users { nodes { externalId } } } }
            ... on ValidationError { errors { path message } } ... on Error { code } } }`,
          { input: { segment: { id: made.id }, ...input } },
          by,
        )
      ).body.data.updateSegment
    const rest = { stage: null, tag: null, tagValue: null }
    const nodes = ['c'].map((externalId) => ({ externalId }))
    expect((await update({ name: 'New' })).segment).toEqual({
      ...rest,
      name: 'New',
      country: 'FR',
      source: 'ad',
      users: { nodes },
    })
    expect((await update({ country: null, name: null })).segment).toMatchObject({
      name: 'New',
      country: null,
      source: 'ad',
      users: { nodes: [{}, {}] },
    })
    expect(await update({ source: null })).toMatchObject({ errors: [{ path: ['stage'] }] })
    expect(await update({ tagValue: 'pro' })).toMatchObject({ errors: [{ path: ['tagValue'] }] })
    await update({ tag: 'plan', tagValue: 'pro' })
    expect(await update({ tag: null })).toMatchObject({ errors: [{ path: ['tagValue'] }] })
    expect((await update({}, world.partner.live)).code).toBe('SEGMENT_NOT_FOUND')
    await createSegment({ name: 'Taken', stage: 'NEW' })
    expect((await update({ name: 'Taken' })).code).toBe('SEGMENT_NAME_TAKEN')
    expect((await update({ segment: { name: 'New' } })).segment).toMatchObject({
      name: 'New',
      country: null,
      source: 'ad',
      tag: 'plan',
      tagValue: 'pro',
    })
  })

  it('streams who enters and leaves, by profile data, activity and time', async () => {
    const { segment } = await createSegment({
      name: 'At risk in Austria',
      stage: 'AT_RISK',
      country: 'AT',
    })
    const by = { name: segment.name }
    const controller = new AbortController()
    const follow = await followSegment(world.runtime, world.tenant, by)
    const listens = untilListening(world, 'segment')
    const stream = follow(controller.signal)
    const moves: [string, string][] = []
    const listening = (async () => {
      for await (const { move, userId } of stream) {
        const user = await world.runtime.db.endUser.findUniqueOrThrow({ where: { id: userId } })
        moves.push([user.externalId, move])
      }
    })()
    const until = async (count: number) => {
      for (let i = 0; i < 400 && moves.length < count; i++)
        await new Promise((resolve) => setTimeout(resolve, 50))
      expect(moves).toHaveLength(count)
    }
    await until(0)
    await listens
    await identify('f', { country: 'AT' })
    await track('f')
    await identify('g', { country: 'CH' })
    now = new Date(now.getTime() + 14 * dayMs)
    await journeyJobs[0]?.run(world.runtime)
    await until(1)
    await identify('g', { country: 'AT' })
    await until(2)
    await track('f')
    await until(3)
    await identify('g', { country: 'CH' })
    await until(4)
    expect(moves).toEqual([
      ['f', 'entered'],
      ['g', 'entered'],
      ['f', 'left'],
      ['g', 'left'],
    ])
    controller.abort()
    await listening
    await expect(
      followSegment(world.runtime, { ...world.tenant, environment: 'LIVE' }, by),
    ).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' })
  })
})

describe('segmentChanges over a WebSocket', () => {
  const query = `subscription ($id: ID!, $after: SafeInt) {
    segmentChanges(by: { id: $id }, afterPosition: $after) {
    position kind changedAt user { externalId journey { country } } } }`
  const connect = (params: Record<string, string>) =>
    createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: params,
    })

  it('streams who enters and leaves, with their profile', async () => {
    const { segment } = await createSegment({ name: 'Swedes', country: 'SE' })
    const client = connect({ 'x-api-secret': world.keys.secret })
    const moves = client.iterate({ query, variables: { id: segment.id } })
    const listens = untilListening(world, 'segment')
    const first = moves.next()
    await listens
    await identify('sven', { country: 'SE' })
    const changedAt = now.toISOString()
    expect((await first).value.data.segmentChanges).toEqual({
      position: expect.any(Number),
      kind: 'ENTERED',
      changedAt,
      user: { externalId: 'sven', journey: { country: 'SE' } },
    })
    await identify('sven', { country: '' })
    const left = {
      position: expect.any(Number),
      kind: 'LEFT',
      changedAt,
      user: { externalId: 'sven', journey: { country: null } },
    }
    expect((await moves.next()).value.data.segmentChanges).toEqual(left)

    // After a broken connection, the stream continues after the last position.
    const rest = client.iterate({ query, variables: { id: segment.id, after: 0 } })
    const { position } = (await rest.next()).value.data.segmentChanges
    const later = client.iterate({ query, variables: { id: segment.id, after: position } })
    expect((await later.next()).value.data.segmentChanges).toEqual(left)
    await client.dispose()
  })

  it('is refused for a segment of another environment and with a public key', async () => {
    const { segment } = await createSegment({ name: 'Danes', country: 'DK' })
    const refused = async (params: Record<string, string>) => {
      const client = connect(params)
      const { value } = await client.iterate({ query, variables: { id: segment.id } }).next()
      await client.dispose()
      return value.errors[0].extensions.code
    }
    expect(await refused({ 'x-api-secret': world.partner.live.secret })).toBe('SEGMENT_NOT_FOUND')
    expect(await refused({ 'x-api-key': world.keys.public })).toBe('MISSING_API_SECRET')
  })
})

describe('the classification rules', () => {
  const set = async (input: object) =>
    (
      await world.graphql(
        `mutation ($input: SetClassificationRulesInput!) { setClassificationRules(input: $input) {
          ... on SetClassificationRulesPayload { classificationRules { newMaxEvents recencyWeight } }
          ... on ValidationError { errors { path } } } }`,
        { input },
      )
    ).body.data.setClassificationRules

  it('can be changed, which classifies all users again', async () => {
    for (let i = 0; i < 5; i++) await track('h')
    expect(await profiles({ stages: ['ACTIVE'] })).toContain('h')
    expect(await set({ newMaxEvents: 10 })).toEqual({
      classificationRules: { newMaxEvents: 10, recencyWeight: 30 },
    })
    const { classificationSettings } = world.runtime.db
    const where = { partnerId: world.tenant.partnerId }
    expect(await classificationSettings.findMany({ where, select: { rules: true } })).toEqual([
      { rules: { newMaxEvents: 10 } },
    ])
    await journeyJobs[0]?.run(world.runtime)
    expect(await profiles({ stages: ['NEW'] })).toContain('h')
    await set({})
    await journeyJobs[0]?.run(world.runtime)
    expect(await profiles({ stages: ['ACTIVE'] })).toContain('h')
  })

  it('must be consistent', async () => {
    expect(await set({ recencyWeight: 50 })).toMatchObject({
      errors: [{ path: ['recencyWeight'] }],
    })
    expect(await set({ atRiskDays: 40 })).toMatchObject({ errors: [{ path: ['atRiskDays'] }] })
    expect(await set({ newDays: 0 })).toMatchObject({ errors: [{ path: ['newDays'] }] })
  })
})
