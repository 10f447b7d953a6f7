import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-06-15T12:00:00.000Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const root = '/v1/user-journeys'
const track = (body: unknown, key = world.keys.public) => world.post(`${root}/events`, key, body)
const trackAll = (events: unknown[]) => world.post(`${root}/track`, world.keys.public, { events })
const profile = async (externalId: string) =>
  (await world.get(`${root}/users/${externalId}`, world.keys.public)).body.data
const timeline = (externalId: string, query = '', key = world.keys.public) =>
  world.get(`${root}/users/${externalId}/timeline${query}`, key)

const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
const minute = 60_000
const day = 24 * 60 * minute
const event = { externalId: 'anna', category: 'CUSTOM', eventType: 'level_up' }

describe('POST /v1/user-journeys/events', () => {
  it('returns every documented field and creates a minimal profile', async () => {
    const full = {
      ...event,
      sourceId: 'level-7',
      points: 25,
      reference: 'e-1',
      metadata: { zebra: 1, apple: [null, { deep: 'é' }] },
      occurredAt: at(-minute),
    }
    const { status, body } = await track(full)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          partnerId: world.partner.partnerId,
          environment: 'TEST',
          ...full,
        },
      },
    })
    expect(JSON.stringify(body.data.metadata)).toBe(JSON.stringify(full.metadata))
    expect(await profile('anna')).toMatchObject({
      totalEvents: 1,
      firstSeenAt: at(-minute),
      lastSeenAt: at(-minute),
      displayName: '',
      phone: '',
      lifecycleStage: 'new',
      pointsEarned7d: 25,
    })
  })

  it('has defaults: now, no points, empty texts', async () => {
    const { data } = (await track({ ...event, externalId: 'bare' })).body
    expect(data).toMatchObject({
      sourceId: '',
      points: 0,
      reference: '',
      metadata: {},
      occurredAt: now.toISOString(),
    })
    const nulls = {
      sourceId: null,
      points: null,
      reference: null,
      metadata: null,
      occurredAt: null,
    }
    expect((await track({ ...event, externalId: 'bare', ...nulls })).body.data).toEqual({
      ...data,
      id: expect.any(String),
    })
    const empty = { sourceId: '', reference: '' }
    for (let i = 0; i < 2; i++)
      expect((await track({ ...event, externalId: 'bare', ...empty })).body.data.reference).toBe('')
    const both = Array.from({ length: 2 }, () => ({ ...event, externalId: 'bare', ...empty }))
    expect((await trackAll(both)).body.data).toMatchObject({ accepted: 2, duplicates: 0 })
    expect((await profile('bare')).totalEvents).toBe(6)
  })

  it('records points without changing the balance', async () => {
    await world.givePoints('rich', 1)
    const earn = { ...event, externalId: 'rich', category: 'POINTS' }
    expect((await track({ ...earn, points: 5000 })).status).toBe(200)
    expect((await track({ ...earn, points: -70 })).body.data.points).toBe(-70)
    const balance = await world.get('/v1/users/rich/balance', world.keys.secret)
    expect(balance.body.data.totalPoints).toBe(100)
    expect((await profile('rich')).pointsEarned30d).toBe(5100)
  })

  it('with a reference that was sent before returns the stored event', async () => {
    const first = await track({ ...event, externalId: 'ref', reference: 'r', points: 1 })
    const again = await track({ ...event, externalId: 'ref', reference: 'r', points: 2 })
    expect([again.status, again.body]).toEqual([200, first.body])
    const other = await track({ ...event, externalId: 'ref-2', reference: 'r', points: 3 })
    expect(other.body.data).toMatchObject({ externalId: 'ref-2', points: 3 })
    const live = await track(
      { ...event, externalId: 'ref', reference: 'r' },
      world.partner.live.public,
    )
    expect(live.body.data).toMatchObject({ environment: 'LIVE', points: 0 })
    expect((await profile('ref')).totalEvents).toBe(1)
  })

  it('fifty simultaneous calls with one reference for a new user are one event', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        track({ ...event, externalId: 'rush', reference: 'same', points: i }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await profile('rush')).toMatchObject({ totalEvents: 1 })
    expect((await timeline('rush')).body.data.total).toBe(1)
  })

  it('keeps late events in order, without moving lastSeenAt back', async () => {
    const times = [0, -40 * day, -minute, -3 * day, 5 * minute, -3 * day]
    for (const ms of times)
      expect((await track({ ...event, externalId: 'late', occurredAt: at(ms) })).status).toBe(200)
    const { events } = (await timeline('late')).body.data
    const shown = events.map(({ occurredAt }: { occurredAt: string }) => occurredAt)
    expect(shown).toEqual([...times].sort((a, b) => b - a).map(at))
    expect(await profile('late')).toMatchObject({
      firstSeenAt: at(-40 * day),
      lastSeenAt: at(5 * minute),
      lifecycleStage: 'active',
    })
  })

  it.each([
    [5 * minute, 200],
    [5 * minute + 1, 400],
    [365 * day, 400],
  ])('%i ms ahead is %i', async (ms, status) => {
    const answer = await track({ ...event, externalId: 'ahead', occurredAt: at(ms) })
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(answer.body.errors).toEqual([
        {
          field: 'occurredAt',
          code: 'invalid',
          message: 'occurredAt must be at most 5 minutes ahead',
        },
      ])
  })

  it.each([
    [{}, ['externalId', 'category', 'eventType']],
    [{ ...event, externalId: undefined }, ['externalId']],
    [{ ...event, category: undefined }, ['category']],
    [{ ...event, eventType: undefined }, ['eventType']],
    [{ ...event, category: 'OTHER' }, ['category']],
    [{ ...event, points: 1.5, metadata: [] }, ['points', 'metadata']],
    [{ ...event, points: 2 ** 31 }, ['points']],
    [{ ...event, points: '5' }, ['points']],
    [{ ...event, reference: 'x'.repeat(256), eventType: '' }, ['eventType', 'reference']],
    [{ ...event, eventType: 'a\0b' }, ['eventType']],
    [{ ...event, sourceId: 'a\0b' }, ['sourceId']],
    [{ ...event, sourceId: '\ud800' }, ['sourceId']],
    [{ ...event, metadata: { 'a\0': 1 } }, ['metadata']],
    [{ ...event, metadata: { big: 'x'.repeat(16_400) } }, ['metadata']],
    [{ ...event, occurredAt: 'yesterday' }, ['occurredAt']],
    [{ ...event, occurredAt: 1_700_000_000 }, ['occurredAt']],
    [{ ...event, occurredAt: '+300000-01-01T00:00:00Z' }, ['occurredAt']],
    [{ ...event, occurredAt: '+200000-01-01T00:00:00Z' }, ['occurredAt']],
    [{ ...event, occurredAt: '-000001-01-01T00:00:00Z' }, ['occurredAt']],
    [{ ...event, occurredAt: '0000-01-01T00:00:00Z' }, ['occurredAt']],
  ])('%j is 400 and names the bad fields', async (body, fields) => {
    const answer = await track(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ message: 'Invalid request body', code: 400 })
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })
})

describe('POST /v1/user-journeys/track', () => {
  it('returns a result for each event in order; invalid ones fail alone', async () => {
    await track({ ...event, externalId: 'batch', reference: 'old' })
    const { status, body } = await trackAll([
      { ...event, externalId: 'batch', reference: 'a' },
      { ...event, externalId: 'batch', reference: 'old' },
      { ...event, externalId: 'batch', category: 'NO', eventType: '' },
      null,
      'text',
      [],
      { ...event, externalId: 'batch', reference: 'a', points: 9 },
      { ...event, externalId: 'batch', occurredAt: at(5 * minute + 1) },
      { ...event, externalId: 'batch', occurredAt: at(-90 * day) },
      { ...event, externalId: 'batch', occurredAt: '+300000-01-01T00:00:00Z' },
      { ...event, externalId: 'batch-2', reference: 'a' },
    ])
    expect(status).toBe(200)
    const { results, ...counts } = body.data
    expect(body).toEqual({ status: 'success', data: expect.anything() })
    expect(counts).toEqual({ received: 11, accepted: 3, duplicates: 2, rejected: 6 })
    const of = (index: number, status: string) => ({ index, status, id: expect.any(String) })
    const bad = (index: number, error: string) => ({ index, status: 'rejected', error })
    expect(results).toEqual([
      of(0, 'created'),
      of(1, 'duplicate'),
      bad(
        2,
        'category must be one of GAME_PLAY, CAMPAIGN, POINTS, PAGE_VIEW, SESSION, CUSTOM; eventType must not be empty',
      ),
      ...[3, 4, 5].map((index) => bad(index, 'The event must be an object')),
      of(6, 'duplicate'),
      bad(7, 'occurredAt must be at most 5 minutes ahead'),
      of(8, 'created'),
      bad(9, 'occurredAt must be a moment in ISO 8601'),
      of(10, 'created'),
    ])
    expect(results[6].id).toBe(results[0].id)
    const { data } = (await timeline('batch')).body
    expect(data.total).toBe(3)
    expect(data.events.at(-1).occurredAt).toBe(at(-90 * day))
  })

  it('reads a time without a zone as UTC, like the single call', async () => {
    vi.stubEnv('TZ', 'America/New_York')
    expect(new Date('2026-06-01T10:00:00').getUTCHours()).toBe(14)
    const late = { ...event, externalId: 'zone', occurredAt: '2026-06-01T10:00:00' }
    await trackAll([late])
    await track(late)
    vi.unstubAllEnvs()
    const { events } = (await timeline('zone')).body.data
    expect(events.map(({ occurredAt }: { occurredAt: string }) => occurredAt)).toEqual([
      '2026-06-01T10:00:00.000Z',
      '2026-06-01T10:00:00.000Z',
    ])
  })

  it('accepts 500 events and refuses 501, none, and anything that is not a list', async () => {
    const events = Array.from({ length: 501 }, (_, i) => ({
      ...event,
      externalId: `many-${i % 7}`,
      reference: `${i}`,
      occurredAt: at(-((i * 7919) % 500) * minute),
    }))
    const { data } = (await trackAll(events.slice(1))).body
    expect(data).toMatchObject({ received: 500, accepted: 500, duplicates: 0, rejected: 0 })
    const again = (await trackAll(events.slice(1))).body.data
    expect(again).toMatchObject({ received: 500, accepted: 0, duplicates: 500, rejected: 0 })
    for (const body of [{ events }, { events: [] }, { events: {} }, { events: null }, {}, []]) {
      const answer = await world.post(`${root}/track`, world.keys.public, body)
      expect(answer.status).toBe(400)
      expect(answer.body.message).toBe('Invalid request body')
    }
    expect((await profile('many-3')).totalEvents).toBeGreaterThan(70)
  })

  it('accepts 500 KB and refuses more than 512 KB before reading it', async () => {
    const metadata = { pad: 'x'.repeat(15_000) }
    const events = Array.from({ length: 33 }, () => ({ ...event, externalId: 'fat', metadata }))
    expect((await trackAll(events)).body.data.accepted).toBe(33)
    const answer = await trackAll([...events, ...events.slice(0, 3)])
    expect(answer.status).toBe(413)
    expect(answer.body).toMatchObject({ code: 413, status: 'error' })
    expect((await track({ ...event, metadata, pad: 'x'.repeat(260_000) })).status).toBe(413)
  })

  it('simultaneous calls with overlapping references lose and repeat nothing', async () => {
    const events = (caller: number) =>
      Array.from({ length: 60 }, (_, i) => ({
        ...event,
        externalId: `hot-${i % 5}`,
        reference: `r-${i}`,
        points: caller,
        occurredAt: at(-((i * 31) % 60) * 10 * minute),
      }))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => trackAll(i % 2 ? events(i) : events(i).reverse())),
    )
    const sum = (name: string) => answers.reduce((n, { body }) => n + body.data[name], 0)
    expect([sum('accepted'), sum('duplicates'), sum('rejected')]).toEqual([60, 660, 0])
    for (let i = 0; i < 5; i++) expect((await profile(`hot-${i}`)).totalEvents).toBe(12)
  })
})

describe('the timeline', () => {
  it('shows plays and awards automatically, with their sources', async () => {
    await world.givePoints('gamer', 1)
    const play = await world.post('/v1/games/play', world.keys.public, {
      userId: 'gamer',
      gameType: 'ENIGMA_BOXES',
    })
    const { data } = (await timeline('gamer')).body
    expect(data).toMatchObject({ total: 2, page: 1, limit: 20 })
    const byCategory = Object.fromEntries(
      data.events.map((line: { category: string }) => [line.category, line]),
    )
    expect(byCategory.GAME_PLAY).toMatchObject({
      eventType: 'game_play',
      sourceId: play.body.data.playId,
    })
    expect(byCategory.POINTS).toMatchObject({ eventType: 'signup', points: 100, reference: '' })
  })

  it('shows campaign events automatically, and counts distinct campaigns', async () => {
    const slugs = [
      await makeCampaign(world, 'summer-sale'),
      await makeCampaign(world, 'summer-sale'),
    ]
    for (const slug of [...slugs, ...slugs])
      expect((await callsTo(world).buy(slug, 'joiner')).status).toBe(200)
    const { events } = (await timeline('joiner')).body.data
    const lines = events.filter(({ category }: { category: string }) => category === 'CAMPAIGN')
    expect(lines).toHaveLength(4)
    expect(new Set(lines.map(({ sourceId }: { sourceId: string }) => sourceId)).size).toBe(2)
    expect((await profile('joiner')).campaignsJoined).toBe(2)
  })

  it('has documented pages, and the same with cursors', async () => {
    const events = Array.from({ length: 45 }, (_, i) => ({
      ...event,
      externalId: 'pages',
      eventType: `e${i}`,
      occurredAt: at(-Math.floor(i / 3) * minute),
    }))
    await trackAll(events)
    const ids = async (query: string) =>
      (await timeline('pages', query)).body.data.events.map(({ id }: { id: string }) => id)
    const all = await ids('?limit=100')
    expect(all).toHaveLength(45)
    const pages = await Promise.all([1, 2, 3, 4].map((page) => ids(`?page=${page}&limit=15`)))
    expect(pages.flat()).toEqual(all)
    expect((await timeline('pages', '?limit=1000')).body.data.limit).toBe(100)
    const walked: string[] = []
    for (let after: string | null = null; walked.length < 45; ) {
      const { body } = await world.graphql(
        `query ($after: String) { user(by: { externalId: "pages" }) {
          activities(first: 7, after: $after) { totalCount { value } nodes { id: uuid } pageInfo { endCursor } } } }`,
        { after },
      )
      const { nodes, pageInfo, totalCount } = body.data.user.activities
      expect([totalCount.value, nodes.length > 0]).toEqual([45, true])
      walked.push(...nodes.map(({ id }: { id: string }) => id))
      after = pageInfo.endCursor
    }
    expect(walked).toEqual(all)
  })

  it.each(['page=0', 'limit=x', 'page=-1'])('with %s is 400', async (query) => {
    expect((await timeline('pages', `?${query}`)).status).toBe(400)
  })

  it('of an unknown user or another environment is 404', async () => {
    expect(await timeline('nobody')).toMatchObject({
      status: 404,
      body: { message: 'User not found' },
    })
    expect((await timeline('pages', '', world.partner.live.public)).status).toBe(404)
  })
})

it('needs the public key; a secret key is accepted for events only', async () => {
  for (const path of ['users', 'events', 'track']) {
    const missing = await world.post(`${root}/${path}`, undefined, {})
    expect([missing.status, missing.body.message]).toEqual([401, 'Missing X-API-Key header'])
    const { status } = await world.post(`${root}/${path}`, world.keys.secret, {})
    expect(status).toBe(path === 'users' ? 401 : 400)
  }
  expect((await world.get(`${root}/users/anna`)).status).toBe(401)
})

it('the mean pause between sessions counts pauses of 30 minutes or more', async () => {
  const times = [0, 29, 59, 60, 120, 150].map((minutes) => at((minutes - 600) * minute))
  await trackAll([3, 0, 5].map((i) => ({ ...event, externalId: 'rests', occurredAt: times[i] })))
  for (const i of [4, 1, 2]) await track({ ...event, externalId: 'rests', occurredAt: times[i] })
  // 29→59 and 120→150 are 30, 60→120 is 60.
  expect((await profile('rests')).avgSessionGapMin).toBe(40)
  now = new Date(now.getTime() + 1)
})
