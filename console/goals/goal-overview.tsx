import { Grid, Stack, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { column } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { numberText } from '../parts/formats.ts'
import { IconMedal } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { leftOf, RewardLabel, worthOf } from '../rewards/reward-name.tsx'
import { goalCardTexts, goalOverviewTexts as texts } from '../texts/goals-texts.ts'
import { streakEditorTexts, streakOverviewTexts as streakTexts } from '../texts/streaks-texts.ts'
import { GoalCard } from './goal-card.tsx'
import { GoalFacts, GoalTasks } from './goal-facts.tsx'
import { shownGoalOf } from './shown-goal.ts'
import { exampleOf, StreakExample } from './streak-example.tsx'
import { StreakFacts } from './streak-facts.tsx'

type Reward = GoalSetUpFragment['rewards'][number]

const columns: Column<Reward>[] = [
  column(texts.reward, (reward) => (
    <PageLink page="rewards" id={reward.id} fw={600}>
      <RewardLabel of={reward} />
    </PageLink>
  )),
  column(texts.worth, worthOf),
  {
    ...column(texts.given, ({ grantCount }: Reward) => numberText(grantCount ?? 0)),
    textAlign: 'right',
  },
  {
    ...column<Reward>(texts.left, leftOf),
    textAlign: 'right',
  },
]

/** What a goal asks, how it works and what it gives, with the card that users see. */
export const GoalOverview = ({ of }: { of: GoalSetUpFragment }) => (
  <Grid gap="md">
    <Grid.Col span={{ base: 12, lg: 8 }}>
      <Stack gap="md">
        <Panel title={texts.asks} hint={of.tasks.length > 1 ? texts.asksHint : ''}>
          <GoalTasks of={of} />
        </Panel>
        <Panel
          title={texts.rewards}
          hint={of.rewards.length > 0 ? texts.givenHint : ''}
          isFramed={false}
        >
          <ConnectionTable
            label={texts.rewards}
            of={{ nodes: of.rewards }}
            columns={columns}
            idOf={({ id }) => id}
            empty={
              <EmptyState
                icon={IconMedal}
                text={of.streak?.milestones.length ? streakTexts.onlyMilestones : texts.noRewards}
              />
            }
          />
        </Panel>
        {of.streak && (
          <Panel title={streakTexts.title}>
            <StreakFacts of={of} />
          </Panel>
        )}
        <Panel title={texts.conditions}>
          <GoalFacts of={of} />
        </Panel>
      </Stack>
    </Grid.Col>
    <Grid.Col span={{ base: 12, lg: 4 }}>
      <Stack gap="md">
        <Panel title={texts.card}>
          <GoalCard of={shownGoalOf(of)} />
          {of.imageUrl && (
            <Text size="sm" c="dimmed" mt="sm">
              {goalCardTexts.picture(new URL(of.imageUrl).hostname)}
            </Text>
          )}
        </Panel>
        {of.streak && (
          <Panel title={streakEditorTexts.picture} hint={streakTexts.exampleHint}>
            <StreakExample of={exampleOf(of)} />
          </Panel>
        )}
      </Stack>
    </Grid.Col>
  </Grid>
)
