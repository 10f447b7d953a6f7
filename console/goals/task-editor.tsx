import {
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { campaignChoices } from '../generated/codes.ts'
import type { Fact } from '../generated/types.ts'
import { FoundSelect } from '../parts/found-select.tsx'
import { Panel } from '../parts/panel.tsx'
import { AddRow, RemoveRow } from '../parts/row-list.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { gameNames } from '../texts/games-texts.ts'
import { goalEditorTexts as texts, goalLabels as words } from '../texts/goals-texts.ts'
import { rewardRulesTexts } from '../texts/reward-rules-texts.ts'
import { ConditionEditor } from './condition-editor.tsx'
import { type GoalForm, measureOf, newTask, type TaskRow } from './goal-form.ts'
import { factNames, measureText } from './goal-text.ts'

type TaskProps = { form: GoalForm; path: string; of: TaskRow }

const facts = factNames.map((value) => ({ value, label: words.facts[value].label }))
const sums = Object.entries(texts.ofs).map(([value, label]) => ({ value, label }))
const games = Object.entries(gameNames).map(([value, label]) => ({ value, label }))

const isAny = (task: TaskRow, ...of: Fact[]) => task.facts.some((fact) => of.includes(fact))

const CampaignField = ({ form, path, of }: TaskProps) => {
  const { value: _, onChange, ...props } = form.getInputProps(`${path}.campaign`)
  return (
    <FoundSelect
      label={texts.campaign}
      placeholder={texts.anyCampaign}
      clearable
      operation={campaignChoices}
      choicesOf={({ campaigns }) =>
        campaigns.nodes.map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
      }
      known={of.campaign ?? undefined}
      value={of.campaign?.value ?? null}
      onChange={(value, option) => onChange(option && { value, label: option.label })}
      {...props}
    />
  )
}

/** Fields that narrow down what counts, as far as they fit to it. */
const Limits = ({ form, path, of }: TaskProps) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    {(isAny(of, 'POINTS_AWARDED', 'ACTIVITY', 'CAMPAIGN_EVENT') || of.eventTypes.length > 0) && (
      <TagsInput
        label={texts.eventTypes}
        description={texts.eventTypesHint}
        data={[...rewardRulesTexts.suggestions]}
        maxTags={20}
        {...(of.eventTypes.length === 0 && { placeholder: texts.allTypes })}
        {...form.getInputProps(`${path}.eventTypes`)}
      />
    )}
    {(isAny(of, 'GAME_PLAYED', 'GAME_WON') || of.gameType) && (
      <Select
        label={texts.game}
        placeholder={texts.anyGame}
        clearable
        data={games}
        {...form.getInputProps(`${path}.gameType`)}
      />
    )}
    {(isAny(of, 'CAMPAIGN_EVENT', 'CODE_REDEEMED', 'REFERRAL_MADE') || of.campaign) && (
      <CampaignField form={form} path={path} of={of} />
    )}
  </SimpleGrid>
)

const Amount = ({ form, path, of }: TaskProps) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    <Select
      label={texts.of}
      allowDeselect={false}
      data={sums}
      {...form.getInputProps(`${path}.of`)}
    />
    {of.of === 'ATTRIBUTE' && (
      <TextInput
        label={texts.attribute}
        description={texts.attributeHint}
        required
        maxLength={100}
        {...form.getInputProps(`${path}.attribute`)}
      />
    )}
    <WholeNumberField
      label={texts.targets[of.of]}
      min={of.of === 'ATTRIBUTE' ? 0.001 : 1}
      max={1_000_000_000}
      allowDecimal={of.of === 'ATTRIBUTE'}
      decimalScale={3}
      {...form.getInputProps(`${path}.target`)}
    />
  </SimpleGrid>
)

const Task = ({ form, index, of }: { form: GoalForm; index: number; of: TaskRow }) => {
  const path = `tasks.${index}`
  const isReadable = of.facts.length > 0 && of.target !== ''
  return (
    <Paper withBorder p="sm" role="group" aria-label={texts.task(index + 1)}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600} size="sm">
            {texts.task(index + 1)}
          </Text>
          <RemoveRow
            form={form}
            path="tasks"
            index={index}
            label={texts.removeTask(index + 1)}
            disabled={form.values.tasks.length === 1}
          />
        </Group>
        <MultiSelect
          label={texts.facts}
          required
          hidePickedOptions
          data={facts}
          {...form.getInputProps(`${path}.facts`)}
        />
        <Limits form={form} path={path} of={of} />
        <Amount form={form} path={path} of={of} />
        <ConditionEditor form={form} path={`${path}.where`} of={of.where} />
        <TextInput
          label={texts.taskName}
          description={texts.taskNameHint}
          maxLength={100}
          {...form.getInputProps(`${path}.name`)}
        />
        {isReadable && (
          <Text size="sm" c="dimmed">
            {texts.reads(measureText(Number(of.target), measureOf(of)))}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

/** What users do to complete the goal. */
export const TaskEditor = ({ form }: { form: GoalForm }) => (
  <Panel title={texts.tasks} hint={texts.tasksHint}>
    <Stack gap="sm">
      {form.values.tasks.map((task, n) => (
        <Task key={task.id} form={form} index={n} of={task} />
      ))}
    </Stack>
    {form.values.tasks.length < 8 && (
      <AddRow form={form} path="tasks" label={texts.addTask} newRow={newTask} />
    )}
  </Panel>
)
