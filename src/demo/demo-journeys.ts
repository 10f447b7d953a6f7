/** Offers of the demo user: an active one and an expired one. */
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { createOffers } from '../journeys/offer.ts'

const dayMs = 24 * 3600 * 1000
const externalId = 'demo-user'

export const seedJourneys = async (work: Work, tenant: Tenant): Promise<void> => {
  const yesterday = new Date(work.clock().getTime() - dayMs)
  const past = { ...work, clock: () => yesterday }
  const offers = [
    ...(await createOffers(past, [
      {
        ...{ ...tenant, externalId, offerType: 'daily_free_spin', pointsValue: 20 },
        description: 'Yesterday only.',
        expiresAt: new Date(yesterday.getTime() + dayMs / 2),
      },
    ])),
    ...(await createOffers(work, [
      {
        ...{ ...tenant, externalId, offerType: 'welcome_bonus', pointsValue: 50 },
        description: 'For your first days with us.',
        expiresAt: new Date(work.clock().getTime() + 30 * dayMs),
      },
    ])),
  ]
  for (const offer of offers) if (offer instanceof Error) throw offer
}
