import { useChange } from '../client/use-change.ts'
import { endCampaign, pauseCampaign, startCampaign } from '../generated/campaign.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { PublicPage } from '../parts/public-page.tsx'
import { campaignsTexts as texts } from '../texts/campaigns-texts.ts'
import { CopyToLive } from './copy-to-live.tsx'

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
      />
    </>
  )
}
