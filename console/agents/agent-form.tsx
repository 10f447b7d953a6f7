import { PasswordInput, Switch, Textarea, TextInput } from '@mantine/core'
import type { useForm } from '@mantine/form'
import type { ArenaAgentProvider } from '../generated/types.ts'
import { agentsTexts as texts } from '../texts/agents-texts.ts'

type Form = Pick<ReturnType<typeof useForm>, 'getInputProps'>

/** The fields of an agent that can be changed. Its provider decides which of them it has. */
export const AgentFields = (props: {
  form: Form
  provider: ArenaAgentProvider
  keyHint: string
}) => {
  const { form, provider, keyHint } = props
  return (
    <>
      <Textarea label={texts.agentDescription} autosize {...form.getInputProps('description')} />
      <TextInput label={texts.model} {...form.getInputProps('modelId')} />
      {(provider === 'WEBHOOK' || provider === 'CUSTOM') && (
        <TextInput
          label={texts.endpoint}
          description={texts.endpointHint}
          type="url"
          {...form.getInputProps('endpointUrl')}
        />
      )}
      {provider !== 'BUILTIN' && provider !== 'WEBHOOK' && (
        <PasswordInput
          label={texts.apiKey}
          description={keyHint}
          autoComplete="off"
          {...form.getInputProps('apiKey')}
        />
      )}
      <Switch label={texts.isPublic} {...form.getInputProps('isPublic', { type: 'checkbox' })} />
    </>
  )
}
