import { Grid, Stack } from '@mantine/core'
import { usePage } from '../client/use-page.ts'
import { offers } from '../generated/offers.ts'
import type { OffersQuery } from '../generated/types.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodPicker, usePeriod } from '../parts/period.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { offersTexts as texts } from '../texts/offers-texts.ts'
import { EditOfferRule } from './offer-rule-form.tsx'
import { OfferRules } from './offer-rules.tsx'
import { OffersByType } from './offers-by-type.tsx'

const lines = [
  { metric: 'OFFERS_MADE', name: texts.made, color: 'blue.6' },
  { metric: 'OFFERS_CLAIMED', name: texts.claimed, color: 'teal.6' },
] as const

const OffersByDay = ({ of }: { of: OffersQuery['byDay'] }) => (
  <TimeChart
    label={texts.chart}
    kind="bar"
    height={220}
    series={lines.map(({ metric, name, color }) => ({
      name,
      color,
      buckets: of.find((one) => one.metric === metric)?.buckets ?? [],
    }))}
  />
)

export const OffersPage = () => {
  const period = usePeriod('30')
  const variables = { from: period.from, to: period.to }
  const asked = usePage(offers, variables)
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
      variables={variables}
      asked={asked}
    >
      {({ offerRules, byDay, byType }) => (
        <Stack>
          <Panel title={texts.rules} hint={texts.rulesHint} isFramed={false}>
            <OfferRules of={offerRules} />
          </Panel>
          <Grid gap="md">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Panel title={texts.chart}>
                <OffersByDay of={byDay} />
              </Panel>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Panel title={texts.byType} hint={texts.toUsers}>
                <OffersByType of={byType} />
              </Panel>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Page>
  )
}
