import { Textarea } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { createCampaign } from '../generated/campaigns.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { NewDraft } from '../parts/new-draft.tsx'
import { faultOfPast } from '../parts/past.ts'
import { campaignEditorTexts, campaignsTexts as texts } from '../texts/campaigns-texts.ts'

const initialValues = {
  name: '',
  slug: '',
  description: '',
  startsAt: null as string | null,
  endsAt: null as string | null,
}

/** Creates a draft and opens its set-up. */
export const NewCampaign = () => {
  const change = useChange(createCampaign)
  return (
    <NewDraft
      right="CAMPAIGNS_WRITE"
      page="campaigns"
      label={texts.create}
      done={texts.created}
      texts={texts}
      lengths={{ name: 255, slug: 64 }}
      slugHint={(slug) => texts.slugHint(`…/${slug || 'summer-sale'}`)}
      initialValues={initialValues}
      validate={({ endsAt }) => ({ endsAt: faultOfPast(endsAt) })}
      create={async (input) => (await change.mutateAsync({ input })).campaign}
    >
      {(form) => (
        <>
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
            isAhead
            {...form.getInputProps('endsAt')}
          />
        </>
      )}
    </NewDraft>
  )
}
