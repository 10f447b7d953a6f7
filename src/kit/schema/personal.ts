/** Personal data. The rule is on the field, so it holds on every path to it. */

import type { PublicProfiles } from '../../generated/prisma/enums.ts'
import { type Callers, type Context, isGoodCaller } from '../access/context.ts'
import type { Right } from '../access/rights.ts'

/** Whether the caller has a secret key or is a member. What they set about their users is trusted. */
export const isTrusted = ({ callers }: { callers: Callers }): boolean =>
  isGoodCaller(callers.secret) || isGoodCaller(callers.member)

/** Whether a secret key or a member with this right sends the call. */
export const isTrustedTo = ({ callers }: { callers: Callers }, right: Right): boolean =>
  [callers.secret, callers.member].some((item) => isGoodCaller(item) && item.rights.includes(right))

/** Whether the caller reads personal data: it is trusted, and may read. */
export const readsPersonalData = (caller: { callers: Callers }): boolean =>
  isTrustedTo(caller, 'READ')

type Personal<P, T> = {
  /** Of the value. A sentence about public keys is appended: `toPublic`. */
  description: string
  /** What a public key sees; null by default. */
  toPublic?: string
  value(parent: P, ctx: Context): T | Promise<T>
  /** The value in REST when there is none, or a public key may not see it. */
  unset: T
  /**
   * Whether a public key may see the value.
   * @param profiles undefined in GraphQL, and on routes whose documented answer has no personal fields
   */
  isShown(parent: P, profiles: PublicProfiles | undefined): boolean
}

/** Options of a field with personal data: null to a public key unless `isShown`. */
export const personal = <P, T>({
  description,
  toPublic = 'Null to a public key.',
  value,
  unset,
  isShown,
}: Personal<P, T>) => ({
  description: `${description} ${toPublic}`,
  nullable: true as const,
  extensions: { personal: { unset, description } },
  resolve: (parent: P, _: unknown, ctx: Context): T | null | Promise<T> => {
    const { publicProfiles } = ctx
    if (readsPersonalData(ctx) || isShown(parent, publicProfiles)) return value(parent, ctx)
    return publicProfiles ? unset : null
  },
})

/** Shown on the documented routes, except values set by a secret key while the application masks profiles. */
export const inProfiles =
  <P>(isSetBySecret: (parent: P) => boolean) =>
  (parent: P, profiles: PublicProfiles | undefined): boolean =>
    profiles === 'FULL' || (profiles === 'MASKED' && !isSetBySecret(parent))
