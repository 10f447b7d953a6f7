import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const users = '/v1/user-journeys/users'
const identify = (body: unknown, key = world.keys.public) => world.post(users, key, body)
const profile = (externalId: string, key = world.keys.public) =>
  world.get(`${users}/${encodeURIComponent(externalId)}`, key)

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const enrichment = {
  displayName: 'Anna',
  email: 'anna@example.com',
  phone: '+1 555 0100',
  country: 'DE',
  device: 'mobile',
  source: 'newsletter',
  tags: { plan: 'pro', level: 3 },
  metadata: { nested: { list: [1, 'two'] } },
}

describe('POST /v1/user-journeys/users', () => {
  it('creates a profile with every documented field, in the short envelope', async () => {
    const { status, body } = await identify({ externalId: 'anna', ...enrichment })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          partnerId: world.partner.partnerId,
          externalId: 'anna',
          environment: 'TEST',
          ...enrichment,
          firstSeenAt: moment,
          lastSeenAt: body.data.firstSeenAt,
          lifecycleStage: 'new',
          engagementTier: 'casual',
          engagementScore: 30,
          totalPlays: 0,
          plays7d: 0,
          plays30d: 0,
          pointsEarned7d: 0,
          pointsEarned30d: 0,
          campaignsJoined: 0,
          winRate: 0,
          totalEvents: 0,
        },
      },
    })
  })

  it('with an id alone has empty texts and objects', async () => {
    const { data } = (await identify({ externalId: 'bare' })).body
    expect(data).toMatchObject({
      displayName: '',
      email: '',
      phone: '',
      country: '',
      device: '',
      source: '',
      tags: {},
      metadata: {},
    })
  })

  it('sent again changes the given fields and keeps the rest; an empty text unsets', async () => {
    const first = (await identify({ externalId: 'ben', ...enrichment })).body.data
    const change = { displayName: 'Ben', phone: '', source: null, tags: { vip: true } }
    const { data } = (await identify({ externalId: 'ben', ...change })).body
    expect(data).toEqual({ ...first, displayName: 'Ben', phone: '', tags: { vip: true } })
    await identify({ externalId: 'ben', email: '', displayName: '' })
    expect((await profile('ben')).body.data).toMatchObject({ email: '', displayName: '' })
    const nothing = { country: '', device: '', source: '' }
    expect((await identify({ externalId: 'ben', ...nothing })).body.data).toMatchObject(nothing)
    expect((await profile('ben')).body.data).toMatchObject(nothing)
    const balance = await world.get('/v1/users/ben/balance', world.keys.secret)
    expect(balance.body.data).toMatchObject({ displayName: null, metadata: enrichment.metadata })
  })

  it('for a user who was awarded points changes the same user', async () => {
    await world.givePoints('cleo', 2)
    const { data } = (await identify({ externalId: 'cleo', country: 'FR' })).body
    expect(data).toMatchObject({ totalEvents: 2, pointsEarned7d: 200, country: 'FR' })
  })

  it('in LIVE changes another user than in TEST', async () => {
    await identify({ externalId: 'finn', country: 'AT' })
    const { live } = world.partner
    expect((await profile('finn', live.public)).status).toBe(404)
    await identify({ externalId: 'finn', country: 'CH' }, live.public)
    expect((await profile('finn')).body.data.country).toBe('AT')
    expect((await profile('finn', live.public)).body.data).toMatchObject({
      country: 'CH',
      environment: 'LIVE',
    })
  })

  it('takes a country in lower case, and Kosovo, which ISO has not assigned', async () => {
    for (const [sent, kept] of [
      ['de', 'DE'],
      ['gB', 'GB'],
      ['XK', 'XK'],
      ['xk', 'XK'],
    ]) {
      const answer = await identify({ externalId: 'gil', country: sent })
      expect([answer.status, answer.body.data.country]).toEqual([200, kept])
      const document = `mutation ($input: TrackUserInput!) { trackUser(input: $input) {
        ... on TrackUserPayload { user { journey { country } } } } }`
      const input = { user: { externalId: 'hal' }, country: sent }
      const { body } = await world.graphql(document, { input })
      expect(body.data.trackUser.user.journey.country).toBe(kept)
      const list = `{ users(filter: { countries: ["${sent}"] }) { nodes { externalId } } }`
      const found = await world.graphql(list)
      expect(found.body.data.users.nodes).toContainEqual({ externalId: 'hal' })
    }
  })

  it.each([
    [{}, ['externalId']],
    [{ externalId: '' }, ['externalId']],
    [{ externalId: 'x'.repeat(256) }, ['externalId']],
    [{ externalId: 'a', phone: '1'.repeat(21) }, ['phone']],
    [{ externalId: 'a', country: 'XX' }, ['country']],
    [{ externalId: 'a', country: 'deu', device: 'watch' }, ['country', 'device']],
    [{ externalId: 'a', email: 'nobody', tags: [], metadata: 'x' }, ['email', 'tags', 'metadata']],
    [{ externalId: 'a', tags: { big: 'x'.repeat(17_000) } }, ['tags']],
    [{ externalId: 7, displayName: false, source: {} }, ['externalId', 'displayName', 'source']],
  ])('%j is 400 and names all bad fields', async (body, fields) => {
    const answer = await identify(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ message: 'Invalid request body', code: 400 })
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })

  it.each([
    ['nothing', undefined],
    ['a list', []],
    ['text', '"text"'],
    ['null', 'null'],
  ])('%s instead of an object is 400', async (_, body) => {
    const answer = await identify(body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('Invalid request body')
  })

  it('fifty simultaneous calls create one user', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        identify({ externalId: 'rush', [i % 2 ? 'phone' : 'source']: `v${i}` }),
      ),
    )
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    const { data } = (await profile('rush')).body
    expect([data.phone, data.source]).toEqual([
      expect.stringMatching(/^v/),
      expect.stringMatching(/^v/),
    ])
  })
})

describe('GET /v1/user-journeys/users/{externalId}', () => {
  it('adds recommendations and the mean pause between sessions', async () => {
    const made = (await identify({ externalId: 'gus' })).body.data
    const { status, body } = await profile('gus')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      data: {
        ...made,
        engagementScore: expect.any(Number),
        avgSessionGapMin: 0,
        recommendations: [
          {
            type: 'spin_to_win',
            name: 'Welcome Bonus Spin',
            reason: expect.any(String),
            priority: 'high',
          },
          {
            type: 'first_action_reward',
            name: 'First Action Reward',
            reason: expect.any(String),
            priority: 'medium',
          },
        ],
      },
    })
  })

  it.each(['nobody', 'ANNA', '%00', '\ud83d\ude00', 'x'.repeat(300)])(
    'of an unknown user (%j) is 404',
    async (externalId) => {
      const { status, body } = await world.get(
        `${users}/${externalId === '%00' ? externalId : encodeURIComponent(externalId)}`,
        world.keys.public,
      )
      expect({ status, body }).toMatchObject({
        status: 404,
        body: { message: 'User not found', code: 404, status: 'error' },
      })
    },
  )

  it('counts plays and their prizes, not their costs', async () => {
    await world.givePoints('player', 30)
    const values: { points: number; won: boolean }[] = []
    for (let i = 0; i < 40; i++) {
      const { body } = await world.post('/v1/games/play', world.keys.public, {
        userId: 'player',
        gameType: 'NEON_WHEEL',
      })
      const { type, value } = body.data.reward
      values.push({ points: type === 'points' ? value : 0, won: value > 0 })
    }
    const earned = 3000 + values.reduce((sum, { points }) => sum + points, 0)
    const { data } = (await profile('player')).body
    expect(data).toMatchObject({
      totalPlays: 40,
      plays7d: 40,
      plays30d: 40,
      totalEvents: 70,
      engagementTier: 'power_user',
      pointsEarned7d: earned,
      pointsEarned30d: earned,
      lifecycleStage: 'power_user',
      winRate: values.filter(({ won }) => won).length / 40,
    })
    expect(data.recommendations.map(({ name }: { name: string }) => name)).toEqual([
      'Ambassador Program',
      'VIP Exclusive Rewards',
    ])
  })
})
