import {
  Alert,
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core'
import { useState } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { goalPreview } from '../generated/goal.ts'
import type { GoalPreviewQuery, GoalSetUpFragment } from '../generated/types.ts'
import { numberText, percentText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { goalTrialTexts as texts } from '../texts/goals-texts.ts'

type Preview = NonNullable<GoalPreviewQuery['previewGoal']>
type Days = keyof typeof texts.periods

const dayMs = 24 * 3_600_000

const adviceFor = (
  { userCount, checkedUserCount, accuracy }: Preview,
  segment: GoalSetUpFragment['segment'],
) => {
  if (userCount === 0) return segment ? texts.nobodyInSegment(segment.name) : texts.nobody
  return userCount === checkedUserCount && accuracy === 'EXACT' ? texts.everybody : null
}

const Figures = (props: { of: Preview; segment: GoalSetUpFragment['segment'] }) => {
  const { of, segment } = props
  const { userCount, completionCount, checkedUserCount, accuracy } = of
  const figure = (count: number) =>
    accuracy === 'AT_LEAST' ? texts.atLeast(numberText(count)) : count
  const advice = adviceFor(of, segment)
  return (
    <Stack gap="md" role="status">
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <StatCard label={texts.users} value={figure(userCount)} />
        <StatCard label={texts.completions} value={figure(completionCount)} />
        <StatCard label={texts.checked} value={checkedUserCount} />
        <StatCard
          label={texts.share}
          value={checkedUserCount === 0 ? '–' : percentText(userCount / checkedUserCount)}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {accuracy === 'EXACT' ? texts.exact : texts.notAll}
      </Text>
      {advice && checkedUserCount > 0 && <Alert color="yellow">{advice}</Alert>}
    </Stack>
  )
}

const Result = ({ of, since }: { of: GoalSetUpFragment; since: string }) => {
  const { data, error, refetch } = usePage(goalPreview, { id: of.id, since })
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  if (!data) return <Skeleton h={110} aria-busy aria-label={texts.looking} />
  return data.previewGoal && <Figures of={data.previewGoal} segment={of.segment} />
}

/** How many users would have completed a goal. It is looked at only when asked, because it reads many timelines. */
export const GoalTrial = ({ of }: { of: GoalSetUpFragment }) => {
  const [search, setSearch] = usePageSearch()
  const query = search['since'] as Days | undefined
  const [days, setDays] = useState<Days>(query ?? '30')
  // The same moment for each rendering, so that it is asked once.
  const [now] = useState(Date.now)
  const isAsked = query !== undefined && query in texts.periods
  return (
    <Panel title={texts.title} hint={texts.hint}>
      <Group align="flex-end" mb="md" gap="sm">
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {texts.since}
          </Text>
          <SegmentedControl
            aria-label={texts.since}
            value={days}
            onChange={(value) => setDays(value as Days)}
            data={Object.entries(texts.periods).map(([value, label]) => ({ value, label }))}
          />
        </Stack>
        <Button onClick={() => setSearch({ since: days })}>{texts.look}</Button>
      </Group>
      {isAsked && <Result of={of} since={new Date(now - Number(query) * dayMs).toISOString()} />}
    </Panel>
  )
}
