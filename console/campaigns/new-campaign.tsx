import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { createCampaign } from '../generated/campaigns.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { NameFields } from '../parts/name-fields.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { campaignEditorTexts, campaignsTexts as texts } from '../texts/campaigns-texts.ts'

const initialValues = {
  name: '',
  slug: '',
  description: '',
  startsAt: null as string | null,
  endsAt: null as string | null,
}

/** Creates a draft and opens its set-up. */
// Long: one form, with its request and all of its fields.
export const NewCampaign = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createCampaign)
  const goTo = useGoTo()
  const form = useForm({ initialValues })
  return (
    <>
      <RightButton right="CAMPAIGNS_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async (values) => {
          const { campaign } = await change.mutateAsync({ input: values })
          goTo({ page: 'campaigns', id: campaign.id, search: { tab: 'setup' } })
        }}
        submitLabel={texts.create}
        done={texts.created}
      >
        <NameFields
          form={form}
          nameLabel={texts.name}
          nameLength={255}
          slugLabel={texts.slug}
          slugHint={texts.slugHint(`…/${form.values.slug || 'summer-sale'}`)}
          slugLength={64}
        />
        <Textarea
          label={texts.descriptionLabel}
          description={texts.descriptionHint}
          autosize
          minRows={2}
          maxLength={2000}
          {...form.getInputProps('description')}
        />
        <MomentField
          label={texts.starts}
          description={campaignEditorTexts.startsHint}
          clearable
          {...form.getInputProps('startsAt')}
        />
        <MomentField
          label={texts.ends}
          description={campaignEditorTexts.endsHint}
          clearable
          {...form.getInputProps('endsAt')}
        />
      </FormDialog>
    </>
  )
}
