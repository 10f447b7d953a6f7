import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { createCodeBatch } from '../generated/codes.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { faultOfPast } from '../parts/past.ts'
import { RightButton } from '../parts/right-button.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { CampaignField } from './campaign-field.tsx'
import { showCodes } from './codes-dialog.tsx'

/** Creates a batch, goes to its page, and shows its codes, once. The form asks for the campaign unless it is given. */
// Long: one form, with its request and all of its fields.
export const NewCodes = ({ campaignId = null }: { campaignId?: string | null }) => {
  const [isOpen, { open, close }] = useCreateDialog('CAMPAIGNS_WRITE', campaignId === null)
  const change = useChange(createCodeBatch)
  const goTo = useGoTo()
  const form = useForm({
    initialValues: {
      campaignId,
      codeCount: 100,
      points: 50,
      label: '',
      expiresAt: null as string | null,
    },
    validate: {
      campaignId: (id) => (id === null ? texts.campaignMissing : null),
      expiresAt: (at) => faultOfPast(at),
    },
  })
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
        submit={async ({ campaignId: id, label, ...values }) => {
          // `validate` requires it.
          const campaign = { id: id as string }
          const input = { ...values, campaign, label: label || null }
          const { codes, codeBatch } = await change.mutateAsync({ input })
          goTo({ page: 'codes', id: codeBatch.id })
          showCodes({ codes, name: [codeBatch.campaign.slug, label].filter(Boolean).join(' ') })
        }}
        nameOf={(path) => (/^campaign\b/.test(path) ? 'campaignId' : path)}
        submitLabel={texts.create}
      >
        {campaignId === null && <CampaignField {...form.getInputProps('campaignId')} />}
        <WholeNumberField
          label={texts.count}
          description={texts.countHint}
          min={1}
          max={10_000}
          {...form.getInputProps('codeCount')}
        />
        <WholeNumberField label={texts.points} min={1} {...form.getInputProps('points')} />
        <TextInput
          label={texts.label}
          description={texts.labelHint}
          maxLength={255}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <MomentField
          label={texts.expires}
          description={texts.expiresHint}
          clearable
          isAhead
          {...form.getInputProps('expiresAt')}
        />
      </FormDialog>
    </>
  )
}
