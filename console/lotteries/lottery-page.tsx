import { Alert, Group } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { usePageId, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { lottery } from '../generated/lottery.ts'
import { pageOf } from '../parts/connection-table.tsx'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { PageTabs, useTab } from '../parts/page-tabs.tsx'
import { usePeriod } from '../parts/period.tsx'
import { Status } from '../parts/status.tsx'
import { lotteriesTexts as texts } from '../texts/lotteries-texts.ts'
import { DrawDetails } from './draw-details.tsx'
import { LotteryActions, useManages } from './lottery-actions.tsx'
import { LotteryDraws } from './lottery-draws.tsx'
import { LotteryTickets } from './lottery-tickets.tsx'
import type { ShownLottery } from './shown-lottery.ts'

// Loaded when its tab is opened: the editor and the charts are larger than the rest of the page.
const LotteryEditor = lazyRouteComponent(() => import('./lottery-editor.tsx'), 'LotteryEditor')
const LotteryResults = lazyRouteComponent(() => import('./lottery-results.tsx'), 'LotteryResults')
const SettingsHistory = lazyRouteComponent(
  () => import('../history/settings-history.tsx'),
  'SettingsHistory',
)

const tabs = ['draws', 'tickets', 'results', 'setup', 'history'] as const

/** A closed draw changes on its own until it is completed. */
const isMoving = (shown: ShownLottery | null | undefined) =>
  shown?.draw?.status === 'CLOSED' || shown?.draw?.status === 'DRAWING'

const ManagedBy = ({ of }: { of: ShownLottery }) =>
  useManages(of) ? null : (
    <Alert color="gray" mb="md">
      {texts.notYours}
    </Alert>
  )

/** One lottery: its draws, one of them in detail, the tickets, and how it is set up. */
export const LotteryPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const tab = useTab(tabs)
  const period = usePeriod()
  const drawId = search['draw'] ?? ''
  const isDraw = tab === 'draws' && drawId !== ''
  const variables = {
    id,
    ...period.variables,
    isCompared: tab === 'results' && period.variables.isCompared,
    drawId,
    isDraws: tab === 'draws' && !isDraw,
    isDraw,
    isTickets: tab === 'tickets',
    isResults: tab === 'results',
    ...pageOf(search, 25),
  }
  const query = usePage(lottery, variables, {
    refreshMs: (data) => (isMoving(data?.lottery) ? 2_000 : 0),
  })
  const found = query.data?.lottery
  return (
    <Page
      title={
        <Group gap="sm">
          {found?.name ?? texts.lottery}
          {found && <Status of={found.status} />}
        </Group>
      }
      name={found?.name ?? texts.lottery}
      part={isDraw && found?.draw ? texts.drawName(found.draw.number) : undefined}
      actions={found && <LotteryActions of={found} />}
      operation={lottery}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchLottery}
    >
      {({ lottery: shown }) =>
        shown ? (
          <>
            <ManagedBy of={shown} />
            <PageTabs names={tabs} labels={texts.tabs} shown={tab}>
              {isDraw && <DrawDetails of={shown} />}
              {tab === 'draws' && !isDraw && <LotteryDraws of={shown} />}
              {tab === 'tickets' && <LotteryTickets of={shown} />}
              {tab === 'results' && <LotteryResults of={shown} period={period} />}
              {tab === 'setup' && <LotteryEditor key={shown.id} of={shown} />}
              {tab === 'history' && <SettingsHistory of={{ type: 'Lottery', id: shown.id }} />}
            </PageTabs>
          </>
        ) : (
          <NoSuch text={texts.noSuchLottery} />
        )
      }
    </Page>
  )
}
