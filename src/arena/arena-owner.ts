/** Who owns a thing of the arena: the members of its partner. Administrators see what owners see. */
import { type Context, isGoodCaller, requireCaller } from '../core/context.ts'

type Owned = { partnerId: string }

export const isOwner = ({ callers: { member } }: Pick<Context, 'callers'>, { partnerId }: Owned) =>
  isGoodCaller(member) && (member.role === 'ADMIN' || member.partnerId === partnerId)

/** A value for the owner; null to others. */
export const forOwner =
  <P extends Owned, T>(value: (parent: P, ctx: Context) => T) =>
  (parent: P, _: unknown, ctx: Context): T | null =>
    isOwner(ctx, parent) ? value(parent, ctx) : null

/**
 * Rows that the caller owns, as a condition.
 * @throws TesseraError INVALID_BEARER_TOKEN for who is no member
 */
export const ownedBy = (ctx: Context): Partial<Owned> => {
  const { role, partnerId } = requireCaller(ctx, 'member')
  return role === 'ADMIN' ? {} : { partnerId }
}

/** What is public and what the caller owns, as a condition. */
export const orOwned = <W extends object>(ctx: Context, isPublic: W) => {
  const { member } = ctx.callers
  if (!isGoodCaller(member)) return isPublic
  return member.role === 'ADMIN' ? {} : { OR: [isPublic, { partnerId: member.partnerId }] }
}

/** The partner whose users the caller may know: by a secret key of LIVE, or as a member there. */
export const backendOf = ({ callers: { secret, member } }: Pick<Context, 'callers'>) => {
  const caller = secret ?? member
  return isGoodCaller(caller) && caller.environment === 'LIVE' ? caller : null
}
