import { Alert, Grid, Group, Stack } from '@mantine/core'
import { PageButton } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { useMissingRight } from '../client/viewer.tsx'
import { home } from '../generated/home.ts'
import { Page } from '../parts/page.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'
import { pageNames } from '../texts/shell-texts.ts'
import { homeTimes } from './home-times.ts'
import { RunningNow } from './running.tsx'
import { Today } from './today.tsx'
import { Trends } from './trends.tsx'
import { NeedsYou } from './waiting.tsx'

/** Leads a partner without any activity to the first steps. */
const FirstSteps = () =>
  useMissingRight('KEYS_READ') === null && (
    <Alert role="note">
      <Group>
        {texts.nothingYet}
        <PageButton page="start">{pageNames.start}</PageButton>
      </Group>
    </Alert>
  )

export const OverviewPage = () => {
  const readsKeys = useMissingRight('KEYS_READ') === null
  const { weekday: _, ...asks } = homeTimes()
  const variables = { ...asks, readsKeys }
  const query = usePage(home, variables, { refreshMs: 60_000 })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={home}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <Stack gap="md">
          {data.events.nodes.length === 0 && <FirstSteps />}
          <Today of={data} times={homeTimes()} />
          <Grid gap="md">
            <Grid.Col span={{ base: 12, lg: 8 }} order={{ base: 2, lg: 1 }}>
              <RunningNow of={data} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }} order={{ base: 1, lg: 2 }}>
              <NeedsYou of={data} />
            </Grid.Col>
          </Grid>
          <Trends />
        </Stack>
      )}
    </Page>
  )
}
