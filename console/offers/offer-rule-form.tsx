import { Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useChange } from '../client/use-change.ts'
import { setOfferRule } from '../generated/offers.ts'
import type {
  GameType,
  LifecycleStage,
  OfferRuleRowFragment,
  OfferRuleSettingsInput,
  OfferType,
  RecommendationType,
} from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { flagText, humanized, numberText } from '../parts/formats.ts'
import { choiceOf } from '../parts/found-select.tsx'
import { RecommendationField } from '../parts/recommendation-field.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useConfirmation } from '../parts/use-confirmation.ts'
import { type FormLines, useVersions } from '../parts/use-versions.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { RewardSelect } from '../rewards/reward-select.tsx'
import { gameNames } from '../texts/games-texts.ts'
import { offersTexts as texts } from '../texts/offers-texts.ts'
import { recommendationNames, recommendationTexts } from '../texts/recommendation-texts.ts'

const stages: LifecycleStage[] = ['NEW', 'ACTIVE', 'ENGAGED', 'POWER_USER', 'AT_RISK', 'CHURNED']

const offerTypes: OfferType[] = [
  ...(['WELCOME_BONUS', 'WELCOME_FREE_PLAY', 'DAILY_FREE_SPIN', 'MULTIPLIER_BONUS'] as const),
  ...(['RETENTION_PLAY', 'RETURN_BONUS', 'WIN_BACK_PLAY', 'VIP_PLAY'] as const),
]

const choices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: humanized(value) }))

export const valuesOf = (rule?: OfferRuleRowFragment) => ({
  stage: rule?.stage ?? ('AT_RISK' as LifecycleStage),
  offerType: rule?.offerType ?? ('RETURN_BONUS' as OfferType),
  title: rule?.title ?? '',
  description: rule?.description ?? '',
  gameType: (rule?.gameType ?? null) as GameType | null,
  points: rule?.points ?? 100,
  reward: rule?.reward ? choiceOf(rule.reward) : null,
  creditsPoints: rule?.creditsPoints ?? true,
  validHours: rule?.validHours ?? 72,
  cooldownDays: rule?.cooldownDays ?? 30,
  recommendationType: (rule?.recommendationType ?? null) as RecommendationType | null,
})

type OfferRuleValues = ReturnType<typeof valuesOf>
type Form = UseFormReturnType<OfferRuleValues>

// Loaded when it is opened.
export const OfferRuleCheck = lazyRouteComponent(
  () => import('./offer-rule-check.tsx'),
  'OfferRuleCheck',
)

export const settingsOf = (values: OfferRuleValues): OfferRuleSettingsInput => {
  const { title, description, reward } = values
  return {
    ...values,
    title: title || null,
    description: description || null,
    reward: reward && { id: reward.value },
  }
}

const WhenFields = ({ form, isNew }: { form: Form; isNew: boolean }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    <Select
      label={texts.stage}
      allowDeselect={false}
      disabled={!isNew}
      data={choices(stages)}
      {...form.getInputProps('stage')}
    />
    <Select
      label={texts.type}
      allowDeselect={false}
      disabled={!isNew}
      data={choices(offerTypes)}
      {...form.getInputProps('offerType')}
    />
  </SimpleGrid>
)

const NumberFields = ({ form }: { form: Form }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    <WholeNumberField label={texts.points} {...form.getInputProps('points')} />
    <Select
      label={texts.game}
      placeholder={texts.anyGame}
      clearable
      data={Object.entries(gameNames).map(([value, label]) => ({ value, label }))}
      {...form.getInputProps('gameType')}
    />
    <WholeNumberField
      label={texts.validHours}
      min={1}
      max={8760}
      {...form.getInputProps('validHours')}
    />
    <WholeNumberField
      label={texts.cooldownDays}
      min={1}
      max={3650}
      {...form.getInputProps('cooldownDays')}
    />
  </SimpleGrid>
)

const linesOf = (of: OfferRuleValues): FormLines => [
  [texts.stage, humanized(of.stage)],
  [texts.type, humanized(of.offerType)],
  [texts.offerTitle, of.title],
  [texts.note, of.description],
  [texts.points, numberText(of.points)],
  [texts.reward, of.reward?.label ?? texts.rewardOfType],
  [texts.game, of.gameType ? gameNames[of.gameType] : texts.anyGame],
  [texts.validHours, numberText(of.validHours)],
  [texts.cooldownDays, numberText(of.cooldownDays)],
  [texts.credits, flagText(of.creditsPoints)],
  [
    recommendationTexts.label,
    of.recommendationType ? recommendationNames[of.recommendationType] : recommendationTexts.none,
  ],
]

/** Adds or edits a rule. A stage has one of each type. */
// Long: one form, with its request and all of its fields.
export const EditOfferRule = ({ rule }: { rule?: OfferRuleRowFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const mutation = useChange(setOfferRule)
  const form: Form = useForm({ initialValues: valuesOf(rule) })
  const { change, conflict, load } = useVersions({ form, of: rule, valuesOf, linesOf })
  const confirmation = useConfirmation()
  const save = change(async (values, expectedVersion) => {
    const input = { ...settingsOf(values), expectedVersion }
    return (await mutation.mutateAsync({ input })).offerRule
  })
  const shown = form.getValues()
  const start = () => {
    load(rule)
    open()
  }
  return (
    <>
      <RightButton
        right="JOURNEYS_WRITE"
        onClick={start}
        {...(rule && { size: 'xs', variant: 'default' })}
      >
        {rule ? texts.edit : texts.add}
      </RightButton>
      <FormDialog
        title={rule ? texts.editTitle : texts.add}
        isOpen={isOpen}
        onClose={close}
        form={form}
        conflict={conflict}
        submit={async (values) => {
          // A rule that is paused makes no offers. Resuming it has a check of its own.
          await confirmation.ask(!rule?.pausedAt)
          await save(values)
        }}
        done={texts.saved}
        size="lg"
        check={
          confirmation.isOpen && (
            <OfferRuleCheck
              frame={confirmation.frameOf(shown.title || humanized(shown.offerType))}
              rule={settingsOf(shown)}
              to="save"
              change={rule && { before: linesOf(valuesOf(rule)), after: linesOf(shown) }}
            />
          )
        }
      >
        <WhenFields form={form} isNew={!rule} />
        <TextInput
          label={texts.offerTitle}
          description={texts.titleHint}
          maxLength={255}
          data-autofocus
          {...form.getInputProps('title')}
        />
        <Textarea
          label={texts.note}
          autosize
          maxRows={4}
          maxLength={2000}
          {...form.getInputProps('description')}
        />
        <NumberFields form={form} />
        <RewardSelect
          label={texts.reward}
          description={texts.rewardHint}
          placeholder={texts.rewardOfType}
          clearable
          {...form.getInputProps('reward')}
        />
        <RecommendationField
          hint={texts.recommendationHint}
          {...form.getInputProps('recommendationType')}
        />
        <Switch
          label={texts.credits}
          description={texts.creditsHint}
          {...form.getInputProps('creditsPoints', { type: 'checkbox' })}
        />
      </FormDialog>
    </>
  )
}
