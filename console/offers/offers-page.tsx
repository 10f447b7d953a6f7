import { Grid, Stack } from '@mantine/core'
import { usePage } from '../client/use-page.ts'
import { offers } from '../generated/offers.ts'
import type { OffersQuery } from '../generated/types.ts'
import { lineOf } from '../parts/metrics.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { type ComparedPeriod, PeriodPicker, usePeriod } from '../parts/period.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { offersTexts as texts } from '../texts/offers-texts.ts'
import { EditOfferRule } from './offer-rule-form.tsx'
import { OfferRules } from './offer-rules.tsx'
import { OffersByType } from './offers-by-type.tsx'

const lines = [
  { metric: 'OFFERS_MADE', name: texts.made, color: 'blue.6' },
  { metric: 'OFFERS_CLAIMED', name: texts.claimed, color: 'teal.6' },
] as const

const OffersByDay = ({ of, period }: { of: OffersQuery; period: ComparedPeriod }) => (
  <TimeChart
    label={texts.chart}
    kind="bar"
    height={220}
    today={period.today}
    earlierLabel={period.earlierLabel}
    series={lines.map((line) => lineOf(of.byDay, of.earlier, period, line))}
  />
)

export const OffersPage = () => {
  const period = usePeriod()
  const query = usePage(offers, period.variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <>
          <PeriodPicker of={period} />
          <EditOfferRule />
        </>
      }
      operation={offers}
      variables={period.variables}
      asked={query}
    >
      {(data) => (
        <Stack>
          <Panel title={texts.rules} hint={texts.rulesHint} isFramed={false}>
            <OfferRules of={data.offerRules} />
          </Panel>
          <Grid gap="md">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Panel title={texts.chart}>
                <OffersByDay of={data} period={period} />
              </Panel>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Panel title={texts.byType} hint={texts.toUsers}>
                <OffersByType of={data.byType} />
              </Panel>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Page>
  )
}
