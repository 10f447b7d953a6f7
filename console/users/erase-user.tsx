import { useChange } from '../client/use-change.ts'
import { eraseUser } from '../generated/user.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

export const EraseUserButton = ({ userId, name }: { userId: string; name: string }) => {
  const change = useChange(eraseUser)
  return (
    <DangerButton
      right="USERS_ERASE"
      label={texts.erase}
      explanation={texts.eraseExplanation}
      name={name}
      act={() => change.mutateAsync({ input: { user: { id: userId } } })}
      done={texts.erased}
    />
  )
}
