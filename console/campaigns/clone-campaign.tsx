import { Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../client/use-change.ts'
import { type Environment, segmentOf } from '../environment.ts'
import { cloneCampaign } from '../generated/campaign.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NameFields } from '../parts/name-fields.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { campaignsTexts as texts } from '../texts/campaigns-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'

/** `Summer Sale` → `Summer Sale 2` → `Summer Sale 3`; `summer-sale` → `summer-sale-2`. */
const nextName = (name: string, separator: string, maxLength: number) => {
  const [ending = '', number = '1'] = /[ -](\d{1,6})$/.exec(name) ?? []
  const stem = name.slice(0, name.length - ending.length)
  const end = `${separator}${Number(number) + 1}`
  return stem.slice(0, maxLength - end.length) + end
}

type Copied = Pick<CampaignSetUpFragment, 'name' | 'slug' | 'environment'>

/** Names are unique in an environment, so a copy in the other one can keep them. */
const namesIn = (environment: Environment, of: Copied) =>
  environment === of.environment
    ? { name: nextName(of.name, ' ', 255), slug: nextName(of.slug, '-', 64) }
    : { name: of.name, slug: of.slug }

/** Copies a campaign to a draft in either environment, and opens the copy. */
export const CloneCampaign = ({ of }: { of: CampaignSetUpFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(cloneCampaign)
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { toEnvironment: of.environment, ...namesIn(of.environment, of) },
  })
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
        submit={async (values) => {
          const input = { campaign: { id: of.id }, ...values }
          const { campaign } = await change.mutateAsync({ input })
          navigate({
            to: `/${segmentOf(values.toEnvironment)}/campaigns/${encodeURIComponent(campaign.id)}`,
            search: { tab: 'setup' },
          })
        }}
        submitLabel={texts.clone}
        done={texts.cloned}
      >
        <Text size="sm">{texts.cloneHint}</Text>
        <Select
          label={texts.cloneTo}
          allowDeselect={false}
          data={[
            { value: 'TEST', label: shellTexts.test },
            { value: 'LIVE', label: shellTexts.live },
          ]}
          {...form.getInputProps('toEnvironment')}
          onChange={(value) => {
            const toEnvironment = value as Environment
            form.setValues({ toEnvironment, ...namesIn(toEnvironment, of) })
          }}
        />
        <NameFields
          form={form}
          nameLabel={texts.name}
          nameLength={255}
          slugLabel={texts.slug}
          slugHint={texts.slugHint(`…/${form.values.slug}`)}
          slugLength={64}
        />
      </FormDialog>
    </>
  )
}
