import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../client/use-change.ts'
import { createApplication } from '../generated/applications.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { applicationsTexts as texts } from '../texts/applications-texts.ts'

export const NewApplication = () => {
  const [isOpen, { open, close }] = useCreateDialog('KEYS_WRITE')
  const change = useChange(createApplication)
  const form = useForm({ initialValues: { name: '' } })
  return (
    <>
      <RightButton right="KEYS_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(input) => change.mutateAsync({ input })}
        submitLabel={texts.create}
        done={texts.createdDone}
      >
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          required
          maxLength={255}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </FormDialog>
    </>
  )
}
