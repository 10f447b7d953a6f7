/** The parts of the set-up of a goal. */
import { Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { segmentChoices } from '../generated/goal.ts'
import { goalChoices } from '../generated/goals.ts'
import { rewardChoices } from '../generated/rewards.ts'
import { FoundMultiSelect } from '../parts/found-multi-select.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { RadioField } from '../parts/radio-field.tsx'
import { RecommendationField } from '../parts/recommendation-field.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import {
  goalsTexts,
  goalOverviewTexts as overview,
  goalEditorTexts as texts,
  goalLabels as words,
} from '../texts/goals-texts.ts'
import { choiceOfReward, type GoalForm } from './goal-form.ts'

/** `isDraft`: whether everything can be changed. */
type PartProps = { form: GoalForm; isDraft: boolean }

const choices = (labels: Record<string, string>, without?: string) =>
  Object.entries(labels)
    .filter(([value]) => value !== without)
    .map(([value, label]) => ({ value, label }))

export const GoalTexts = ({ form }: { form: GoalForm }) => (
  <Panel title={texts.texts}>
    <Stack gap="sm">
      <TextInput label={goalsTexts.name} required maxLength={100} {...form.getInputProps('name')} />
      <Textarea
        label={texts.descriptionLabel}
        description={texts.descriptionHint}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      <TextInput
        type="url"
        label={texts.image}
        description={texts.imageHint}
        maxLength={2048}
        {...form.getInputProps('imageUrl')}
      />
    </Stack>
  </Panel>
)

/** Joining, the window and repetition. */
const Plan = ({ form }: { form: GoalForm }) => {
  const { joinMode, repeat } = form.values
  const { onChange, ...mode } = form.getInputProps('joinMode')
  return (
    <>
      <RadioField
        label={texts.joinMode}
        choices={texts.joinModes}
        {...mode}
        onChange={(value) => {
          onChange(value)
          form.setFieldValue('window', value === 'OPT_IN' ? 'JOIN' : 'EVER')
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {joinMode === 'OPT_IN' ? (
          <WholeNumberField
            label={texts.timeLimit}
            description={texts.timeLimitHint}
            required={false}
            min={1}
            max={8760}
            {...form.getInputProps('timeLimitHours')}
          />
        ) : (
          <Select
            label={texts.window}
            description={words.windowHint}
            allowDeselect={false}
            data={choices(words.windows, 'JOIN')}
            {...form.getInputProps('window')}
          />
        )}
        <Select
          label={texts.repeat}
          description={texts.repeatHint}
          allowDeselect={false}
          data={choices(words.repeats)}
          {...form.getInputProps('repeat')}
        />
        {repeat === 'UNLIMITED' && (
          <WholeNumberField
            label={texts.maxCompletions}
            description={texts.maxCompletionsHint}
            required={false}
            min={1}
            max={1_000_000}
            {...form.getInputProps('maxCompletions')}
          />
        )}
      </SimpleGrid>
    </>
  )
}

export const GoalTime = ({ form, isDraft }: PartProps) => (
  <Panel title={texts.time}>
    <Stack gap="sm">
      {isDraft && <Plan form={form} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {isDraft && (
          <MomentField
            label={overview.starts}
            description={texts.startsHint}
            clearable
            {...form.getInputProps('startsAt')}
          />
        )}
        <MomentField
          label={overview.ends}
          description={texts.endsHint}
          clearable
          isAhead
          {...form.getInputProps('endsAt')}
        />
      </SimpleGrid>
      {isDraft && form.values.joinMode === 'AUTO' && (
        <Select
          label={texts.countFrom}
          allowDeselect={false}
          data={choices(words.countFrom)}
          {...form.getInputProps('countFrom')}
        />
      )}
    </Stack>
  </Panel>
)

/** How and when rewards are given. */
const Giving = ({ form }: { form: GoalForm }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    <Select
      label={texts.claim}
      allowDeselect={false}
      data={choices(words.claims)}
      {...form.getInputProps('claim')}
    />
    {form.values.claim === 'BY_USER' && (
      <WholeNumberField
        label={texts.claimDays}
        placeholder={texts.claimDaysHint}
        required={false}
        min={1}
        max={365}
        {...form.getInputProps('claimDays')}
      />
    )}
    <WholeNumberField label={texts.holdDays} max={365} {...form.getInputProps('holdDays')} />
    <Select
      label={texts.reversal}
      allowDeselect={false}
      data={choices(words.reversals)}
      {...form.getInputProps('onReversal')}
    />
  </SimpleGrid>
)

export const GoalRewards = ({ form, isDraft }: PartProps) => (
  <Panel
    title={texts.give}
    hint={texts.giveHint}
    actions={
      <PageLink page="rewards" size="sm">
        {texts.toRewards}
      </PageLink>
    }
  >
    <Stack gap="sm">
      <FoundMultiSelect
        label={texts.rewards}
        placeholder={texts.rewardsPlaceholder}
        maxValues={8}
        operation={rewardChoices}
        choicesOf={({ rewards }) => rewards.nodes.map(choiceOfReward)}
        {...form.getInputProps('rewards')}
      />
      {isDraft && form.values.rewards.length > 0 && <Giving form={form} />}
    </Stack>
  </Panel>
)

const SegmentField = ({ form }: { form: GoalForm }) => {
  const { segment } = form.values
  const { value: _, onChange, ...props } = form.getInputProps('segment')
  return (
    <FoundSelect
      label={texts.segment}
      placeholder={texts.everybody}
      clearable
      operation={segmentChoices}
      choicesOf={({ segments }) =>
        segments.nodes.map(({ id, name }) => ({ value: id, label: name }))
      }
      known={segment ?? undefined}
      value={segment?.value ?? null}
      onChange={(value, option) => onChange(option && { value, label: option.label })}
      {...props}
    />
  )
}

export const GoalUsers = ({ form, isDraft }: PartProps) => (
  <Panel title={texts.whom}>
    <Stack gap="sm">
      <SegmentField form={form} />
      {isDraft && (
        <FoundMultiSelect
          label={texts.requires}
          placeholder={texts.noRequires}
          maxValues={8}
          operation={goalChoices}
          choicesOf={({ goals }) => goals.nodes.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('requires')}
        />
      )}
      <RecommendationField
        hint={texts.recommendationHint}
        {...form.getInputProps('recommendationType')}
      />
      <Switch label={texts.isSecret} {...form.getInputProps('isSecret', { type: 'checkbox' })} />
    </Stack>
  </Panel>
)

export const GoalForTeam = ({ form, isDraft }: PartProps) => (
  <Panel title={texts.team}>
    <SimpleGrid cols={{ base: 1, xs: isDraft ? 3 : 2 }} spacing="sm">
      {isDraft && (
        <TextInput
          label={goalsTexts.slug}
          description={texts.slugHint}
          required
          maxLength={64}
          {...form.getInputProps('slug')}
        />
      )}
      <TextInput
        label={texts.category}
        description={texts.categoryHint}
        maxLength={100}
        {...form.getInputProps('category')}
      />
      <WholeNumberField
        label={texts.position}
        description={texts.positionHint}
        min={-1_000_000}
        max={1_000_000}
        {...form.getInputProps('position')}
      />
    </SimpleGrid>
  </Panel>
)
