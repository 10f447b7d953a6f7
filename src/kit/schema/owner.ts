/** Ownership, and fields of public types that only the owner sees. */
import { type Context, isGoodCaller } from '../access/context.ts'
import type { Right } from '../access/rights.ts'
import { type Tenant, tenantOf } from '../tenant.ts'

type Caller = Pick<Context, 'callers'>

/**
 * The environment whose rows a member may own: the one in which they work, whatever environment a field names. The arena has
 * only one, so its rows are theirs wherever they work.
 */
const environmentOf = ({ environment }: Tenant, right: Right): Partial<Tenant> =>
  right === 'ARENA_READ' ? {} : { environment }

/**
 * The conditions for the caller's own rows, of which one must hold. A secret key owns those of its environment, a member
 * those of their partner in the environment in which they work. Both need the right to read them. Operators see what owners
 * see.
 */
const own = ({ callers: { secret, member } }: Caller, right: Right): Partial<Tenant>[] => [
  ...(isGoodCaller(secret) && secret.rights.includes(right) ? [tenantOf(secret)] : []),
  ...(isGoodCaller(member) && member.isOperator ? [environmentOf(member, right)] : []),
  ...(isGoodCaller(member) && !member.isOperator && member.rights.includes(right)
    ? [{ partnerId: member.partnerId, ...environmentOf(member, right) }]
    : []),
]

/** Whether the caller owns a row and may read it, or is an operator. */
export const isOwn = (
  caller: Caller,
  { partnerId, environment }: Tenant,
  right: Right = 'READ',
): boolean =>
  own(caller, right).some(
    (one) =>
      (one.partnerId ?? partnerId) === partnerId &&
      (one.environment ?? environment) === environment,
  )

/** Whether the caller may see the users of a row. Its owner may; an operator of another partner may not. */
export const knowsUsers = (caller: Caller, thing: Tenant): boolean =>
  isOwn(caller, thing) &&
  [caller.callers.secret, caller.callers.member].some(
    (one) => isGoodCaller(one) && one.partnerId === thing.partnerId && one.rights.includes('READ'),
  )

/** A condition that one of these holds. Prisma ignores an empty condition inside OR, but it means all rows. */
const anyOf = <W extends object>(conditions: W[]): { OR?: W[] } =>
  conditions.some((one) => Object.keys(one).length === 0) ? {} : { OR: conditions }

/** The condition for the caller's own rows. */
export const whereOwn = (caller: Caller, right: Right = 'READ') => anyOf(own(caller, right))

/** The condition for public rows and the caller's own. */
export const orOwn = <W extends object>(caller: Caller, isPublic: W, right: Right = 'READ') =>
  anyOf<W | Partial<Tenant>>([isPublic, ...own(caller, right)])

/** Options of a field that only the owner sees: null to others. */
export const forOwner = <P extends Tenant, T>(
  description: string,
  value: (parent: P) => T,
  right: Right = 'READ',
) => ({
  description: `${description} Null unless the caller is the owner or an operator.`,
  nullable: true as const,
  resolve: (parent: P, _: unknown, ctx: Context): T | null =>
    isOwn(ctx, parent, right) ? value(parent) : null,
})
