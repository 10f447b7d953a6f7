import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import type { EndpointFragment } from '../generated/types.ts'
import { updateWebhookEndpoint } from '../generated/webhook-endpoint.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'
import { EndpointFields, endpointValuesOf, useEndpointForm } from './endpoint-form.tsx'

export const EditEndpoint = ({ of }: { of: EndpointFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(updateWebhookEndpoint)
  const form = useEndpointForm(of)
  const start = () => {
    form.setValues(endpointValuesOf(of))
    open()
  }
  return (
    <>
      <RightButton right="WEBHOOKS_WRITE" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.edit}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={({ description, ...values }) =>
          change.mutateAsync({
            input: { ...values, webhookEndpointId: of.id, description: description || null },
          })
        }
        done={texts.saved}
      >
        <EndpointFields form={form} />
      </FormDialog>
    </>
  )
}
