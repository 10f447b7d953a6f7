import { useState } from 'react'
import { useChange } from '../client/use-change.ts'
import {
  cancelGrant,
  claimGrant,
  failGrant,
  fulfillGrant,
  retryGrant,
  revokeGrant,
} from '../generated/reward.ts'
import type { GrantRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { OutsideRowMenu } from '../parts/row-menu.tsx'
import { grantsTexts as texts } from '../texts/rewards-texts.ts'
import { isToHandOut } from './grant-columns.tsx'
import { MessageButton, MessageField, messageOf } from './grant-message.tsx'
import { priceText } from './sale.ts'

/** Whether nothing has ended it yet. */
const isOpen = ({ status }: GrantRowFragment) =>
  status === 'HELD' || status === 'READY' || status === 'ISSUED' || status === 'FAILED'

/** What can be cancelled, so that the price and the stock come back: what was bought, and what is handed out. */
const isCancellable = (of: GrantRowFragment) =>
  isOpen(of) &&
  of.codeShownAt === null &&
  of.freePlaysLeft !== 0 &&
  (of.source === 'BOUGHT' || of.reward.kind === 'ITEM' || of.reward.kind === 'CODE')

/** What can be revoked by hand: what was given by hand. The rest follows from what its user did. */
const isRevocable = (of: GrantRowFragment) =>
  of.source === 'GIVEN' && isOpen(of) && !isCancellable(of)

const HandOut = ({ of: { id, reward } }: { of: GrantRowFragment }) => {
  const fulfill = useChange(fulfillGrant)
  const fail = useChange(failGrant)
  return (
    <>
      <OutsideRowMenu>
        <MessageButton
          label={texts.handOut}
          name={reward.name}
          explanation={texts.handOutHint}
          hint={texts.parcelHint}
          variant="filled"
          act={(message) => fulfill.mutateAsync({ input: { grantId: id, message } })}
          done={texts.handedOut}
        />
      </OutsideRowMenu>
      <MessageButton
        label={texts.fail}
        name={reward.name}
        explanation={texts.failHint}
        hint={texts.reasonHint}
        act={(message) => fail.mutateAsync({ input: { grantId: id, message } })}
        done={texts.failed}
      />
    </>
  )
}

const CancelButton = ({ of: { id, reward, price } }: { of: GrantRowFragment }) => {
  const [message, setMessage] = useState('')
  const change = useChange(cancelGrant)
  const paid = priceText(price)
  return (
    <DangerButton
      right="GRANTS_WRITE"
      size="xs"
      label={paid ? texts.cancelBought : texts.cancel}
      keepLabel={texts.keep}
      explanation={paid ? texts.cancelAndRefund(paid) : texts.cancelExplanation}
      name={reward.name}
      act={() => change.mutateAsync({ input: { grantId: id, message: messageOf(message) } })}
      done={texts.cancelled}
    >
      <MessageField description={texts.reasonHint} value={message} onChange={setMessage} />
    </DangerButton>
  )
}

/** The actions for what a user has been given. */
export const GrantActions = ({ of }: { of: GrantRowFragment }) => {
  const claim = useChange(claimGrant)
  const revoke = useChange(revokeGrant)
  const retry = useChange(retryGrant)
  const input = { grantId: of.id }
  return (
    <>
      {isToHandOut(of) && <HandOut of={of} />}
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
          done={of.failure === 'NOT_FULFILLED' ? texts.retriedItem : texts.retried}
        />
      )}
      {isCancellable(of) && <CancelButton of={of} />}
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
