import { useChange } from '../client/use-change.ts'
import { updateApplication } from '../generated/applications.ts'
import type { ApplicationRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { applicationsTexts as texts } from '../texts/applications-texts.ts'

/** Refuses all keys of an application, or accepts them again. */
export const ApplicationStatusButton = ({ of }: { of: ApplicationRowFragment }) => {
  const change = useChange(updateApplication)
  const set = (status: typeof of.status) => () =>
    change.mutateAsync({ input: { applicationId: of.id, status } })
  return of.status === 'ACTIVE' ? (
    <DangerButton
      right="KEYS_WRITE"
      size="xs"
      label={texts.deactivate}
      explanation={texts.deactivateExplanation}
      name={of.name}
      act={set('INACTIVE')}
      done={texts.deactivated}
    />
  ) : (
    <ActionButton
      right="KEYS_WRITE"
      size="xs"
      label={texts.activate}
      act={set('ACTIVE')}
      done={texts.activated}
    />
  )
}
