import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { makeCampaign } from './promotion.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

it('codes are created in a campaign that is named by slug, global id or UUID', async () => {
  const slug = await makeCampaign(world, 'winter-archive')
  const { id: uuid } = await world.runtime.db.campaign.findFirstOrThrow({ where: { slug } })
  const create = async (campaign: object) => {
    const { body } = await world.graphql(
      `mutation ($campaign: CampaignBy!) {
        createCodeBatch(input: { campaign: $campaign, codeCount: 2, points: 5 }) {
          ... on CreateCodeBatchPayload {
            codes
            codeBatch { id codeCount redeemedCount campaign { uuid slug } }
          }
          ... on Error { code }
          ... on ValidationError { errors { message } }
        }
      }`,
      { campaign },
    )
    return body.data.createCodeBatch
  }
  const globalId = Buffer.from(`Campaign:${uuid}`).toString('base64url')
  for (const campaign of [{ slug }, { id: uuid }, { id: globalId }]) {
    const { codes, codeBatch } = await create(campaign)
    expect(codes).toHaveLength(2)
    expect(codeBatch).toMatchObject({ codeCount: 2, redeemedCount: 0, campaign: { uuid, slug } })
    const other = await create({ id: codeBatch.id })
    expect(JSON.stringify(other)).toContain('is the id of a CodeBatch, not of a Campaign')
  }
  const unknown = { id: '00000000-0000-4000-8000-000000000000' }
  expect(await create(unknown)).toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' })
})
