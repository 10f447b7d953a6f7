/** Personal data: one rule on the field, so that no path to it matters. */

import type { PublicProfiles } from '../../generated/prisma/enums.ts'
import { type Callers, type Context, isGoodCaller } from '../context.ts'

/** Whether the caller has shown a secret key or is a member. They see and set everything of their users. */
export const isTrusted = ({ callers }: { callers: Callers }): boolean =>
  isGoodCaller(callers.secret) || isGoodCaller(callers.member)

type Personal<P, T> = {
  /** Of the value; what a public key gets is added. */
  description: string
  value(parent: P): T
  /** What REST answers when there is no value, and when a public key may not see it. */
  unset: T
  /**
   * Whether a public key may see the value.
   * @param profiles undefined in GraphQL, and on routes whose documented answer has no personal fields
   */
  isShown(parent: P, profiles: PublicProfiles | undefined): boolean
}

/** Options of a field that holds personal data: null to a public key, unless the field says it is shown. */
export const personal = <P, T>({ description, value, unset, isShown }: Personal<P, T>) => ({
  description: `${description} Null to a public key that may not see it.`,
  nullable: true as const,
  extensions: { personal: { unset, description } },
  resolve: (parent: P, _: unknown, ctx: Context): T | null => {
    const { publicProfiles } = ctx
    if (isTrusted(ctx) || isShown(parent, publicProfiles)) return value(parent)
    return publicProfiles ? unset : null
  },
})

/** Shown by the documented routes, except what a secret key has set while the application masks profiles. */
export const inProfiles =
  <P>(isSetBySecret: (parent: P) => boolean) =>
  (parent: P, profiles: PublicProfiles | undefined): boolean =>
    profiles === 'FULL' || (profiles === 'MASKED' && !isSetBySecret(parent))
