import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../client/use-change.ts'
import { cloneCampaign } from '../generated/campaign.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { campaignsTexts as texts } from '../texts/campaigns-texts.ts'

/** Copies a campaign from TEST to LIVE, and opens the copy. */
export const CopyToLive = ({ of }: { of: CampaignSetUpFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(cloneCampaign)
  const navigate = useNavigate()
  const form = useForm({ initialValues: { newSlug: of.slug } })
  return (
    <>
      <RightButton right="CAMPAIGNS_WRITE" variant="default" onClick={open}>
        {texts.clone}
      </RightButton>
      <FormDialog
        title={texts.clone}
        isOpen={isOpen}
        onClose={close}
        form={form}
        nameOf={(path) => (path === 'slug' ? 'newSlug' : path)}
        submit={async ({ newSlug }) => {
          const input = { campaign: { id: of.id }, newSlug }
          const { campaign } = await change.mutateAsync({ input })
          navigate({
            to: `/live/campaigns/${encodeURIComponent(campaign.id)}`,
            search: { tab: 'setup' },
          })
        }}
        submitLabel={texts.clone}
        done={texts.cloned}
      >
        <Text size="sm">{texts.cloneHint}</Text>
        <TextInput
          label={texts.slug}
          description={texts.slugHint(`…/${form.values.newSlug}`)}
          required
          maxLength={64}
          data-autofocus
          {...form.getInputProps('newSlug')}
        />
      </FormDialog>
    </>
  )
}
