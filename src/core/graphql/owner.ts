/** Who owns a thing, and what only they see on the type that everybody sees. */
import { type Context, isGoodCaller } from '../context.ts'
import { type Tenant, tenantOf } from '../tenant.ts'

type Caller = Pick<Context, 'callers'>

/**
 * The rows that are the caller's own, as conditions of which one must hold: those of the environment of
 * their secret key, or, for a member, who chooses the environment with each request, of their partner.
 * Administrators see what owners see.
 */
const own = ({ callers: { secret, member } }: Caller): Partial<Tenant>[] => [
  ...(isGoodCaller(secret) ? [tenantOf(secret)] : []),
  ...(isGoodCaller(member) ? [member.role === 'ADMIN' ? {} : { partnerId: member.partnerId }] : []),
]

/** Whether a thing is the caller's own, or the caller an administrator. */
export const isOwn = (caller: Caller, { partnerId, environment }: Tenant): boolean =>
  own(caller).some(
    (one) =>
      (one.partnerId ?? partnerId) === partnerId &&
      (one.environment ?? environment) === environment,
  )

/** Whether the caller may know the users of a thing: its owner may, an administrator of others may not. */
export const knowsUsers = (caller: Caller, thing: Tenant): boolean =>
  isOwn(caller, thing) &&
  [caller.callers.secret, caller.callers.member].some(
    (one) => isGoodCaller(one) && one.partnerId === thing.partnerId,
  )

/** Whether one of these holds. To Prisma an empty condition inside of OR is none; it means all rows. */
const anyOf = <W extends object>(conditions: W[]): { OR?: W[] } =>
  conditions.some((one) => Object.keys(one).length === 0) ? {} : { OR: conditions }

/** The caller's own rows, as a condition. */
export const whereOwn = (caller: Caller) => anyOf(own(caller))

/** What is public and what is the caller's own, as a condition. */
export const orOwn = <W extends object>(caller: Caller, isPublic: W) =>
  anyOf<W | Partial<Tenant>>([isPublic, ...own(caller)])

/** Options of a field that only the owner sees: null to others. */
export const forOwner = <P extends Tenant, T>(description: string, value: (parent: P) => T) => ({
  description: `${description} Null for everybody but the owner and administrators.`,
  nullable: true as const,
  resolve: (parent: P, _: unknown, ctx: Context): T | null =>
    isOwn(ctx, parent) ? value(parent) : null,
})
