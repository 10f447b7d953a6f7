import { Group } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { usePageId, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { campaign } from '../generated/campaign.ts'
import type { CampaignQuery } from '../generated/types.ts'
import { pageOf } from '../parts/connection-table.tsx'
import { timeText } from '../parts/formats.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page, PageSkeleton } from '../parts/page.tsx'
import { PageTabs, useTab } from '../parts/page-tabs.tsx'
import { usePeriod } from '../parts/period.tsx'
import { Status } from '../parts/status.tsx'
import { campaignsTexts as texts } from '../texts/campaigns-texts.ts'
import { CampaignActions } from './campaign-actions.tsx'
import type { ShownCampaign } from './campaign-lists.tsx'
import type { PreviewedCampaign } from './campaign-preview.tsx'

// Each tab is loaded when it is opened: the editor and the charts are larger than the rest of the page.
const CampaignEditor = lazyRouteComponent(() => import('./campaign-editor.tsx'), 'CampaignEditor')
const CampaignResults = lazyRouteComponent(
  () => import('./campaign-results.tsx'),
  'CampaignResults',
)
const lists = () => import('./campaign-lists.tsx')
const CampaignLeaderboard = lazyRouteComponent(lists, 'CampaignLeaderboard')
const CampaignWins = lazyRouteComponent(lists, 'CampaignWins')
const CampaignReferrals = lazyRouteComponent(lists, 'CampaignReferrals')
const CampaignCodes = lazyRouteComponent(lists, 'CampaignCodes')
const EventSimulation = lazyRouteComponent(
  () => import('./event-simulation.tsx'),
  'EventSimulation',
)
const SettingsHistory = lazyRouteComponent(
  () => import('../history/settings-history.tsx'),
  'SettingsHistory',
)

const parts = {
  results: CampaignResults,
  setup: CampaignEditor,
  participants: CampaignLeaderboard,
  wins: CampaignWins,
  referrals: CampaignReferrals,
  codes: CampaignCodes,
  simulate: EventSimulation,
  history: SettingsHistory,
}

const tabs = [
  ...(['results', 'setup', 'participants', 'wins', 'referrals', 'codes'] as const),
  ...(['simulate', 'history'] as const),
] as const

const isPreviewed = (of: ShownCampaign): of is PreviewedCampaign => of.leaders !== undefined

const SetUp = ({ of, viewer }: { of: ShownCampaign } & Pick<CampaignQuery, 'viewer'>) =>
  viewer && isPreviewed(of) ? (
    <CampaignEditor key={of.id} of={of} brand={viewer.partner.brand} />
  ) : (
    <PageSkeleton />
  )

/** One campaign: its results and its set-up. */
export const CampaignPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const tab = useTab(tabs)
  // Loads the tab in parallel with its data. React would show a fallback for at least 300 ms.
  parts[tab].preload?.()
  const period = usePeriod()
  const variables = {
    id,
    ...period.variables,
    isCompared: tab === 'results' && period.variables.isCompared,
    isResults: tab === 'results',
    isSetUp: tab === 'setup',
    isParticipants: tab === 'participants',
    isWins: tab === 'wins',
    isReferrals: tab === 'referrals',
    isCodes: tab === 'codes',
    ...pageOf(search, 25),
  }
  const query = usePage(campaign, variables)
  const found = query.data?.campaign
  return (
    <Page
      title={
        <Group gap="sm">
          {found?.name ?? texts.campaign}
          {found && <Status of={found.phase} />}
        </Group>
      }
      name={found?.name ?? texts.campaign}
      {...(found?.endedAt && { description: texts.endedAt(timeText(found.endedAt)) })}
      actions={found && <CampaignActions of={found} />}
      operation={campaign}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchCampaign}
    >
      {({ campaign: shown, viewer }) =>
        shown ? (
          <PageTabs names={tabs} labels={texts.tabs} shown={tab}>
            {tab === 'results' && <CampaignResults of={shown} period={period} />}
            {tab === 'setup' && <SetUp of={shown} viewer={viewer} />}
            {tab === 'participants' && <CampaignLeaderboard of={shown} />}
            {tab === 'wins' && <CampaignWins of={shown} />}
            {tab === 'referrals' && <CampaignReferrals of={shown} />}
            {tab === 'codes' && <CampaignCodes of={shown} />}
            {tab === 'simulate' && <EventSimulation key={shown.id} of={shown} />}
            {tab === 'history' && <SettingsHistory of={{ type: 'Campaign', id: shown.id }} />}
          </PageTabs>
        ) : (
          <NoSuch text={texts.noSuchCampaign} />
        )
      }
    </Page>
  )
}
