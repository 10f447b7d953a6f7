import { Text } from '@mantine/core'
import { useState } from 'react'
import { makeChange } from '../client/change.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { fulfillGrant } from '../generated/reward.ts'
import type { ToHandOutQuery } from '../generated/types.ts'
import { ActOnChosen } from '../parts/act-on-chosen.tsx'
import { MessageField, messageOf } from '../rewards/grant-message.tsx'
import { fulfillmentTexts as texts } from '../texts/fulfillment-texts.ts'
import { grantsTexts } from '../texts/rewards-texts.ts'

export type Waiting = ToHandOutQuery['grants']['nodes'][number]

/** The reward and its user. */
const nameOf = ({ reward, user }: Waiting) =>
  texts.ofUser(reward.name, user.displayName ?? user.externalId)

/** Hands out all that are chosen. */
export const HandOutChosen = ({ of, onDone }: { of: Waiting[]; onDone: () => void }) => {
  const environment = useEnvironment()
  const [message, setMessage] = useState('')
  return (
    <ActOnChosen
      of={of}
      right="GRANTS_WRITE"
      title={texts.handOutAll}
      outcome={{
        done: texts.handedOut,
        nothingDone: texts.nothingHandedOut,
        refused: texts.refused,
      }}
      nameOf={nameOf}
      act={({ id }) =>
        makeChange(
          fulfillGrant,
          { input: { grantId: id, message: messageOf(message) } },
          environment,
        )
      }
      onDone={onDone}
      onClose={() => setMessage('')}
    >
      <Text size="sm">{texts.handOutHint}</Text>
      <MessageField
        label={texts.message}
        description={grantsTexts.parcelHint}
        value={message}
        onChange={setMessage}
      />
    </ActOnChosen>
  )
}
