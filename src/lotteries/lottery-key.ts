/** Which lottery somebody means, and who may see and manage it. */
import type { z } from 'zod'
import type { Caller } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { nodeId, oneKey } from '../core/node-id.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { reference } from '../core/validation.ts'
import type { Lottery } from '../generated/prisma/client.ts'

/** Who manages lotteries: a partner its own; an administrator those of everybody. */
export type Manager = Tenant & { isAdmin: boolean }

export const managerOf = (caller: Caller): Manager => ({
  partnerId: caller.partnerId,
  environment: caller.environment,
  isAdmin: caller.kind === 'member' && caller.role === 'ADMIN',
})

/** The lotteries that somebody manages, as a `where`. */
export const managedBy = ({ partnerId, environment, isAdmin }: Manager) => ({
  environment,
  ...(!isAdmin && { partnerId }),
})

/** A partner's own lotteries, drafts among them, and those of every partner, as a `where`. */
export const openTo = ({ partnerId, environment }: Tenant) => ({
  environment,
  OR: [{ partnerId }, { partnerId: null, status: { not: 'DRAFT' as const } }],
})

/** The same, and all that somebody manages. */
export const visibleTo = (manager: Manager) => ({ OR: [managedBy(manager), openTo(manager)] })

export const LotteryBy = oneKey({
  id: nodeId('Lottery').describe('The id, global or UUID.'),
  slug: reference().describe("The slug. Your own lottery comes before one of every partner's."),
})
  .meta({ graphql: 'LotteryBy' })
  .describe('A lottery, by one of these.')

export type LotteryBy = z.output<typeof LotteryBy>

/** Whether a partner sees a lottery as everybody who can enter it does. */
const isShown = (tenant: Tenant, { partnerId, status }: Lottery) =>
  (partnerId === tenant.partnerId || partnerId === null) && status !== 'DRAFT'

/**
 * Reads lotteries for those who may see them, in one statement; null for the others. A draft has no slug
 * that anybody knows: those who manage it find it by its id.
 */
export const findLotteries = async (
  { tx }: Work,
  keys: (Manager & LotteryBy)[],
): Promise<(Lottery | null)[]> => {
  const found = await tx.lottery.findMany({
    where: {
      OR: keys.map(({ id, slug = '', partnerId, environment }) =>
        id
          ? { id, environment }
          : {
              environment,
              slug: /^[a-z0-9-]{1,60}$/.test(slug) ? slug : '',
              OR: [{ partnerId }, { partnerId: null }],
            },
      ),
    },
    orderBy: { partnerId: { sort: 'asc', nulls: 'last' } },
  })
  return keys.map(({ id, slug, ...manager }) => {
    const { environment, isAdmin, partnerId } = manager
    return (
      found.find((lottery) => {
        if (lottery.environment !== environment) return false
        const isManaged = isAdmin || lottery.partnerId === partnerId
        if (id) return lottery.id === id && (isManaged || isShown(manager, lottery))
        return lottery.slug === slug && isShown(manager, lottery)
      }) ?? null
    )
  })
}

/**
 * The id of a lottery that somebody wants to manage; by slug it is one of their partner's own, or one of
 * every partner's. Whether they manage it is for the change to find out.
 * @throws TesseraError LOTTERY_NOT_FOUND
 */
export const managedId = async (
  { db }: Pick<Runtime, 'db'>,
  { partnerId, environment }: Manager,
  { id, slug = '' }: LotteryBy,
): Promise<string> => {
  if (id) return id
  const lottery = await db.lottery.findFirst({
    where: { environment, slug, OR: [{ partnerId }, { partnerId: null }] },
    orderBy: { partnerId: { sort: 'asc', nulls: 'last' } },
    select: { id: true },
  })
  if (!lottery) throw new TesseraError('LOTTERY_NOT_FOUND')
  return lottery.id
}
