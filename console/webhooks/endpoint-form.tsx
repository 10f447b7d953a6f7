import { MultiSelect, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useEnvironment } from '../client/viewer.tsx'
import type { EndpointFragment } from '../generated/types.ts'
import { useEventPatterns } from '../parts/use-event-patterns.ts'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'

export type EndpointValues = { url: string; eventNames: string[]; description: string }

export const endpointValuesOf = (endpoint?: EndpointFragment): EndpointValues => ({
  url: endpoint?.url ?? '',
  eventNames: [...(endpoint?.eventNames ?? ['*'])],
  description: endpoint?.description ?? '',
})

export const useEndpointForm = (endpoint?: EndpointFragment) =>
  useForm({ initialValues: endpointValuesOf(endpoint) })

/** The URL of an endpoint, and its events. */
export const EndpointFields = ({ form }: { form: UseFormReturnType<EndpointValues> }) => {
  const isLive = useEnvironment() === 'LIVE'
  const patterns = useEventPatterns() ?? []
  return (
    <>
      <TextInput
        label={texts.url}
        description={isLive ? texts.urlHintLive : texts.urlHintTest}
        placeholder="https://example.com/hooks"
        type="url"
        inputMode="url"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <MultiSelect
        label={texts.events}
        description={texts.eventsHint}
        data={[{ value: '*', label: texts.allEvents }, ...patterns]}
        searchable
        required
        {...form.getInputProps('eventNames')}
      />
      <Textarea
        label={texts.note}
        description={texts.noteHint}
        autosize
        maxRows={4}
        {...form.getInputProps('description')}
      />
    </>
  )
}
