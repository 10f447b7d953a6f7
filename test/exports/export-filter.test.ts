/** Which rows an export has, and how its file is named. */
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runExports } from '../../src/exports/export.jobs.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'
import { exporting } from './exporting.ts'

let world: World
let calls: ReturnType<typeof exporting>
beforeAll(async () => {
  world = await createWorld()
  calls = exporting(world)
  await world.givePoints('ann', 3)
  await world.givePoints('ben', 2)
  for (const userId of ['ann', 'ann', 'ben'])
    await world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' })
})
beforeEach(async () => {
  await world.runtime.db.dataExport.deleteMany()
})
afterAll(() => world.end())

const made = async (what: string, more: object = {}) => {
  const { export: started } = await calls.start(what, more)
  await runExports(world.runtime)
  return calls.read(started.id)
}

const rowsOf = async (what: string, more: object = {}) => {
  const { url } = await made(what, more)
  const text = await (await fetch(calls.here(url))).text()
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

describe('a filter', () => {
  test('lets through the entries of a user, of event types, with a reference, and of points', async () => {
    const user = { externalId: 'ann' }
    const all = await rowsOf('LEDGER')
    const of = (filter: object) => rowsOf('LEDGER', { filter })
    const ofAnn = all.filter(({ externalId }) => externalId === 'ann')
    expect(await of({ user })).toEqual(ofAnn)
    expect(ofAnn.length).toBeLessThan(all.length)
    const played = await of({ eventTypes: ['game_play'] })
    expect(played).toEqual(all.filter(({ eventType }) => eventType === 'game_play'))
    expect(played).toHaveLength(3)
    expect(await of({ user, points: { max: -1 } })).toEqual(
      ofAnn.filter(({ points }) => points < 0),
    )
    expect(await of({ reference: 'none' })).toEqual([])
  })

  test('lets through the plays of a user and of games', async () => {
    const user = { externalId: 'ann' }
    expect(await rowsOf('PLAYS', { filter: { user, gameTypes: ['NEON_WHEEL'] } })).toHaveLength(2)
    expect(await rowsOf('PLAYS', { filter: { gameTypes: ['COSMIC_SLOTS'] } })).toEqual([])
  })

  test('names an unknown user, an unknown campaign, and a field that belongs to another kind', async () => {
    expect(
      await calls.start('LEDGER', { filter: { user: { externalId: 'nobody' } } }),
    ).toMatchObject({ code: 'USER_NOT_FOUND' })
    const campaignId = Buffer.from(`Campaign:${uuid()}`).toString('base64url')
    expect(await calls.start('INSTANT_WINS', { filter: { campaignId } })).toMatchObject({
      code: 'CAMPAIGN_NOT_FOUND',
    })
    for (const [kind, filter] of [
      ['USERS', { eventTypes: ['signup'] }],
      ['PLAYS', { points: { min: 1 } }],
      ['INSTANT_WINS', {}],
    ] as const)
      expect(await calls.start(kind, { filter })).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ path: [expect.stringMatching(/^filter/), expect.anything()] }],
      })
  })
})

test('prizes of an instant win are exported with when they were redeemed and handed out', async () => {
  const { runtime, tenant } = world
  const slug = await makeCampaign(world, 'golden-ticket')
  const campaign = await runtime.db.campaign.findFirstOrThrow({
    where: { slug },
    include: { tiers: true },
  })
  const user = await runtime.db.endUser.findFirstOrThrow({
    where: { ...tenant, externalId: 'ann' },
  })
  const tierId = campaign.tiers[0]?.id ?? ''
  // More than a page, many of them at the same moment.
  await runtime.db.instantWin.createMany({
    data: Array.from({ length: 2_100 }, (_, n) => ({
      id: uuid(),
      ...tenant,
      campaignId: campaign.id,
      userId: user.id,
      tierId,
      points: 50,
      codeHash: Buffer.from(`hash ${n}`),
      wonAt: new Date(Date.UTC(2026, 0, 1, Math.floor(n / 500))),
      expiresAt: new Date(Date.UTC(2026, 1, 1)),
      ...(n === 7 && { redeemedAt: new Date(Date.UTC(2026, 0, 3)), redemptionId: uuid() }),
    })),
  })
  const campaignId = (
    await world.graphql('query ($slug: String!) { campaign(by: { slug: $slug }) { id } }', { slug })
  ).body.data.campaign.id
  const rows = await rowsOf('INSTANT_WINS', { filter: { campaignId } })
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2_100)
  expect(rows.filter(({ redeemedAt }) => redeemedAt !== null)).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    externalId: 'ann',
    prize: campaign.tiers[0]?.name,
    points: 50,
    grantStatus: null,
    fulfilledAt: null,
  })
  await runtime.db.instantWin.deleteMany({ where: { campaignId: campaign.id } })
})

test.each([
  [{}, /^ledger-test-\d{4}-\d\d-\d\d\.csv$/],
  [{ from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' }, /^ledger-test-2026-11\.csv$/],
  [
    { from: '2026-11-01T00:00:00Z', to: '2026-11-16T00:00:00Z' },
    /^ledger-test-2026-11-01-to-2026-11-15\.csv$/,
  ],
  [{ from: '2026-11-05T00:00:00Z', to: '2026-11-06T00:00:00Z' }, /^ledger-test-2026-11-05\.csv$/],
  [{ from: '2026-11-05T00:00:00Z' }, /^ledger-test-from-2026-11-05\.csv$/],
  [{ to: '2026-11-05T12:00:00Z' }, /^ledger-test-until-2026-11-05\.csv$/],
])('the name of a file says what and when: %j', async (createdAt, name) => {
  const { fileName, url } = await made('LEDGER', { format: 'CSV', filter: { createdAt } })
  expect(fileName).toMatch(name)
  const response = await fetch(calls.here(url))
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${fileName}"`)
})
