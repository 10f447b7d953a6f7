import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { deleteCampaign, endCampaign, pauseCampaign, startCampaign } from '../generated/campaign.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { PublicPage } from '../parts/public-page.tsx'
import { campaignsTexts as texts } from '../texts/campaigns-texts.ts'
import { CopyToLive } from './copy-to-live.tsx'

const DeleteDraft = ({ of: { id, name } }: { of: CampaignSetUpFragment }) => {
  const goTo = useGoTo()
  const remove = useChange(deleteCampaign, { leave: () => goTo({ page: 'campaigns' }) })
  return (
    <DangerButton
      right="CAMPAIGNS_WRITE"
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={name}
      act={() => remove.mutateAsync({ input: { campaign: { id } } })}
      done={texts.deleted}
    />
  )
}

/** The actions for a campaign in its status. */
export const CampaignActions = ({ of }: { of: CampaignSetUpFragment }) => {
  const { id, status, name, pageUrl, environment } = of
  const start = useChange(startCampaign)
  const pause = useChange(pauseCampaign)
  const end = useChange(endCampaign)
  const input = { campaign: { id } }
  return (
    <>
      {status !== 'DRAFT' && <PublicPage url={pageUrl} />}
      {environment === 'TEST' && <CopyToLive of={of} />}
      <LifecycleButtons
        right="CAMPAIGNS_WRITE"
        {...{ name, status, texts }}
        start={() => start.mutateAsync({ input })}
        pause={() => pause.mutateAsync({ input })}
        end={() => end.mutateAsync({ input })}
        remove={<DeleteDraft of={of} />}
      />
    </>
  )
}
