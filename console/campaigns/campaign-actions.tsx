import { Text } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { deleteCampaign, endCampaign, pauseCampaign, startCampaign } from '../generated/campaign.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { numberText } from '../parts/formats.ts'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { PublicPage } from '../parts/public-page.tsx'
import { campaignsTexts as texts } from '../texts/campaigns-texts.ts'
import { CloneCampaign } from './clone-campaign.tsx'

// Loaded when it is opened.
export const CampaignCheck = lazyRouteComponent(
  () => import('./campaign-check.tsx'),
  'CampaignCheck',
)

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
  const { id, status, name, pageUrl } = of
  const start = useChange(startCampaign)
  const pause = useChange(pauseCampaign)
  const end = useChange(endCampaign)
  const input = { campaign: { id } }
  return (
    <>
      {status !== 'DRAFT' && <PublicPage url={pageUrl} />}
      <CloneCampaign key={id} of={of} />
      <LifecycleButtons
        right="CAMPAIGNS_WRITE"
        {...{ name, status, texts }}
        start={() => start.mutateAsync({ input })}
        pause={() => pause.mutateAsync({ input })}
        end={() => end.mutateAsync({ input })}
        checks={{
          start: (frame) => <CampaignCheck of={of} frame={frame} to="start" />,
          pause: (frame) => <CampaignCheck of={of} frame={frame} to="pause" />,
        }}
        endEffects={
          of.participantCount > 0 && (
            <Text size="sm">{texts.endEffect(numberText(of.participantCount))}</Text>
          )
        }
        remove={<DeleteDraft of={of} />}
      />
    </>
  )
}
