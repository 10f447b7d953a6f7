import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeCampaignStatus } from '../../src/campaigns/campaign-management.ts'
import { generateCodes } from '../../src/campaigns/code-batch.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, codeFormat, count, makeCampaign, times } from './promotion.ts'

let world: World
let call: ReturnType<typeof callsTo>
let now = new Date('2026-06-01T12:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  call = callsTo(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const codesFor = async (slug: string, more: object = {}): Promise<string[]> =>
  (await call.generate({ slug, batchSize: 3, pointsValue: 25, ...more })).body.data.codes

const refused = async (answer: Promise<{ status: number; body: { message: string } }>) => {
  const { status, body } = await answer
  return [status, body.message]
}

describe('a batch of codes', () => {
  it('returns every documented field', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const expiresAt = '2026-12-31T23:59:59.000Z'
    const { status, body } = await call.generate({
      slug,
      batchSize: 5,
      pointsValue: 250,
      label: 'Flyers',
      expiresAt,
    })
    const campaign = await world.runtime.db.campaign.findFirstOrThrow({ where: { slug } })
    const partner = await world.runtime.db.partner.findUniqueOrThrow({
      where: { id: world.partner.partnerId },
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: {
          batch: {
            id: expect.stringMatching(/^[\da-f-]{36}$/),
            campaignId: campaign.id,
            batchSize: 5,
            pointsValue: 250,
            label: 'Flyers',
            expiresAt,
            createdAt: now.toISOString(),
          },
          codes: times(5, () => expect.stringMatching(/^SUMM-[A-HJKMNP-Z2-9]{8}$/)),
          count: 5,
          gameUrl: `${world.runtime.config.publicUrl}/campaign/${partner.slug}/${slug}?env=test`,
        },
      },
    })
    const live = { partnerId: world.partner.partnerId, environment: 'LIVE' } as const
    await makeCampaign(world, 'summer-sale', { slug }, live)
    const made = await callsTo(world, world.partner.live.secret).generate({
      slug,
      batchSize: 1,
      pointsValue: 1,
    })
    expect(made.body.data.gameUrl).toMatch(/\/campaign\/[^?]+$/)
  })

  it.each([
    [{ batchSize: 0 }, 'batchSize must be between 1 and 10000'],
    [{ batchSize: -1 }, 'batchSize must be between 1 and 10000'],
    [{ batchSize: 10_001 }, 'batchSize must be between 1 and 10000'],
    [{ batchSize: 2 ** 40 }, 'batchSize must be between 1 and 10000'],
    [{ batchSize: 1.5 }, 'batchSize must be between 1 and 10000'],
    [{ batchSize: '5' }, 'batchSize must be between 1 and 10000'],
    [{ batchSize: null }, 'batchSize must be between 1 and 10000'],
    [{ pointsValue: 0 }, 'pointsValue must be positive'],
    [{ pointsValue: -5 }, 'pointsValue must be positive'],
    [{ pointsValue: 0.5 }, 'pointsValue must be positive'],
    [{ pointsValue: 'x' }, 'pointsValue must be positive'],
    [{ pointsValue: 2 ** 31 }, 'pointsValue must be at most 2147483647'],
    [{ label: 5 }, 'Invalid request body'],
    [{ expiresAt: 'soon' }, 'Invalid request body'],
    [{ expiresAt: true }, 'Invalid request body'],
    [{ expiresAt: '2026-05-31T00:00:00Z' }, 'Invalid request body'],
    [{ expiresAt: '+200000-01-01T00:00:00Z' }, 'Invalid request body'],
  ])('%j is 400 %s', async (change, message) => {
    const slug = await makeCampaign(world, 'summer-sale')
    const body = { slug, batchSize: 1, pointsValue: 1, ...change }
    const { status, body: answer } = await call.generate(body)
    expect([status, answer.message]).toEqual([400, message])
    expect(answer.errors.map(({ field }: { field: string }) => field)).toEqual(Object.keys(change))
    expect(await call.codeStats(slug)).toMatchObject({ total: 0 })
  })

  it('with several errors names all of them', async () => {
    const { body } = await call.generate({ batchSize: 0, expiresAt: '2027-01-01T00:00:00Z' })
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'slug',
      'batchSize',
      'pointsValue',
    ])
  })

  it('of an unknown campaign is 404', async () => {
    const body = { batchSize: 1, pointsValue: 1 }
    for (const slug of ['no-such', 'codes', 'A B', '../x'])
      expect(await refused(call.generate({ ...body, slug }))).toEqual([404, 'Campaign not found'])
  })

  it('has 10,000 different codes of the documented form, without bias, and the database stores none of them', async () => {
    const slug = await makeCampaign(world, 'golden-ticket', { slug: 'a-b' })
    const codes = await codesFor(slug, { batchSize: 10_000 })
    expect(new Set(codes).size).toBe(10_000)
    expect(codes.filter((code) => !codeFormat.test(code))).toEqual([])
    expect(codes.every((code) => code.startsWith('AB-'))).toBe(true)

    // Chi-square over 31 characters at each of 8 places: 240 degrees of freedom. A fair generator is
    // above 360 once in a million runs; a modulo of a byte (8 characters favored by 1/8) has about 465.
    let chiSquare = 0
    for (let place = 0; place < 8; place++) {
      const seen = new Map<string, number>()
      for (const code of codes) {
        const character = code[3 + place] as string
        seen.set(character, (seen.get(character) ?? 0) + 1)
      }
      expect(seen.size).toBe(31)
      for (const observed of seen.values())
        chiSquare += (observed - 10_000 / 31) ** 2 / (10_000 / 31)
    }
    expect(chiSquare).toBeLessThan(360)

    const { pool } = world.server.database
    const { rows: tables } = await pool.query({
      text: `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    })
    expect(tables.length).toBeGreaterThan(15)
    let dump = ''
    for (const { name } of tables) {
      const { rows } = await pool.query({
        text: `SELECT string_agg(t::text, E'\\n') AS text FROM "${name}" t`,
      })
      dump += rows[0].text ?? ''
    }
    expect(dump.length).toBeGreaterThan(10_000 * 50)
    const words = (dump.match(/[A-HJKMNP-Z2-9]{8,}/g) ?? []).join('\n')
    const inClear = codes.filter((code) => words.includes(code.slice(3)))
    const asBytes = codes
      .slice(0, 100)
      .filter((code) => dump.includes(Buffer.from(code.slice(3)).toString('hex')))
    expect([inClear.length, asBytes.length]).toEqual([0, 0])
  })
})

describe('a batch whose codes exist already', () => {
  it('gets other codes instead, and each code is in one batch', async () => {
    const slug = await makeCampaign(world, 'winter-archive')
    const generate = async (first: number) => {
      let next = first
      const work = { ...world.runtime, random: { int: () => next++ } }
      const input = { ...world.tenant, slug, codeCount: 3, points: 1 }
      return (await generateCodes(work, input)).codes
    }
    const left = await generate(1000)
    const second = await generate(1001)
    expect([left.length, second.length, new Set([...left, ...second]).size]).toEqual([3, 3, 6])
    expect(await call.codeStats(slug)).toMatchObject({ total: 6, active: 6 })
  })
})

describe('a code', () => {
  it('pays its points once, creates the user, and is announced', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const [code = ''] = await codesFor(slug, { label: 'Flyers' })
    const { status, body } = await call.redeem(slug, {
      code: ` ${code.toLowerCase()} `,
      userId: 'new',
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        data: { pointsEarned: 25, totalPoints: 25, message: 'Code redeemed: 25 points earned' },
      },
    })
    expect(await call.balance('new')).toBe(25)
    for (const userId of ['new', 'other'])
      expect(await refused(call.redeem(slug, { code, userId }))).toEqual([
        400,
        'Code has already been redeemed',
      ])
    expect((await world.get('/v1/users/other/balance', world.keys.secret)).status).toBe(404)
    const event = await world.runtime.db.event.findFirstOrThrow({
      where: { type: 'campaign.code_redeemed' },
    })
    expect(event.data).toMatchObject({
      redemptionId: event.id,
      campaignSlug: slug,
      label: 'Flyers',
      userId: 'new',
      pointsEarned: 25,
      environment: 'TEST',
    })
    expect(JSON.stringify(event.data)).not.toContain(code.slice(5))
    expect(await call.codeStats(slug)).toEqual({
      total: 3,
      active: 2,
      redeemed: 1,
      expired: 0,
      revoked: 0,
      totalCodes: 3,
      activeCodes: 2,
      redeemedCodes: 1,
      expiredCodes: 0,
      revokedCodes: 0,
      totalBatches: 1,
    })
  })

  it('is refused when unknown, of another campaign, expired, revoked, or while the campaign is not running', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const other = await makeCampaign(world, 'summer-sale')
    const expiresAt = new Date(now.getTime() + 60_000).toISOString()
    const [aging = '', used = ''] = await codesFor(slug, { expiresAt })
    const [good = ''] = await codesFor(slug)
    const redeem = (code: string, of = slug, userId = 'ann') => call.redeem(of, { code, userId })
    expect(await refused(redeem('SUMM-AAAAAAAA'))).toEqual([400, 'Invalid code'])
    expect(await refused(redeem(good, other))).toEqual([400, 'Invalid code'])
    expect(await refused(redeem(good, 'no-such'))).toEqual([
      404,
      'Campaign not found or not active',
    ])
    expect((await redeem(used)).status).toBe(200)
    now = new Date(now.getTime() + 60_000)
    expect(await refused(redeem(aging))).toEqual([400, 'Code has expired'])
    expect(await refused(redeem(used))).toEqual([400, 'Code has already been redeemed'])
    expect(await call.codeStats(slug)).toMatchObject({
      total: 6,
      active: 3,
      redeemed: 1,
      expired: 2,
      revoked: 0,
      totalBatches: 2,
    })
    const batches = await world.get(`/v1/campaigns/codes/batches?slug=${slug}`, world.keys.secret)
    const [batch] = batches.body.data.batches
    const revoke = () =>
      world.post(`/v1/campaigns/codes/batches/${batch.id}/revoke`, world.keys.secret)
    expect((await revoke()).body.data).toMatchObject({ id: batch.id, status: 'REVOKED' })
    expect((await revoke()).body.data.revokedAt).toBe(now.toISOString())
    expect(await refused(redeem(good))).toEqual([400, 'Code has been revoked'])
    expect(await call.codeStats(slug)).toMatchObject({ active: 0, revoked: 3, expired: 2 })
    await changeCampaignStatus(world.runtime, { ...world.tenant, slug }, 'PAUSED')
    expect(await refused(redeem(good))).toEqual([404, 'Campaign not found or not active'])
  })

  it('can be verified without being redeemed', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const [code = ''] = await codesFor(slug)
    const campaign = { campaignName: 'Summer Sale', campaignSlug: slug, pointsValue: 25 }
    const verify = async (text: string) => {
      const { status, body } = await call.verify({ code: text })
      expect([status, body.status]).toEqual([200, 'success'])
      return body.data
    }
    const valid = {
      valid: true,
      expired: false,
      message: 'Code is valid and redeemable',
      ...campaign,
    }
    expect(await verify(code)).toEqual(valid)
    expect(await verify(code.toLowerCase())).toEqual(valid)
    for (let i = 0; i < 12; i++)
      expect(await verify('NOPE')).toEqual({
        valid: false,
        expired: false,
        message: 'Invalid code',
        campaignName: null,
        campaignSlug: null,
        pointsValue: null,
      })
    const key = { ...world.tenant, slug }
    await changeCampaignStatus(world.runtime, key, 'PAUSED')
    expect(await verify(code)).toMatchObject({ valid: false, expired: false, ...campaign })
    await changeCampaignStatus(world.runtime, key, 'ACTIVE')
    await call.redeem(slug, { code, userId: 'zoe' })
    expect(await verify(code)).toMatchObject({
      valid: false,
      expired: false,
      message: 'Code has already been redeemed',
    })
    const expiresAt = new Date(now.getTime() + 1000).toISOString()
    const [aging = ''] = await codesFor(slug, { expiresAt })
    now = new Date(now.getTime() + 1000)
    expect(await verify(aging)).toMatchObject({ valid: false, expired: true, ...campaign })
    const { status } = await call.verify({ code: 5 })
    expect(status).toBe(400)
  })

  it('cannot be guessed, one after another or all at once', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const [code = ''] = await codesFor(slug)
    const guess = (userId: string, text = 'SUMM-AAAAAAAA') =>
      call.redeem(slug, { code: text, userId })
    for (let i = 0; i < 10; i++) expect((await guess('mallory')).status).toBe(400)
    const { status, body, headers } = await guess('mallory', code)
    expect([status, body.message]).toEqual([429, 'Too many requests'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590)
    const answers = await Promise.all(times(40, () => guess('trudy')))
    expect([count(answers, 400), count(answers, 429)]).toEqual([10, 30])
    expect((await guess('alice', code)).status).toBe(200)
  })
})

describe('batches', () => {
  it('are listed newest first, by page', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    for (let i = 1; i <= 3; i++) await codesFor(slug, { batchSize: i, label: `batch ${i}` })
    const list = async (query: string) =>
      (await world.get(`/v1/campaigns/codes/batches?slug=${slug}${query}`, world.keys.secret)).body
    const { status, data } = await list('')
    expect(status).toBe('success')
    expect(data).toMatchObject({ total: 3, page: 1, limit: 20 })
    expect(data.batches.map(({ label }: { label: string }) => label)).toEqual([
      'batch 3',
      'batch 2',
      'batch 1',
    ])
    expect(data.batches[0]).toMatchObject({
      batchSize: 3,
      pointsValue: 25,
      campaignSlug: slug,
      status: 'ACTIVE',
      redeemed: 0,
      expiresAt: null,
      revokedAt: null,
    })
    const second = (await list('&page=2&limit=2')).data
    expect(second).toMatchObject({ total: 3, page: 2, limit: 2, batches: [{ label: 'batch 1' }] })
    expect((await list('&page=0')).code).toBe(400)
    const all = await world.get('/v1/campaigns/codes/batches?limit=1', world.keys.secret)
    expect(all.body.data.total).toBeGreaterThan(3)
    for (const path of ['batches', 'stats']) {
      const { status, body } = await world.get(
        `/v1/campaigns/codes/${path}?slug=no-such`,
        world.keys.secret,
      )
      expect([status, body.message]).toEqual([404, 'Campaign not found'])
    }
  })

  it('are found by a part of their label, or of the name of their campaign', async () => {
    const slug = await makeCampaign(world, 'summer-sale', { name: 'Orchid 50%' })
    await codesFor(slug, { label: 'Tulip_1' })
    await codesFor(await makeCampaign(world, 'summer-sale'), { label: 'A tulip' })
    const labelsOf = async (search: string) => {
      const { body } = await world.graphql(
        `query ($filter: CodeBatchFilter, $slug: String!) {
          all: codeBatches(filter: $filter) { nodes { label } totalCount { value } }
          campaign(by: { slug: $slug }) { codeBatches(filter: $filter) { nodes { label } } } }`,
        { filter: { search }, slug },
      )
      const { all, campaign } = body.data
      expect(all.totalCount.value).toBe(all.nodes.length)
      const labels = ({ nodes }: { nodes: { label: string }[] }) => nodes.map(({ label }) => label)
      return [labels(all), labels(campaign.codeBatches)]
    }
    expect(await labelsOf('TULIP')).toEqual([['A tulip', 'Tulip_1'], ['Tulip_1']])
    expect(await labelsOf('tulip_')).toEqual([['Tulip_1'], ['Tulip_1']])
    expect(await labelsOf('orchid')).toEqual([['Tulip_1'], ['Tulip_1']])
    expect(await labelsOf('%')).toEqual([['Tulip_1'], ['Tulip_1']])
    expect(await labelsOf('no such')).toEqual([[], []])
  })

  it('that do not exist or belong to others cannot be revoked', async () => {
    const live = { partnerId: world.partner.partnerId, environment: 'LIVE' } as const
    const slug = await makeCampaign(world, 'summer-sale', {}, live)
    const made = await callsTo(world, world.partner.live.secret).generate({
      slug,
      batchSize: 1,
      pointsValue: 1,
    })
    const foreign = made.body.data.batch.id
    for (const id of [foreign, '00000000-0000-7000-8000-000000000000', 'x', '%00'])
      expect(
        (await world.post(`/v1/campaigns/codes/batches/${id}/revoke`, world.keys.secret, {}))
          .status,
      ).toBe(404)
    const [code] = made.body.data.codes
    const { body } = await callsTo(world, world.partner.live.secret).verify({ code })
    expect(body.data.valid).toBe(true)
    expect((await call.verify({ code })).body.data.valid).toBe(false)
  })
})
