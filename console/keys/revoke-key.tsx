import { useChange } from '../client/use-change.ts'
import { revokeApiKey } from '../generated/keys.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { keysTexts as texts } from '../texts/keys-texts.ts'
import type { KeyRow } from './key-row.ts'

export const RevokeKey = ({ of }: { of: KeyRow }) => {
  const change = useChange(revokeApiKey)
  return (
    <DangerButton
      right="KEYS_WRITE"
      size="xs"
      label={texts.revoke}
      explanation={texts.revokeExplanation}
      name={of.label ?? of.lastFour}
      act={() => change.mutateAsync({ input: { apiKeyId: of.id } })}
      done={texts.revokedDone}
    />
  )
}
