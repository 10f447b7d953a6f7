import type { ArenaResultPolicy } from '../generated/types.ts'
import { humanized } from '../parts/formats.ts'
import { acceptancesTexts as texts } from '../texts/acceptances-texts.ts'

/** Who decides results, in words. */
export const policyText = (policy: ArenaResultPolicy | null) =>
  policy === 'QUORUM' || policy === 'SERVER' ? texts.policies[policy] : humanized(policy ?? '')
