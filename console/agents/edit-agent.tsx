import { TextInput } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { updateArenaAgent } from '../generated/agent.ts'
import type { AgentDetailsFragment } from '../generated/types.ts'
import { changesIn } from '../parts/form-changes.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useEditDialog } from '../parts/use-edit-dialog.ts'
import { agentsTexts as texts } from '../texts/agents-texts.ts'
import { AgentFields } from './agent-form.tsx'

const valuesOf = (of: AgentDetailsFragment) => ({
  displayName: of.displayName,
  description: of.description ?? '',
  modelId: of.modelId,
  endpointUrl: of.endpointUrl ?? '',
  apiKey: '',
  isPublic: of.isPublic,
})

/** Changes an agent. A new model, address or key makes it a draft again. */
export const EditAgent = ({ of }: { of: AgentDetailsFragment }) => {
  const change = useChange(updateArenaAgent)
  const { form, isOpen, start, close } = useEditDialog(valuesOf(of))
  return (
    <>
      <RightButton right="ARENA_WRITE" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.editTitle}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) =>
          change.mutateAsync({ input: { arenaAgentId: of.id, ...changesIn(form, values) } })
        }
        done={texts.saved}
      >
        <TextInput
          label={texts.displayName}
          required
          data-autofocus
          {...form.getInputProps('displayName')}
        />
        <AgentFields form={form} provider={of.provider} keyHint={texts.newApiKeyHint} />
      </FormDialog>
    </>
  )
}
