import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import type { EndpointFragment } from '../generated/types.ts'
import {
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  sendTestWebhook,
  updateWebhookEndpoint,
} from '../generated/webhook-endpoint.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'
import { EditEndpoint } from './edit-endpoint.tsx'
import { ReplayEvents } from './replay-events.tsx'

type Props = { of: EndpointFragment }

const SendTest = (props: Props & { onSent: (deliveryId: string) => void }) => {
  const { of, onSent } = props
  const change = useChange(sendTestWebhook)
  return (
    <ActionButton
      right="WEBHOOKS_WRITE"
      variant="filled"
      label={texts.sendTest}
      act={async () =>
        onSent(
          (await change.mutateAsync({ input: { webhookEndpointId: of.id } })).webhookDelivery.id,
        )
      }
      done={texts.testSent}
    />
  )
}

const RotateSecret = ({ of }: Props) => {
  const change = useChange(rotateWebhookSecret)
  return (
    <DangerButton
      right="WEBHOOKS_WRITE"
      label={texts.rotate}
      explanation={texts.rotateExplanation}
      name={of.url}
      variant="default"
      color="gray"
      act={async () => {
        const { secret } = await change.mutateAsync({ input: { webhookEndpointId: of.id } })
        showSecret({ title: texts.rotatedTitle, hint: texts.rotatedHint, secret })
      }}
    />
  )
}

/** Stops or resumes deliveries. */
const SwitchEndpoint = ({ of }: Props) => {
  const change = useChange(updateWebhookEndpoint)
  const set = (status: EndpointFragment['status']) =>
    change.mutateAsync({ input: { webhookEndpointId: of.id, status } })
  if (of.status === 'ACTIVE')
    return (
      <DangerButton
        right="WEBHOOKS_WRITE"
        label={texts.disable}
        explanation={texts.disableExplanation}
        name={of.url}
        act={() => set('DISABLED')}
        done={texts.disabledDone}
      />
    )
  return (
    <ActionButton
      right="WEBHOOKS_WRITE"
      variant="filled"
      label={texts.enable}
      act={() => set('ACTIVE')}
      done={texts.enabled}
    />
  )
}

const DeleteEndpoint = ({ of }: Props) => {
  const goTo = useGoTo()
  const change = useChange(deleteWebhookEndpoint, { leave: () => goTo({ page: 'webhooks' }) })
  return (
    <DangerButton
      right="WEBHOOKS_WRITE"
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={of.url}
      act={() => change.mutateAsync({ input: { webhookEndpointId: of.id } })}
      done={texts.deleted}
    />
  )
}

export const EndpointActions = (props: Props & { onSent: (deliveryId: string) => void }) => (
  <>
    {props.of.status === 'ACTIVE' && (
      <>
        <SendTest {...props} />
        <ReplayEvents of={props.of} />
      </>
    )}
    <EditEndpoint of={props.of} />
    <RotateSecret of={props.of} />
    <SwitchEndpoint of={props.of} />
    <DeleteEndpoint of={props.of} />
  </>
)
