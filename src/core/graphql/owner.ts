/** What only the owner sees, on the type that everybody sees. */
import { type Context, isGoodCaller } from '../context.ts'
import type { Tenant } from '../tenant.ts'

/**
 * Whether a thing is the caller's own: of the environment of their secret key, or, for a member, who
 * chooses the environment with each request, of their partner.
 */
export const isOwn = (
  { callers: { secret, member } }: Pick<Context, 'callers'>,
  { partnerId, environment }: Tenant,
): boolean =>
  (isGoodCaller(secret) && secret.partnerId === partnerId && secret.environment === environment) ||
  (isGoodCaller(member) && member.partnerId === partnerId)

/** Options of a field that only the owner sees: null to others. */
export const forOwner = <P extends Tenant, T>(description: string, value: (parent: P) => T) => ({
  description: `${description} Null to others than the owner.`,
  nullable: true as const,
  resolve: (parent: P, _: unknown, ctx: Context): T | null =>
    isOwn(ctx, parent) ? value(parent) : null,
})
