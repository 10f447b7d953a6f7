import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
import { dayMs } from '../../src/journeys/journey.rules.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-06-15T12:00:00.000Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const root = '/v1/user-journeys/users'
const hour = 3_600_000
const inHours = (hours: number) => new Date(now.getTime() + hours * hour).toISOString()
const create = (externalId: string, body: unknown = {}, key = world.keys.secret) =>
  world.post(`${root}/${externalId}/offers`, key, body)
const list = (externalId: string, key = world.keys.public) =>
  world.get(`${root}/${externalId}/offers`, key)
const claim = (externalId: string, offerId: string, key = world.keys.public) =>
  world.post(`${root}/${externalId}/offers/${offerId}/claim`, key)
const user = async () => {
  const externalId = `user-${randomUUID()}`
  await world.post(root, world.keys.public, { externalId })
  return externalId
}
const offerTo = async (externalId: string, more: object = {}) => {
  const { body } = await create(externalId, {
    offerType: 'welcome_bonus',
    pointsValue: 50,
    ...more,
  })
  return body.data.offer.id as string
}
const balance = async (externalId: string) =>
  (await world.get(`/v1/users/${externalId}/balance`, world.keys.secret)).body.data.totalPoints
const claimLines = async (externalId: string) =>
  (await world.get(`${root}/${externalId}/timeline`, world.keys.public)).body.data.events.filter(
    ({ eventType }: { eventType: string }) => eventType === 'offer_claimed',
  )

/** An activity of a user, as a client reports it. */
const act = (externalId: string) => {
  const activity = { externalId, category: 'CUSTOM', eventType: 'x' }
  return world.post('/v1/user-journeys/events', world.keys.public, activity)
}

describe('making an offer', () => {
  it('returns every documented field, and the public key lists the offer', async () => {
    const anna = await user()
    const offer = {
      offerType: 'welcome_free_play',
      gameType: 'NEON_WHEEL',
      title: 'Spin for free',
      description: 'Once, on us',
      pointsValue: 50,
      metadata: { campaign: 'spring' },
    }
    const { status, body } = await create(anna, { ...offer, expiresAt: inHours(5) })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: {
          offer: {
            id: expect.stringMatching(/^[\da-f-]{36}$/),
            externalId: anna,
            ...offer,
            status: 'active',
            expiresAt: inHours(5),
            claimedAt: null,
          },
        },
      },
    })
    expect((await list(anna)).body).toEqual({
      status: 'success',
      data: { offers: [body.data.offer], total: 1, page: 1, limit: 20 },
    })
  })

  it('has defaults: 72 hours, a title, no points', async () => {
    const { offer } = (await create(await user(), { offerType: 'vip_play' })).body.data
    const defaults = { description: '', gameType: '', pointsValue: 0, metadata: {} }
    expect(offer).toMatchObject({ ...defaults, title: 'VIP play', expiresAt: inHours(72) })
  })

  it('a fourth active one is refused, until one is claimed or expires', async () => {
    const ben = await user()
    const first = await offerTo(ben)
    await offerTo(ben, { expiresAt: inHours(1) })
    await offerTo(ben)
    const refused = await create(ben, { offerType: 'vip_play' })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ errorCode: 'OFFER_LIMIT_REACHED', code: 409 })
    await claim(ben, first)
    expect((await create(ben, { offerType: 'vip_play' })).status).toBe(200)
    expect((await create(ben, { offerType: 'vip_play' })).status).toBe(409)
    now = new Date(now.getTime() + hour)
    expect((await create(ben, { offerType: 'vip_play' })).status).toBe(200)
    expect((await list(ben)).body.data.total).toBe(3)
  })

  it('thirty simultaneous calls create three', async () => {
    const rush = await user()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => create(rush, { offerType: 'daily_free_spin' })),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(409)]).toEqual([3, 27])
  })

  it('needs the secret key and a user who exists', async () => {
    const anna = await user()
    const body = { offerType: 'vip_play' }
    expect((await create(anna, body, world.keys.public)).status).toBe(401)
    for (const unknown of ['nobody', '%00', 'x'.repeat(300)])
      expect((await create(unknown, body)).body.message).toBe('User not found')
    expect((await create(anna, body, world.partner.live.secret)).status).toBe(404)
    expect((await list('nobody')).status).toBe(404)
  })

  it.each([
    [{}, ['offerType']],
    [{ offerType: 'gift' }, ['offerType']],
    [{ offerType: 'vip_play', pointsValue: -1, title: '' }, ['title', 'pointsValue']],
    [
      { offerType: 'vip_play', pointsValue: 2 ** 31, gameType: 'CHESS' },
      ['gameType', 'pointsValue'],
    ],
    [{ offerType: 'vip_play', creditsPoints: 'yes', metadata: 5 }, ['creditsPoints', 'metadata']],
    [{ offerType: 'vip_play', expiresAt: '2026-06-15T11:59:59.999Z' }, ['expiresAt']],
    [{ offerType: 'vip_play', expiresAt: '+300000-01-01T00:00:00Z' }, ['expiresAt']],
  ])('%j is 400 and names the bad fields', async (body, fields) => {
    const answer = await create(await user(), body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })
})

describe('claiming an offer', () => {
  it('returns the claimed offer, credits its points, and adds it to the timeline', async () => {
    const cleo = await user()
    const id = await offerTo(cleo, { pointsValue: 70 })
    const { status, body } = await claim(cleo, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'success',
      data: { offer: { id, externalId: cleo, status: 'claimed', claimedAt: now.toISOString() } },
    })
    expect(Object.keys(body.data)).toEqual(['offer'])
    expect(await balance(cleo)).toBe(70)
    expect(await claimLines(cleo)).toMatchObject([{ category: 'CUSTOM', points: 70, sourceId: id }])
    const history = await world.get(`/v1/users/${cleo}/history`, world.keys.secret)
    expect(history.body.data).toMatchObject([{ eventType: 'offer_claimed', points: 70 }])
    expect((await list(cleo)).body.data.offers).toEqual([])
    const { rows } = await world.server.database.pool.query({
      text: "SELECT data FROM event WHERE type = 'journey.offer_claimed' AND data->>'offerId' = $1",
      values: [id],
    })
    expect(rows.map(({ data }) => data)).toEqual([
      {
        offerId: id,
        userId: cleo,
        offerType: 'welcome_bonus',
        title: 'Welcome bonus',
        pointsValue: 70,
        creditsPoints: true,
        claimedAt: now.toISOString(),
      },
    ])
  })

  it('that credits no points only records them', async () => {
    const dora = await user()
    await claim(dora, await offerTo(dora, { pointsValue: 70, creditsPoints: false }))
    expect(await balance(dora)).toBe(0)
    expect(await claimLines(dora)).toMatchObject([{ points: 70 }])
  })

  it('fifty simultaneous calls are one claim, one event and one credit', async () => {
    const eve = await user()
    const id = await offerTo(eve)
    const answers = await Promise.all(Array.from({ length: 50 }, () => claim(eve, id)))
    const claimed = answers.filter(({ status }) => status === 200)
    expect(claimed).toHaveLength(1)
    for (const { status, body } of answers)
      if (status !== 200)
        expect(body).toMatchObject({ code: 400, message: 'Offer is no longer active' })
    expect(await balance(eve)).toBe(50)
    expect(await claimLines(eve)).toHaveLength(1)
  })

  it('at the same time as awards, plays and events of the same users breaks no invariant', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, user))
    const offers = await Promise.all(users.map((user) => offerTo(user)))
    await Promise.all(users.map((user) => world.givePoints(user, 3)))
    const work = users.flatMap((user, i) => [
      ...Array.from({ length: 5 }, () => claim(user, offers[i] as string)),
      ...Array.from({ length: 5 }, () => world.givePoints(user, 1)),
      ...Array.from({ length: 5 }, () =>
        world.post('/v1/games/play', world.keys.public, { userId: user, gameType: 'ENIGMA_BOXES' }),
      ),
      world.post('/v1/user-journeys/track', world.keys.public, {
        events: users.map((externalId) => ({ externalId, category: 'CUSTOM', eventType: 'x' })),
      }),
      create(user, { offerType: 'vip_play' }),
      journeyJobs[0]?.run(world.runtime),
    ])
    const answers = await Promise.all(work)
    for (const answer of answers) if (answer) expect(answer.status).toBeLessThan(500)
    for (const user of users) expect(await claimLines(user)).toHaveLength(1)
  })

  it('is refused with the documented messages', async () => {
    const [finn, other] = [await user(), await user()]
    const id = await offerTo(finn)
    const live = world.partner.live.public
    for (const answer of [
      await claim(finn, randomUUID()),
      await claim(finn, 'no-uuid'),
      await claim(finn, '%00'),
      await claim(other, id),
      await claim('nobody', id),
      await claim(finn, id, live),
      await claim(finn, id, (await world.createPartner()).test.public),
    ])
      expect([answer.status, answer.body]).toMatchObject([
        404,
        { message: 'Offer not found', code: 404, status: 'error' },
      ])
    expect((await claim(finn, id)).status).toBe(200)
    expect(await claim(finn, id)).toMatchObject({
      status: 400,
      body: { message: 'Offer is no longer active', code: 400, status: 'error' },
    })
  })

  it('is possible until the last millisecond before it expires', async () => {
    const gus = await user()
    const [first, second] = [
      await offerTo(gus, { expiresAt: inHours(1) }),
      await offerTo(gus, { expiresAt: inHours(1) }),
    ]
    now = new Date(now.getTime() + hour - 1)
    expect((await claim(gus, first)).status).toBe(200)
    now = new Date(now.getTime() + 1)
    const late = { status: 400, body: { message: 'Offer has expired', code: 400 } }
    expect(await claim(gus, second)).toMatchObject(late)
    expect((await list(gus)).body.data.total).toBe(0)
    await journeyJobs.find(({ name }) => name === 'expire-offers')?.run(world.runtime)
    expect(await claim(gus, second)).toMatchObject(late)
    expect((await claim(gus, first)).body.message).toBe('Offer is no longer active')
    const { body } = await world.graphql(
      `query ($id: String!) { user(by: { externalId: $id }) {
        offers(filter: { statuses: [EXPIRED] }) { totalCount { value } nodes { uuid status } } } }`,
      { id: gus },
    )
    expect(body.data.user.offers).toEqual({
      totalCount: { value: 1 },
      nodes: [{ uuid: second, status: 'EXPIRED' }],
    })
  })
})

describe('a rule of a stage', () => {
  const setRule = (input: object) =>
    world.graphql(
      `mutation ($input: SetOfferRuleInput!) { setOfferRule(input: $input) {
        ... on SetOfferRulePayload { offerRule { validHours cooldownDays title } } } }`,
      { input },
    )

  it('creates an offer for each user who enters it, once in its cooldown, up to three', async () => {
    const rule = { stage: 'AT_RISK', points: 20 }
    const first = await setRule({ ...rule, offerType: 'WIN_BACK_PLAY', validHours: 24 })
    const { offerRule } = first.body.data.setOfferRule
    expect(offerRule).toMatchObject({ validHours: 24, cooldownDays: 30 })
    for (const offerType of ['RETURN_BONUS', 'RETENTION_PLAY', 'MULTIPLIER_BONUS'])
      await setRule({ ...rule, offerType })
    const hal = await user()
    await act(hal)
    expect((await list(hal)).body.data.total).toBe(0)
    now = new Date(now.getTime() + 14 * dayMs)
    await journeyJobs[0]?.run(world.runtime)
    const made = (await list(hal)).body.data.offers
    expect(made).toHaveLength(3)
    expect(made.at(-1)).toMatchObject({ pointsValue: 20, status: 'active' })
    // The user returns and leaves again within the cooldown: no rule creates a second offer.
    await act(hal)
    now = new Date(now.getTime() + 14 * dayMs)
    await journeyJobs[0]?.run(world.runtime)
    expect((await list(hal)).body.data.offers).toHaveLength(1)
  })

  describe('credits points', () => {
    const track = (externalId: string, events: object[]) =>
      world.post('/v1/user-journeys/track', world.keys.public, {
        events: events.map((event) => ({ externalId, eventType: 'x', ...event })),
      })
    const plays = (n: number, points = 0) =>
      Array.from({ length: n }, () => ({ category: 'GAME_PLAY', points }))
    const claimAll = async (externalId: string) => {
      await journeyJobs[0]?.run(world.runtime)
      const { offers } = (await list(externalId)).body.data
      for (const { id } of offers) expect((await claim(externalId, id)).status).toBe(200)
      return offers.length as number
    }
    const playedBy = async (externalId: string, times: number) => {
      for (let i = 0; i < times; i++)
        await world.post('/v1/games/play', world.keys.public, {
          userId: externalId,
          gameType: 'ENIGMA_BOXES',
        })
    }
    const stage = async (externalId: string) =>
      (await world.get(`${root}/${externalId}`, world.keys.public)).body.data.lifecycleStage

    beforeAll(async () => {
      for (const stage of ['NEW', 'ENGAGED', 'POWER_USER', 'CHURNED'])
        await setRule({ stage, offerType: 'VIP_PLAY', points: 500 })
    })

    it('not for a stage that a caller with a public key invented', async () => {
      const eve = `eve-${randomUUID()}`
      await track(eve, [...plays(30), { category: 'CAMPAIGN', sourceId: 'spring' }])
      await track(eve, [{ category: 'POINTS', points: 1000 }])
      expect(await stage(eve)).toBe('power_user')
      expect(await claimAll(eve)).toBeGreaterThan(0)
      const gone = `gone-${randomUUID()}`
      await track(gone, [{ category: 'CUSTOM', occurredAt: inHours(-31 * 24) }])
      expect(await stage(gone)).toBe('churned')
      expect(await claimAll(gone)).toBe(1)
      const fresh = await user()
      expect(await stage(fresh)).toBe('new')
      expect(await claimAll(fresh)).toBe(1)
      for (const item of [eve, gone, fresh]) expect(await balance(item)).toBe(0)
    })

    it('not for a stage that a known user reached with invented events', async () => {
      const pia = `pia-${randomUUID()}`
      await world.givePoints(pia, 10)
      expect(await claimAll(pia)).toBe(0)
      const before = await balance(pia)
      await track(pia, [...plays(30), { category: 'CAMPAIGN', sourceId: 'spring' }])
      expect(await stage(pia)).toBe('power_user')
      expect(await claimAll(pia)).toBe(1)
      expect(await balance(pia)).toBe(before)
    })

    it('for real plays, awards and campaigns, whatever else a client sends', async () => {
      const ida = `ida-${randomUUID()}`
      await world.givePoints(ida, 15)
      await track(ida, [{ category: 'CAMPAIGN', sourceId: 'spring' }, ...plays(3, 7)])
      await playedBy(ida, 10)
      expect(await stage(ida)).toBe('engaged')
      expect(await claimAll(ida)).toBe(1) // invented: no such campaign exists
      expect(await claimLines(ida)).toHaveLength(1)
      await playedBy(ida, 20)
      const before = await balance(ida)
      expect(await stage(ida)).toBe('power_user')
      expect(await claimAll(ida)).toBe(1)
      expect(await balance(ida)).toBe(before + 500)
    })

    it('for a user whom the backend knows and whose stage changes by time', async () => {
      const ben = `ben-${randomUUID()}`
      await world.givePoints(ben, 1)
      expect(await claimAll(ben)).toBe(1)
      expect(await balance(ben)).toBe(600)
      now = new Date(now.getTime() + 31 * dayMs)
      expect(await stage(ben)).toBe('churned')
      expect(await claimAll(ben)).toBe(1)
      expect(await balance(ben)).toBe(1100)
    })

    it('for an engaged user with a real campaign that a client had named before', async () => {
      const slug = await makeCampaign(world, 'summer-sale')
      const { id } = await world.runtime.db.campaign.findFirstOrThrow({ where: { slug } })
      const leo = `leo-${randomUUID()}`
      await track(leo, [{ category: 'CAMPAIGN', sourceId: id }])
      await world.givePoints(leo, 6)
      await callsTo(world).buy(slug, leo)
      await claimAll(leo)
      const { ownCampaigns, campaigns } = await world.runtime.db.userProfile.findFirstOrThrow({
        where: { user: { externalId: leo } },
      })
      expect([campaigns, ownCampaigns]).toEqual([1, 1])
      await playedBy(leo, 10)
      expect(await stage(leo)).toBe('engaged')
      const before = await balance(leo)
      expect(await claimAll(leo)).toBe(1)
      expect(await balance(leo)).toBe(before + 500)
    })
  })
})
