import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let call: ReturnType<typeof callsTo>
let now = new Date('2026-06-01T12:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  call = callsTo(world)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

describe('a code', () => {
  it('can be revoked alone, once, unless it was redeemed', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const made = await call.generate({ slug, batchSize: 3, pointsValue: 25 })
    const [leaked = '', used = '', good = ''] = made.body.data.codes as string[]
    expect((await call.redeem(slug, { code: used, userId: 'ann' })).status).toBe(200)
    const revoke = async (code: string) => {
      const { body } = await world.graphql(
        `mutation ($input: RevokeCodeInput!) { revokeCode(input: $input) {
          ... on RevokeCodePayload { campaignCode { status revokedAt codeBatch { revokedCount } } }
          ... on Error { code } } }`,
        { input: { campaignCode: { code } } },
      )
      return body.data.revokeCode
    }
    const revoked = {
      campaignCode: {
        status: 'REVOKED',
        revokedAt: now.toISOString(),
        codeBatch: { revokedCount: 1 },
      },
    }
    expect(await revoke(leaked.toLowerCase())).toEqual(revoked)
    now = new Date(now.getTime() + 1000)
    expect(await revoke(leaked)).toEqual(revoked)
    expect(await revoke(used)).toEqual({ code: 'CODE_REDEEMED' })
    expect(await revoke('SUMM-AAAAAAAA')).toEqual({ code: 'INVALID_CODE' })
    const redeem = (code: string) => call.redeem(slug, { code, userId: 'ben' })
    expect(await redeem(leaked)).toMatchObject({
      status: 400,
      body: { message: 'Code has been revoked' },
    })
    expect((await call.verify({ code: leaked })).body.data).toMatchObject({ valid: false })
    expect(await call.codeStats(slug)).toMatchObject({
      total: 3,
      active: 1,
      redeemed: 1,
      revoked: 1,
    })
    expect((await redeem(good)).status).toBe(200)
    expect(await call.codeStats(slug)).toMatchObject({ active: 0, redeemed: 2, revoked: 1 })
  })
})
