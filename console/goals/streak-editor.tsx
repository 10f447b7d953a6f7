import { Box, Chip, Group, Input, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { Panel } from '../parts/panel.tsx'
import { AddRow, RemoveRow } from '../parts/row-list.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { RewardSelect } from '../rewards/reward-select.tsx'
import { windowKindOf } from '../streaks/streak-text.ts'
import { streakLabels, streakEditorTexts as texts } from '../texts/streaks-texts.ts'
import type { GoalForm } from './goal-form.ts'
import { newMilestone } from './streak-form.ts'

const weekdays = Object.entries(streakLabels.weekdays)

const Freezes = ({ form }: { form: GoalForm }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    <WholeNumberField
      label={texts.initialFreezes}
      description={texts.initialFreezesHint}
      max={30}
      {...form.getInputProps('streak.initialFreezes')}
    />
    <WholeNumberField
      label={texts.maxFreezes}
      description={texts.maxFreezesHint}
      max={30}
      {...form.getInputProps('streak.maxFreezes')}
    />
    <WholeNumberField
      label={texts.freezeEvery}
      description={texts.freezeEveryHint}
      required={false}
      min={1}
      max={366}
      {...form.getInputProps('streak.freezeEvery')}
    />
  </SimpleGrid>
)

const Weekdays = ({ form }: { form: GoalForm }) => {
  const { value, onChange, error } = form.getInputProps('streak.weekdays')
  return (
    <Input.Wrapper
      label={texts.weekdays}
      description={texts.weekdaysHint}
      error={error}
      role="group"
      aria-label={texts.weekdays}
    >
      <Chip.Group multiple value={value} onChange={onChange}>
        <Group gap={6} mt={6}>
          {weekdays.map(([day, name]) => (
            <Chip key={day} value={day} size="sm" aria-label={name}>
              {name.slice(0, 3)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}

const Times = ({ form }: { form: GoalForm }) => (
  <>
    {form.values.window === 'DAY' && <Weekdays form={form} />}
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <WholeNumberField
        label={texts.restoreDays}
        description={texts.restoreDaysHint}
        max={30}
        {...form.getInputProps('streak.restoreDays')}
      />
      <WholeNumberField
        label={texts.atRiskHours}
        description={texts.atRiskHoursHint}
        min={1}
        max={72}
        {...form.getInputProps('streak.atRiskHours')}
      />
    </SimpleGrid>
  </>
)

const Milestone = ({ form, index }: { form: GoalForm; index: number }) => {
  const path = `streak.milestones.${index}`
  return (
    <Group
      gap="xs"
      align="flex-start"
      wrap="nowrap"
      role="group"
      aria-label={texts.milestone(index + 1)}
    >
      <WholeNumberField
        label={texts.length}
        min={1}
        max={10_000}
        w={96}
        {...form.getInputProps(`${path}.length`)}
      />
      <RewardSelect
        label={texts.reward}
        required
        placeholder={texts.rewardPlaceholder}
        flex={1}
        {...form.getInputProps(`${path}.reward`)}
      />
      <Box pt={27}>
        <RemoveRow
          form={form}
          path="streak.milestones"
          index={index}
          label={texts.removeMilestone(index + 1)}
        />
      </Box>
    </Group>
  )
}

const Milestones = ({ form }: { form: GoalForm }) => {
  const { milestones } = form.values.streak
  return (
    <div>
      <Text size="sm" fw={600}>
        {texts.milestones}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {texts.milestonesHint}
      </Text>
      <Stack gap="sm">
        {milestones.map(({ id }, n) => (
          <Milestone key={id} form={form} index={n} />
        ))}
      </Stack>
      {milestones.length < 20 && (
        <AddRow
          form={form}
          path="streak.milestones"
          label={texts.addMilestone}
          newRow={newMilestone}
        />
      )}
    </div>
  )
}

/** What a streak needs of a goal. */
const turnOn = (form: GoalForm) => {
  form.setFieldValue('joinMode', 'AUTO')
  form.setFieldValue('window', windowKindOf(form.values.window))
  form.setFieldValue('repeat', 'EACH_WINDOW')
}

/** Makes a draft a streak. */
export const StreakEditor = ({ form }: { form: GoalForm }) => {
  const { onChange, ...props } = form.getInputProps('streak.isStreak', { type: 'checkbox' })
  return (
    <Panel title={texts.title} hint={texts.hint}>
      <Stack gap="sm">
        <Switch
          label={texts.isStreak}
          description={texts.needsWindow}
          onChange={(event) => {
            onChange(event)
            if (event.currentTarget.checked) turnOn(form)
          }}
          {...props}
        />
        {form.values.streak.isStreak && (
          <>
            <Freezes form={form} />
            <Times form={form} />
            <Milestones form={form} />
          </>
        )}
      </Stack>
    </Panel>
  )
}
