/** Ownership, and fields of public types that only the owner sees. */
import { type Context, isGoodCaller } from '../context.ts'
import { type Tenant, tenantOf } from '../tenant.ts'

type Caller = Pick<Context, 'callers'>

/**
 * The conditions for the caller's own rows, of which one must hold. A secret key owns those of its environment.
 * A member, who chooses the environment with each request, owns those of their partner. Administrators see
 * what owners see.
 */
const own = ({ callers: { secret, member } }: Caller): Partial<Tenant>[] => [
  ...(isGoodCaller(secret) ? [tenantOf(secret)] : []),
  ...(isGoodCaller(member) ? [member.role === 'ADMIN' ? {} : { partnerId: member.partnerId }] : []),
]

/** Whether the caller owns a row or is an administrator. */
export const isOwn = (caller: Caller, { partnerId, environment }: Tenant): boolean =>
  own(caller).some(
    (one) =>
      (one.partnerId ?? partnerId) === partnerId &&
      (one.environment ?? environment) === environment,
  )

/** Whether the caller may see the users of a row. Its owner may; an administrator of another partner may not. */
export const knowsUsers = (caller: Caller, thing: Tenant): boolean =>
  isOwn(caller, thing) &&
  [caller.callers.secret, caller.callers.member].some(
    (one) => isGoodCaller(one) && one.partnerId === thing.partnerId,
  )

/** A condition that one of these holds. Prisma ignores an empty condition inside OR, but it means all rows. */
const anyOf = <W extends object>(conditions: W[]): { OR?: W[] } =>
  conditions.some((one) => Object.keys(one).length === 0) ? {} : { OR: conditions }

/** The condition for the caller's own rows. */
export const whereOwn = (caller: Caller) => anyOf(own(caller))

/** The condition for public rows and the caller's own. */
export const orOwn = <W extends object>(caller: Caller, isPublic: W) =>
  anyOf<W | Partial<Tenant>>([isPublic, ...own(caller)])

/** Options of a field that only the owner sees: null to others. */
export const forOwner = <P extends Tenant, T>(description: string, value: (parent: P) => T) => ({
  description: `${description} Null unless the caller is the owner or an administrator.`,
  nullable: true as const,
  resolve: (parent: P, _: unknown, ctx: Context): T | null =>
    isOwn(ctx, parent) ? value(parent) : null,
})
