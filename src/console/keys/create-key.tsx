import { Select, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { createApiKey } from '../../generated/operations/keys.ts'
import { useChange } from '../client/use-change.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { keysTexts as texts } from '../texts/keys-texts.ts'

// Long: one form, with what it sends and each of its fields.
export const CreateKey = (props: { applications: readonly { id: string; name: string }[] }) => {
  const { applications } = props
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createApiKey)
  const form = useForm({
    initialValues: {
      kind: 'SECRET' as 'SECRET' | 'PUBLIC',
      label: '',
      applicationId: null as string | null,
      allowedNetworks: [] as string[],
    },
  })
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
        submit={async ({ kind, label, applicationId, allowedNetworks }) => {
          const { key } = await change.mutateAsync({
            input: {
              kind,
              label: label || null,
              ...(applicationId && { applicationId }),
              ...(allowedNetworks.length > 0 && { allowedNetworks }),
            },
          })
          showSecret({ title: texts.created1, hint: texts.onlyOnce, secret: key })
        }}
        submitLabel={texts.create}
      >
        <Select
          label={texts.kind}
          allowDeselect={false}
          data={[
            { value: 'SECRET', label: texts.kinds.SECRET },
            { value: 'PUBLIC', label: texts.kinds.PUBLIC },
          ]}
          {...form.getInputProps('kind')}
        />
        <TextInput
          label={texts.label}
          description={texts.labelHint}
          {...form.getInputProps('label')}
        />
        {applications.length > 1 && (
          <Select
            label={texts.application}
            clearable
            data={applications.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('applicationId')}
          />
        )}
        <TagsInput
          label={texts.networks}
          description={texts.networksHint}
          {...form.getInputProps('allowedNetworks')}
        />
      </FormDialog>
    </>
  )
}
