import { SegmentedControl, Stack } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { funnel } from '../generated/funnel.ts'
import { chosen } from '../parts/choice-field.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodPicker, usePeriod } from '../parts/period.tsx'
import { funnelTexts as texts } from '../texts/funnel-texts.ts'
import { type CohortLength, RetentionTable } from './retention-table.tsx'
import { StageTable } from './stage-table.tsx'
import { Transitions } from './transitions.tsx'

const dayMs = 24 * 3600 * 1000

/** Twelve weeks or months. */
const cohortDays: Record<CohortLength, number> = { WEEK: 7 * 11, MONTH: 30 * 11 }

const IntervalSwitch = ({ value }: { value: CohortLength }) => {
  const [, setSearch] = usePageSearch()
  return (
    <SegmentedControl
      size="xs"
      aria-label={texts.interval}
      value={value}
      onChange={(interval) => setSearch({ interval })}
      data={Object.entries(texts.intervals).map(([name, label]) => ({ value: name, label }))}
    />
  )
}

export const FunnelPage = () => {
  const [search] = usePageSearch()
  const period = usePeriod()
  const interval = chosen(search['interval'], ['WEEK', 'MONTH'] as const) ?? 'WEEK'
  const end = new Date(period.to).getTime()
  const variables = {
    from: period.from,
    to: period.to,
    interval,
    cohortsFrom: new Date(end - cohortDays[interval] * dayMs).toISOString(),
    cohortsTo: period.to,
  }
  const query = usePage(funnel, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PeriodPicker of={period} isCompared={false} />}
      operation={funnel}
      variables={variables}
      asked={query}
    >
      {({ journeyFunnel, retention }) => (
        <Stack>
          <Panel
            title={texts.stages}
            hint={texts.stagesHint}
            actions={
              <PageLink page="stage-rules" size="sm">
                {texts.rules}
              </PageLink>
            }
          >
            <StageTable of={journeyFunnel.stages} />
          </Panel>
          <Panel title={texts.transitions} hint={texts.transitionsHint}>
            <Transitions of={journeyFunnel.transitions} />
          </Panel>
          <Panel
            title={texts.retention}
            hint={texts.retentionHint}
            actions={<IntervalSwitch value={interval} />}
          >
            <RetentionTable of={retention} interval={interval} />
          </Panel>
        </Stack>
      )}
    </Page>
  )
}
