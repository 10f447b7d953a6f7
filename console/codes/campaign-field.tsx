import type { SelectProps } from '@mantine/core'
import { campaignChoices } from '../generated/codes.ts'
import { FoundSelect } from '../parts/found-select.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'

/** Chooses a campaign that takes codes: any that has not ended. */
export const CampaignField = (props: Omit<SelectProps, 'data'>) => (
  <FoundSelect
    label={texts.campaign}
    placeholder={texts.campaignPlaceholder}
    required
    allowDeselect={false}
    operation={campaignChoices}
    choicesOf={({ campaigns }) =>
      campaigns.nodes
        .filter(({ phase }) => phase !== 'ENDED')
        .map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
    }
    {...props}
  />
)
