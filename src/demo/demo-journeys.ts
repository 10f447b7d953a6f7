/** Offers of the demo user: an active one and an expired one. */

import { createOffers } from '../journeys/offer.ts'
import type { Work } from '../kit/runtime.ts'
import type { UserKey } from '../users/end-user.ts'

const dayMs = 24 * 3600 * 1000

export const seedJourneys = async (work: Work, user: UserKey): Promise<void> => {
  const yesterday = new Date(work.clock().getTime() - dayMs)
  const past = { ...work, clock: () => yesterday }
  const offers = [
    ...(await createOffers(past, [
      {
        ...user,
        offerType: 'daily_free_spin',
        pointsValue: 20,
        description: 'Yesterday only.',
        expiresAt: new Date(yesterday.getTime() + dayMs / 2),
      },
    ])),
    ...(await createOffers(work, [
      {
        ...user,
        offerType: 'welcome_bonus',
        pointsValue: 50,
        description: 'For your first days with us.',
        expiresAt: new Date(work.clock().getTime() + 30 * dayMs),
      },
    ])),
  ]
  for (const offer of offers) if (offer instanceof Error) throw offer
}
