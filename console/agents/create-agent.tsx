import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../client/use-change.ts'
import { createArenaAgent } from '../generated/agents.ts'
import type { ArenaAgentProvider } from '../generated/types.ts'
import { sentOf } from '../parts/form-changes.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { humanized } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { agentsTexts as texts } from '../texts/agents-texts.ts'
import { AgentFields } from './agent-form.tsx'

const providers: ArenaAgentProvider[] = [
  ...(['BUILTIN', 'WEBHOOK', 'CLAUDE', 'OPENAI', 'GEMINI', 'MISTRAL', 'CUSTOM'] as const),
]

const initialValues = {
  name: '',
  displayName: '',
  description: '',
  provider: 'WEBHOOK' as ArenaAgentProvider,
  modelId: '',
  endpointUrl: '',
  apiKey: '',
  isPublic: true,
}

export const CreateAgent = () => {
  const [isOpen, { open, close }] = useCreateDialog('ARENA_WRITE')
  const change = useChange(createArenaAgent)
  const form = useForm({ initialValues })
  const submit = async ({ name, displayName, modelId, ...values }: typeof initialValues) => {
    const input = { ...sentOf(values), name, displayName, modelId }
    const { signingSecret } = await change.mutateAsync({ input })
    if (signingSecret)
      showSecret({ title: texts.secretTitle, hint: texts.secretHint, secret: signingSecret })
  }
  return (
    <>
      <RightButton right="ARENA_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={submit}
        submitLabel={texts.create}
      >
        <TextInput
          label={texts.displayName}
          data-autofocus
          {...form.getInputProps('displayName')}
        />
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          {...form.getInputProps('name')}
        />
        <Select
          label={texts.provider}
          allowDeselect={false}
          data={providers.map((value) => ({ value, label: humanized(value) }))}
          {...form.getInputProps('provider')}
        />
        <AgentFields form={form} provider={form.values.provider} keyHint={texts.apiKeyHint} />
      </FormDialog>
    </>
  )
}
