import { Alert, Box, Grid, Stack, Text } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { updateGoal } from '../generated/goal.ts'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { EditorEnd, EditorForm, useEditor } from '../parts/editor.tsx'
import { Panel } from '../parts/panel.tsx'
import { faultOfPast } from '../parts/past.ts'
import { goalCardTexts, goalEditorTexts as texts } from '../texts/goals-texts.ts'
import { streakEditorTexts as streakTexts } from '../texts/streaks-texts.ts'
import { GoalCard } from './goal-card.tsx'
import { FixedFacts, GoalTasks } from './goal-facts.tsx'
import { GoalForTeam, GoalRewards, GoalTexts, GoalTime, GoalUsers } from './goal-fields.tsx'
import {
  type GoalValues,
  goalFieldOf,
  inputOfGoal,
  linesOfGoal,
  valuesOfGoal,
} from './goal-form.ts'
import { shownGoalOfValues } from './shown-goal.ts'
import { StreakEditor } from './streak-editor.tsx'
import { exampleOfValues, StreakExample } from './streak-example.tsx'
import { StreakFacts } from './streak-facts.tsx'
import { TaskEditor } from './task-editor.tsx'

/** The host of an address, as far as it is typed. */
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : null)

const CardOf = ({ of, values }: { of: GoalSetUpFragment; values: GoalValues }) => {
  const host = hostOf(values.imageUrl)
  return (
    <Panel title={texts.card} hint={of.status === 'DRAFT' ? texts.cardOfDraft : texts.cardHint}>
      <GoalCard of={shownGoalOfValues(values)} />
      {host && (
        <Text size="sm" c="dimmed" mt="sm">
          {goalCardTexts.picture(host)}
        </Text>
      )}
    </Panel>
  )
}

/** Edits a goal, next to its card: everything of a draft, and of others what may change. */
// Long: one form, part by part.
export const GoalEditor = ({ of }: { of: GoalSetUpFragment }) => {
  const mutation = useChange(updateGoal)
  const isDraft = of.status === 'DRAFT'
  const { form, editor } = useEditor<GoalValues, GoalSetUpFragment>({
    of,
    valuesOf: (item = of) => valuesOfGoal(item),
    linesOf: linesOfGoal,
    validate: ({ endsAt }) => ({ endsAt: faultOfPast(endsAt, of.endsAt) }),
    done: texts.saved,
    nameOf: goalFieldOf,
    send: async (values, version) =>
      (await mutation.mutateAsync({ input: inputOfGoal(of, version, values) })).goal,
  })
  if (of.status === 'ENDED') return <Alert color="gray">{texts.over}</Alert>
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <EditorForm of={editor}>
          <Stack gap="md">
            <GoalTexts form={form} />
            {isDraft && <TaskEditor form={form} />}
            <GoalTime form={form} isDraft={isDraft} />
            {isDraft && <StreakEditor form={form} />}
            <GoalRewards form={form} isDraft={isDraft} />
            <GoalUsers form={form} isDraft={isDraft} />
            <GoalForTeam form={form} isDraft={isDraft} />
            <EditorEnd of={editor} right="PROGRAMME_WRITE" />
          </Stack>
        </EditorForm>
        {!isDraft && (
          <Box mt="md">
            <Panel title={texts.fixed} hint={texts.fixedHint}>
              <Stack gap="md">
                <GoalTasks of={of} />
                <FixedFacts of={of} />
                {of.streak && <StreakFacts of={of} />}
              </Stack>
            </Panel>
          </Box>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Box pos="sticky" top={72}>
          <Stack gap="md">
            <CardOf of={of} values={form.values} />
            {form.values.streak.isStreak && (
              <Panel title={streakTexts.picture} hint={streakTexts.pictureHint}>
                <StreakExample of={exampleOfValues(form.values)} />
              </Panel>
            )}
          </Stack>
        </Box>
      </Grid.Col>
    </Grid>
  )
}
