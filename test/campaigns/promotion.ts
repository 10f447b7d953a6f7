/** Campaigns for tests, and calls in them. */

import type { CreateCampaign } from '../../src/campaigns/campaign-input.ts'
import { createCampaign } from '../../src/campaigns/campaign-management.ts'
import { demoCampaigns } from '../../src/demo/demo.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import type { Answer, World } from '../world.ts'

let made = 0

/** Creates a campaign like one of the demo, with changes and its own slug. Returns the slug. */
export const makeCampaign = async (
  world: World,
  like: 'summer-sale' | 'golden-ticket' | 'winter-archive',
  changes: Partial<CreateCampaign> = {},
  tenant: Tenant = world.tenant,
): Promise<string> => {
  const demo = demoCampaigns.find(({ slug }) => slug === like) as CreateCampaign
  const { slug } = await createCampaign(world.runtime, {
    ...tenant,
    ...demo,
    slug: `${like}-${++made}`,
    ...changes,
  })
  return slug
}

export const callsTo = (world: World, key = world.keys.secret) => ({
  record: (slug: string, body: unknown) => world.post(`/v1/campaigns/${slug}/events`, key, body),
  buy: (slug: string, userId: string) =>
    world.post(`/v1/campaigns/${slug}/events`, key, { userId, eventType: 'purchase' }),
  refer: (slug: string, body: unknown) => world.post(`/v1/campaigns/${slug}/referrals`, key, body),
  referralCode: (slug: string, userId: string) =>
    world.get(`/v1/campaigns/${slug}/referral-code/${userId}`, key),
  winStats: async (slug: string) =>
    (await world.get(`/v1/campaigns/${slug}/instant-win/stats`, key)).body.data,
  redeemWin: (slug: string, body: unknown) =>
    world.post(`/v1/campaigns/${slug}/instant-win/redeem`, key, body),
  redeem: (slug: string, body: unknown) => world.post(`/v1/campaigns/${slug}/redeem`, key, body),
  generate: (body: unknown) => world.post('/v1/campaigns/codes/generate', key, body),
  verify: (body: unknown) => world.post('/v1/campaigns/codes/verify', key, body),
  codeStats: async (slug?: string) =>
    (await world.get(`/v1/campaigns/codes/stats${slug ? `?slug=${slug}` : ''}`, key)).body.data,
  participant: (slug: string, userId: string) =>
    world.get(`/v1/campaigns/${slug}/participants/${userId}`, key),
  balance: async (userId: string): Promise<number> =>
    (await world.get(`/v1/users/${userId}/balance`, key)).body.data.totalPoints,
})

export const times = <T>(count: number, run: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => run(i))

export const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

export const codeFormat = /^[A-Z0-9]{1,4}-[A-HJKMNP-Z2-9]{8}$/
