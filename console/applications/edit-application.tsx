import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useChange } from '../client/use-change.ts'
import { updateApplication } from '../generated/applications.ts'
import type { ApplicationRowFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RadioField } from '../parts/radio-field.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useEditDialog } from '../parts/use-edit-dialog.ts'
import { applicationsTexts as texts } from '../texts/applications-texts.ts'
import {
  type ApplicationValues,
  applicationFieldOf,
  changesOfApplication,
  faultOfKeys,
  valuesOfApplication,
} from './application-form.ts'

const SignerFields = ({ form }: { form: UseFormReturnType<ApplicationValues> }) => (
  <>
    <RadioField
      label={texts.signer}
      description={texts.signerHint}
      choices={texts.signerChoices}
      {...form.getInputProps('signer')}
    />
    {form.values.signer === 'ADDRESS' && (
      <TextInput
        label={texts.address}
        description={texts.addressHint}
        placeholder="https://id.example.com/jwks.json"
        type="url"
        inputMode="url"
        required
        maxLength={2048}
        {...form.getInputProps('jwksUrl')}
      />
    )}
    {form.values.signer === 'KEYS' && (
      <Textarea
        label={texts.keys}
        description={texts.keysHint}
        placeholder='{"keys": […]}'
        required
        autosize
        minRows={4}
        maxRows={12}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        spellCheck={false}
        {...form.getInputProps('jwks')}
      />
    )}
  </>
)

/** Changes the name of an application and what its public keys may do. */
// Long: one form, with its request and all of its fields.
export const EditApplication = ({ of }: { of: ApplicationRowFragment }) => {
  const change = useChange(updateApplication)
  const { form, isOpen, start, close } = useEditDialog(valuesOfApplication(of), {
    jwks: (_, values) => faultOfKeys(values),
  })
  return (
    <>
      <RightButton right="KEYS_WRITE" size="xs" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.editTitle(of.name)}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) =>
          change.mutateAsync({
            input: {
              applicationId: of.id,
              ...changesOfApplication(form.getInitialValues(), values),
            },
          })
        }
        nameOf={applicationFieldOf}
        done={texts.saved}
        size="lg"
      >
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          required
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <RadioField
          label={texts.publicProfiles}
          description={texts.publicProfilesHint}
          choices={texts.publicProfilesChoices}
          {...form.getInputProps('publicProfileVisibility')}
        />
        <RadioField
          label={texts.userTokens}
          description={texts.userTokensHint}
          choices={texts.userTokensChoices}
          {...form.getInputProps('userTokenPolicy')}
        />
        <SignerFields form={form} />
      </FormDialog>
    </>
  )
}
