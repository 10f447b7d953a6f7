import { useChange } from '../client/use-change.ts'
import { activateApplication, deactivateApplication } from '../generated/applications.ts'
import type { ApplicationRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { applicationsTexts as texts } from '../texts/applications-texts.ts'

/** Refuses all keys of an application, or accepts them again. */
export const ApplicationStatusButton = ({ of }: { of: ApplicationRowFragment }) => {
  const activation = useChange(activateApplication)
  const deactivation = useChange(deactivateApplication)
  const variables = { input: { applicationId: of.id } }
  return of.status === 'ACTIVE' ? (
    <DangerButton
      right="KEYS_WRITE"
      size="xs"
      label={texts.deactivate}
      explanation={texts.deactivateExplanation}
      name={of.name}
      act={() => deactivation.mutateAsync(variables)}
      done={texts.deactivated}
    />
  ) : (
    <ActionButton
      right="KEYS_WRITE"
      size="xs"
      label={texts.activate}
      act={() => activation.mutateAsync(variables)}
      done={texts.activated}
    />
  )
}
