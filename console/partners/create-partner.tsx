import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../client/use-change.ts'
import { createPartner } from '../generated/partners.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NameFields } from '../parts/name-fields.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { partnersTexts as texts } from '../texts/partners-texts.ts'

export const CreatePartnerButton = () => {
  const [isOpen, { open, close }] = useCreateDialog()
  const change = useChange(createPartner)
  const form = useForm({ initialValues: { name: '', slug: '' } })
  return (
    <>
      <Button onClick={open}>{texts.create}</Button>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(input) => change.mutateAsync({ input })}
        submitLabel={texts.create}
        done={texts.created}
      >
        <NameFields
          form={form}
          nameLabel={texts.name}
          nameLength={255}
          slugLabel={texts.slug}
          slugHint={texts.slugHint}
          slugLength={64}
        />
      </FormDialog>
    </>
  )
}
