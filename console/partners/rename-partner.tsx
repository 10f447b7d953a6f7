import { TextInput } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { updatePartner } from '../generated/partners.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useEditDialog } from '../parts/use-edit-dialog.ts'
import { partnersTexts as texts } from '../texts/partners-texts.ts'

export const RenamePartner = ({ partnerId, name }: { partnerId: string; name: string }) => {
  const change = useChange(updatePartner)
  const { form, isOpen, start, close } = useEditDialog({ name })
  return (
    <>
      <RightButton right={undefined} size="xs" variant="default" onClick={start}>
        {texts.rename}
      </RightButton>
      <FormDialog
        title={texts.renameTitle(name)}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) =>
          change.mutateAsync({ input: { partner: { id: partnerId }, ...values } })
        }
        done={texts.renamed}
      >
        <TextInput
          label={texts.name}
          description={texts.renameHint}
          required
          maxLength={255}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </FormDialog>
    </>
  )
}
