import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { createArenaAgent } from '../../generated/operations/agents.ts'
import type { ArenaAgentProvider } from '../../generated/operations/types.ts'
import { useChange } from '../client/use-change.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { humanized } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { agentsTexts as texts } from '../texts/agents-texts.ts'

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

// Long: one form, with what it sends and each of its fields.
export const CreateAgent = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createArenaAgent)
  const form = useForm({ initialValues })
  const { provider } = form.values
  const isOwn = provider === 'WEBHOOK' || provider === 'CUSTOM'
  const submit = async ({ description, endpointUrl, apiKey, ...values }: typeof initialValues) => {
    const { signingSecret } = await change.mutateAsync({
      input: {
        ...values,
        ...(description && { description }),
        ...(endpointUrl && { endpointUrl }),
        ...(apiKey && { apiKey }),
      },
    })
    if (signingSecret)
      showSecret({ title: texts.secretTitle, hint: texts.secretHint, secret: signingSecret })
    form.reset()
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
        <Textarea label={texts.agentDescription} autosize {...form.getInputProps('description')} />
        <Select
          label={texts.provider}
          allowDeselect={false}
          data={providers.map((value) => ({ value, label: humanized(value) }))}
          {...form.getInputProps('provider')}
        />
        <TextInput label={texts.model} {...form.getInputProps('modelId')} />
        {isOwn && (
          <TextInput
            label={texts.endpoint}
            description={texts.endpointHint}
            type="url"
            {...form.getInputProps('endpointUrl')}
          />
        )}
        {!isOwn && provider !== 'BUILTIN' && (
          <PasswordInput
            label={texts.apiKey}
            description={texts.apiKeyHint}
            autoComplete="off"
            {...form.getInputProps('apiKey')}
          />
        )}
        <Switch label={texts.isPublic} {...form.getInputProps('isPublic', { type: 'checkbox' })} />
      </FormDialog>
    </>
  )
}
