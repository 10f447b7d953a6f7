import { useChange } from '../client/use-change.ts'
import { claimGrant, retryGrant, revokeGrant } from '../generated/reward.ts'
import type { GrantRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { grantsTexts as texts } from '../texts/rewards-texts.ts'

/** What can be revoked by hand: what was given by hand. The rest follows from what its user did. */
const isRevocable = ({ source, status }: GrantRowFragment) =>
  source === 'GIVEN' && status !== 'REVOKED' && status !== 'EXPIRED'

/** The actions for what a user has been given. */
export const GrantActions = ({ of }: { of: GrantRowFragment }) => {
  const claim = useChange(claimGrant)
  const revoke = useChange(revokeGrant)
  const retry = useChange(retryGrant)
  const input = { grantId: of.id }
  return (
    <>
      {of.status === 'READY' && of.needsClaim && (
        <ActionButton
          right="PLAY"
          size="xs"
          label={texts.claim}
          act={() => claim.mutateAsync({ input })}
          done={texts.claimed}
        />
      )}
      {of.status === 'FAILED' && (
        <ActionButton
          right="GRANTS_WRITE"
          size="xs"
          label={texts.retry}
          act={() => retry.mutateAsync({ input })}
          done={texts.retried}
        />
      )}
      {isRevocable(of) && (
        <DangerButton
          right="GRANTS_WRITE"
          size="xs"
          label={texts.revoke}
          explanation={texts.revokeExplanation}
          name={of.reward.name}
          act={() => revoke.mutateAsync({ input })}
          done={texts.revoked}
        />
      )}
    </>
  )
}
