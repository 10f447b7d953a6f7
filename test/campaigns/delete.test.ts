/** Drafts are deleted; campaigns that ran are not. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const remove = async (campaign: object, by = world.keys) => {
  const { body } = await world.graphql(
    `mutation ($campaign: CampaignBy!) { deleteCampaign(input: { campaign: $campaign }) {
      ... on DeleteCampaignPayload { deletedId campaign { slug eventRules { eventType } } }
      ... on Error { code }
      ... on NotActiveError { status } } }`,
    { campaign },
    by,
  )
  return body.data.deleteCampaign
}

const draft = () => makeCampaign(world, 'golden-ticket', { status: 'DRAFT' })

const idOf = async (slug: string) => {
  const { body } = await world.graphql(`{ campaign(by: { slug: "${slug}" }) { id } }`)
  return body.data.campaign?.id as string | undefined
}

test('a draft is deleted with its rules and prizes, and its slug is free again', async () => {
  const slug = await draft()
  const deletedId = await idOf(slug)
  expect(deletedId).toBeDefined()
  expect(await remove({ slug })).toMatchObject({ deletedId, campaign: { slug } })
  expect(await idOf(slug)).toBeUndefined()
  expect(await remove({ slug })).toEqual({ code: 'CAMPAIGN_NOT_FOUND' })
  expect(await remove({ id: deletedId })).toEqual({ code: 'CAMPAIGN_NOT_FOUND' })
  const entries = await world.runtime.db.auditEntry.findMany({
    where: { action: 'deleteCampaign' },
  })
  expect(entries).toMatchObject([{ targetType: 'Campaign', targetId: expect.any(String) }])
  await makeCampaign(world, 'golden-ticket', { slug, status: 'DRAFT' })
  expect(await idOf(slug)).not.toBe(deletedId)
})

test.each(['ACTIVE', 'PAUSED', 'ENDED'] as const)('one that is %s is not', async (status) => {
  const slug = await makeCampaign(world, 'summer-sale', { status })
  expect(await remove({ slug })).toEqual({ code: 'CAMPAIGN_STATUS_CONFLICT', status })
  expect(await idOf(slug)).toBeDefined()
})

test('a draft with codes is not, nor one of somebody else', async () => {
  const slug = await draft()
  for (const by of [world.partner.live, (await world.createPartner()).test])
    expect(await remove({ slug }, by)).toEqual({ code: 'CAMPAIGN_NOT_FOUND' })
  const { status } = await callsTo(world).generate({ slug, batchSize: 1, pointsValue: 1 })
  expect(status).toBe(200)
  expect(await remove({ slug })).toEqual({ code: 'CAMPAIGN_IN_USE' })
  expect(await idOf(slug)).toBeDefined()
})

test('codes that are made while it is deleted find no campaign, or keep it', async () => {
  for (let round = 0; round < 10; round++) {
    const slug = await draft()
    const [made, removed] = await Promise.all([
      callsTo(world).generate({ slug, batchSize: 5, pointsValue: 1 }),
      remove({ slug }),
    ])
    expect([200, 404]).toContain(made.status)
    expect('deletedId' in removed).toBe(made.status === 404)
    if (made.status === 200) expect(removed).toEqual({ code: 'CAMPAIGN_IN_USE' })
  }
})
