/** Ownership. */
import { type Access, type Context, isGoodCaller, requireCaller } from '../access/context.ts'
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

/** The `findUnique` of a node of the caller's tenant. */
export const ownRow =
  (access: Exclude<Access, 'anyone'>, right?: Right) => (id: string, caller: Caller) => ({
    id,
    ...tenantOf(requireCaller(caller, access, right)),
  })

/** Whether the caller owns a row and may read it, or is an operator. */
export const isOwn = (
  caller: Caller,
  { partnerId, environment }: Tenant,
  right: Right = 'READ',
): boolean =>
  own(caller, right).some(
    (item) =>
      (item.partnerId ?? partnerId) === partnerId &&
      (item.environment ?? environment) === environment,
  )

/** The tenants whose users the caller may see. An operator may see those of their own partner only. */
const known = ({ callers: { secret, member } }: Caller): Tenant[] =>
  [secret, member]
    .filter((item) => isGoodCaller(item))
    .filter(({ rights }) => rights.includes('READ'))
    .map(tenantOf)

/** Whether the caller may see the users of a row. Its owner may; an operator of another partner may not. */
export const knowsUsers = (caller: Caller, { partnerId, environment }: Tenant): boolean =>
  known(caller).some((item) => item.partnerId === partnerId && item.environment === environment)

/** Whether a row belongs to the partner of the caller, whatever their rights and the environment. */
export const isOfPartner = (
  { callers: { secret, member } }: Caller,
  { partnerId }: Tenant,
): boolean => [secret, member].some((item) => isGoodCaller(item) && item.partnerId === partnerId)

/** The condition for public rows, and those whose users the caller may see. */
export const orKnown = <W extends object>(caller: Caller, isPublic: W) => ({
  OR: [isPublic, ...known(caller)],
})

/** A condition that one of these holds. Prisma ignores an empty condition inside OR, but it means all rows. */
const anyOf = <W extends object>(conditions: W[]): { OR?: W[] } => {
  // Inside of other conditions, Prisma ignores an OR of none.
  if (conditions.length === 0) return { OR: [{ id: { in: [] as string[] } } as unknown as W] }
  return conditions.some((condition) => Object.keys(condition).length === 0)
    ? {}
    : { OR: conditions }
}

/** The condition for the caller's own rows. */
export const whereOwn = (caller: Caller, right: Right = 'READ') => anyOf(own(caller, right))

/** The condition for public rows and the caller's own. */
export const orOwn = <W extends object>(caller: Caller, isPublic: W, right: Right = 'READ') =>
  anyOf<W | Partial<Tenant>>([isPublic, ...own(caller, right)])
