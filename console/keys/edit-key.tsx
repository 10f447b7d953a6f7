import { TagsInput, TextInput } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { updateApiKey } from '../generated/keys.ts'
import { changesIn } from '../parts/form-changes.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useEditDialog } from '../parts/use-edit-dialog.ts'
import { keysTexts as texts } from '../texts/keys-texts.ts'
import type { KeyRow } from './key-row.ts'

const valuesOf = ({ label, allowedNetworks }: KeyRow) => ({
  label: label ?? '',
  allowedNetworks: [...(allowedNetworks ?? [])],
})

/** Changes the label of a key and the networks that may use it. */
export const EditKey = ({ of }: { of: KeyRow }) => {
  const change = useChange(updateApiKey)
  const { form, isOpen, start, close } = useEditDialog(valuesOf(of))
  return (
    <>
      <RightButton right="KEYS_WRITE" size="xs" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.editTitle(of.label ?? of.lastFour)}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) =>
          change.mutateAsync({ input: { apiKeyId: of.id, ...changesIn(form, values) } })
        }
        done={texts.saved}
      >
        <TextInput
          label={texts.label}
          description={texts.labelHint}
          maxLength={255}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <TagsInput
          label={texts.networks}
          description={texts.networksHint}
          {...form.getInputProps('allowedNetworks')}
        />
      </FormDialog>
    </>
  )
}
