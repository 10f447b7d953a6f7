/** Finds lotteries by id or slug, and decides who can see and manage them. */
import type { z } from 'zod'
import type { Lottery } from '../generated/prisma/client.ts'
import { type Caller, type Context, isGoodCaller } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { reference } from '../kit/validation.ts'

/** A manager of lotteries: a partner manages its own, an operator all of them. */
export type Manager = Tenant & { isOperator: boolean }

export const managerOf = (caller: Caller): Manager => ({
  partnerId: caller.partnerId,
  environment: caller.environment,
  isOperator: caller.kind === 'member' && caller.isOperator,
})

/** The lotteries of a manager, as a `where`. */
export const managedBy = ({ partnerId, environment, isOperator }: Manager) => ({
  environment,
  ...(!isOperator && { partnerId }),
})

/** The lotteries of a partner, including drafts, and those open to every partner, as a `where`. */
export const openTo = ({ partnerId, environment }: Tenant) => ({
  environment,
  OR: [{ partnerId }, { partnerId: null, status: { not: 'DRAFT' as const } }],
})

/** The lotteries of `openTo` and all lotteries of a manager, as a `where`. */
const visibleTo = (manager: Manager) => ({ OR: [managedBy(manager), openTo(manager)] })

type Callers = Pick<Context, 'callers'>

const managersOf = ({ callers: { secret, member } }: Callers) =>
  [secret, member].filter((item) => isGoodCaller(item))

/** Whether the caller sees all of a lottery: their own, one that is open to every partner, and an operator each. */
export const seesLottery = (
  caller: Callers,
  { partnerId, environment, status }: Pick<Lottery, 'partnerId' | 'environment' | 'status'>,
): boolean =>
  managersOf(caller).some(
    (item) =>
      item.rights.includes('READ') &&
      item.environment === environment &&
      (managerOf(item).isOperator ||
        item.partnerId === partnerId ||
        (partnerId === null && status !== 'DRAFT')),
  )

/** Whether the caller manages a lottery, and may read it. */
export const managesLottery = (
  caller: Callers,
  { partnerId, environment }: Pick<Lottery, 'partnerId' | 'environment'>,
): boolean =>
  managersOf(caller).some(
    (item) =>
      item.rights.includes('READ') &&
      item.environment === environment &&
      (managerOf(item).isOperator || item.partnerId === partnerId),
  )

/**
 * Whether a lottery may be given to the caller, whatever their rights and the environment: the answer to a change shows
 * it without the right to read. A ticket of the caller has only the id and the slug of its lottery.
 */
export const mayHaveLottery = (
  caller: Callers,
  { partnerId }: Partial<Pick<Lottery, 'partnerId'>>,
): boolean =>
  managersOf(caller).some(
    (item) => partnerId == null || managerOf(item).isOperator || item.partnerId === partnerId,
  )

/** The condition for public rows, and those that the caller sees, as a `where`. */
export const orVisible = <W extends object>(caller: Callers, isPublic: W) => ({
  OR: [
    isPublic,
    ...managersOf(caller)
      .filter(({ rights }) => rights.includes('READ'))
      .map((item) => visibleTo(managerOf(item))),
  ],
})

export const LotteryBy = oneKey({
  id: nodeId('Lottery').describe('The global id or the UUID.'),
  slug: reference().describe(
    'The slug. Your own lottery takes precedence over one that is open to every partner.',
  ),
})
  .meta({ graphql: 'LotteryBy' })
  .describe('Exactly one key of a lottery.')

export type LotteryBy = z.output<typeof LotteryBy>

/** Whether the users of a partner can see a lottery. */
const isShown = (tenant: Tenant, { partnerId, status }: Lottery) =>
  (partnerId === tenant.partnerId || partnerId === null) && status !== 'DRAFT'

/**
 * Reads lotteries in one statement; null where the caller may not see one. Only its managers find a draft, and only by
 * id.
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
    const { environment, isOperator, partnerId } = manager
    return (
      found.find((lottery) => {
        if (lottery.environment !== environment) return false
        const isManaged = isOperator || lottery.partnerId === partnerId
        if (id) return lottery.id === id && (isManaged || isShown(manager, lottery))
        return lottery.slug === slug && isShown(manager, lottery)
      }) ?? null
    )
  })
}

/**
 * The id of a lottery to manage. A slug names a lottery of the partner, or one open to every partner. The change itself
 * checks whether the caller manages it.
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
