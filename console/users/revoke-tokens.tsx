import { useChange } from '../client/use-change.ts'
import { revokeUserTokens } from '../generated/user.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

export const RevokeTokensButton = ({ userId, name }: { userId: string; name: string }) => {
  const change = useChange(revokeUserTokens)
  return (
    <DangerButton
      right="PLAY"
      variant="default"
      color="gray"
      label={texts.revokeTokens}
      explanation={texts.revokeTokensExplanation}
      name={name}
      act={() => change.mutateAsync({ input: { user: { id: userId } } })}
      done={texts.tokensRevoked}
    />
  )
}
