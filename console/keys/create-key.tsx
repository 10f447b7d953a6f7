import { Select, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { useMissingRight } from '../client/viewer.tsx'
import { createApiKey } from '../generated/keys.ts'
import { chosen } from '../parts/choice-field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { keysTexts as texts } from '../texts/keys-texts.ts'

const kinds = ['SECRET', 'PUBLIC'] as const

export const CreateKeyButton = () => {
  const [, setSearch] = usePageSearch()
  return (
    <RightButton right="KEYS_WRITE" onClick={() => setSearch({ create: kinds[0] })}>
      {texts.create}
    </RightButton>
  )
}

/** The form of a new key. The URL holds whether it is open and for which kind, so that other pages can link to it. */
// Long: one form, with its request and all of its fields.
export const CreateKey = (props: { applications: readonly { id: string; name: string }[] }) => {
  const { applications } = props
  const [{ create }, setSearch] = usePageSearch()
  const query = chosen(create, kinds)
  const kind = query ?? kinds[0]
  const mayCreate = useMissingRight('KEYS_WRITE') === null
  const change = useChange(createApiKey)
  const form = useForm({
    initialValues: {
      label: '',
      applicationId: null as string | null,
      allowedNetworks: [] as string[],
    },
  })
  return (
    <FormDialog
      title={texts.create}
      isOpen={query !== undefined && mayCreate}
      onClose={() => setSearch({ create: undefined })}
      form={form}
      submit={async ({ label, applicationId, allowedNetworks }) => {
        const { key } = await change.mutateAsync({
          input: {
            kind,
            label: label || null,
            ...(applicationId && { applicationId }),
            ...(allowedNetworks.length > 0 && { allowedNetworks }),
          },
        })
        showSecret({ title: texts.created1, hint: texts.keepHints[kind], secret: key })
      }}
      submitLabel={texts.create}
    >
      <Select
        label={texts.kind}
        description={texts.kindHints[kind]}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        value={kind}
        onChange={(value) => value && setSearch({ create: value }, { replace: true })}
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
  )
}
