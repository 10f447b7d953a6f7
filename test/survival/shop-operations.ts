/** What users buy, spend and play for free, beside everything else that moves points. */
import { randomUUID } from 'node:crypto'
import { jobs } from '../../src/all-jobs.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import type { World } from '../world.ts'

// biome-ignore lint/suspicious/noExplicitAny: results of several shapes
type Mutate = (mutation: string, input: object, fields?: string) => Promise<any>

const rewards = [
  { slug: 'bottle', name: 'Bottle', kind: 'ITEM', price: 3, stock: 2_000 },
  { slug: 'voucher', name: 'Voucher', kind: 'CODE', price: 2 },
  {
    ...{ slug: 'spins', name: 'Spins', kind: 'FREE_PLAYS', price: 2 },
    freePlays: { gameType: 'NEON_WHEEL', count: 2 },
  },
]

/**
 * @param mutate calls one of the nodes, another each time
 * @param name one of the users
 * @param below a number from 0 on
 */
export const shopOperations = (
  mutate: Mutate,
  { name, below }: { name: () => string; below: (bound: number) => number },
) => {
  const grants: { user: { externalId: string }; grantId: string }[] = []
  const anyGrant = () => grants[below(grants.length)]
  /** Calls a mutation for one of the grants that were bought. */
  const change = (mutation: string) => async () => {
    const grant = anyGrant()
    if (grant) await mutate(mutation, { grantId: grant.grantId })
  }
  return {
    /** Puts rewards on sale, and lets offers and a campaign give them. Users owe what reversals cannot take. */
    start: async (campaign: string) => {
      for (const reward of rewards) await mutate('createReward', reward)
      const codes = Array.from({ length: 500 }, () => randomUUID())
      await mutate('addRewardCodes', { reward: { slug: 'voucher' }, codes })
      await mutate('updatePointPolicy', { onShortfall: 'REPAY' })
      await mutate('setOfferReward', { offerType: 'WELCOME_BONUS', reward: { slug: 'spins' } })
      const prize = { name: 'Gold', points: 5, maxWins: 1_000_000, reward: { slug: 'bottle' } }
      await mutate('updateCampaign', {
        campaign: { slug: campaign },
        onReversal: 'REVOKE',
        instantWinRules: { winRate: 0.5, prizeTiers: [prize] },
      })
    },
    buy: async () => {
      const user = { externalId: name() }
      const { slug } = rewards[below(rewards.length)] as (typeof rewards)[number]
      const reference = below(3) === 0 ? `cart-${below(20)}` : randomUUID()
      const bought = await mutate(
        'buyReward',
        { user, reward: { slug }, reference },
        '... on BuyRewardPayload { grant { uuid } }',
      )
      if (!bought.grant) return
      grants.push({ user, grantId: bought.grant.uuid })
      if (grants.length > 60) grants.shift()
    },
    reveal: async () => {
      const grant = anyGrant()
      if (grant) await mutate('revealCode', grant)
    },
    fulfill: change('fulfillGrant'),
    fail: change('failGrant'),
    cancel: change('cancelGrant'),
    spend: (reference: object) =>
      mutate('spendPoints', {
        user: { externalId: name() },
        points: 1 + below(5),
        reason: 'a test',
        ...reference,
      }),
    /** Reverses points that are spent already. */
    reverseSpent: async () => {
      const user = { externalId: name() }
      const added = await mutate(
        'adjustPoints',
        { user, points: 5, reason: 'a test' },
        '... on AdjustPointsPayload { ledgerEntry { id balanceAfter } }',
      )
      if (!added.ledgerEntry) return
      const { id, balanceAfter } = added.ledgerEntry
      await mutate('spendPoints', { user, points: balanceAfter, reason: 'a test' })
      await mutate('reverseLedgerEntry', { ledgerEntryId: id, reason: 'a test' })
    },
    repay: async ({ runtime }: World) => {
      for (const job of jobs) if (job.name === 'repay-shortfalls') await job.run(runtime)
    },
    results: async ({ runtime: { db } }: World, tenant: Tenant) => ({
      bought: await db.rewardGrant.count({ where: { ...tenant, sourceKind: 'BOUGHT' } }),
      cancelled: await db.rewardGrant.count({ where: { ...tenant, status: 'CANCELLED' } }),
      shownCodes: await db.rewardGrant.count({ where: { ...tenant, codeShownAt: { not: null } } }),
      freePlays: await db.play.count({ where: { ...tenant, grantId: { not: null } } }),
      repayments: await db.ledgerEntry.count({
        where: { ...tenant, eventType: 'shortfall_repaid' },
      }),
    }),
  }
}
