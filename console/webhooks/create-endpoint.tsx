import { useChange } from '../client/use-change.ts'
import { createWebhookEndpoint } from '../generated/webhooks.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'
import { EndpointFields, useEndpointForm } from './endpoint-form.tsx'

export const CreateEndpoint = () => {
  const [isOpen, { open, close }] = useCreateDialog('WEBHOOKS_WRITE')
  const change = useChange(createWebhookEndpoint)
  const form = useEndpointForm()
  return (
    <>
      <RightButton right="WEBHOOKS_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async ({ description, ...values }) => {
          const input = { ...values, description: description || null }
          const { secret } = await change.mutateAsync({ input })
          showSecret({ title: texts.createdTitle, hint: texts.onlyOnce, secret })
        }}
        submitLabel={texts.create}
      >
        <EndpointFields form={form} />
      </FormDialog>
    </>
  )
}
