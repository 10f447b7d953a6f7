import { Switch, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useChange } from '../client/use-change.ts'
import type { EndpointFragment } from '../generated/types.ts'
import { replayWebhookEvents } from '../generated/webhook-endpoint.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'

const yesterday = () => new Date(Date.now() - 24 * 3600 * 1000).toISOString()

export const ReplayEvents = ({ of }: { of: EndpointFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(replayWebhookEvents)
  const form = useForm({
    initialValues: { from: yesterday(), to: null as string | null, failedOnly: false },
  })
  /** One call queues 10,000 events at most. */
  const replay = async (period: typeof form.values) => {
    const to = period.to ?? new Date().toISOString()
    let [count, after]: [number, string | null] = [0, null]
    do {
      const { queuedCount, continueAfter } = await change.mutateAsync({
        input: { ...period, to, webhookEndpointId: of.id, afterEventId: after },
      })
      count += queuedCount
      after = continueAfter?.id ?? null
    } while (after !== null)
    notifications.show({ message: texts.replayed(numberText(count)), color: 'teal' })
  }
  return (
    <>
      <RightButton right="WEBHOOKS_WRITE" variant="default" onClick={open}>
        {texts.replay}
      </RightButton>
      <FormDialog
        title={texts.replay}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={replay}
        submitLabel={texts.replay}
      >
        <Text size="sm">{texts.replayHint}</Text>
        <MomentField label={texts.from} {...form.getInputProps('from')} />
        <MomentField
          label={texts.to}
          description={texts.toHint}
          clearable
          {...form.getInputProps('to')}
        />
        <Switch
          label={texts.failedOnly}
          {...form.getInputProps('failedOnly', { type: 'checkbox' })}
        />
      </FormDialog>
    </>
  )
}
