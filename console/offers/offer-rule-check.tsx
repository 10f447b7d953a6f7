import { Text } from '@mantine/core'
import { offerRuleCheck } from '../generated/offer-rule-check.ts'
import type { OfferRuleCheckQuery, OfferRuleSettingsInput } from '../generated/types.ts'
import {
  type Check,
  CheckDialog,
  type CheckFrame,
  type FormChange,
} from '../parts/check-dialog.tsx'
import { humanized, numberText } from '../parts/formats.ts'
import { NowAndThen } from '../parts/now-and-then.tsx'
import { leftText } from '../rewards/reward-name.tsx'
import { checkTexts, offerCheckTexts as texts } from '../texts/check-texts.ts'

type Preview = NonNullable<OfferRuleCheckQuery['previewOfferRule']>
type Rule = OfferRuleSettingsInput

const pointsText = (points: number) => checkTexts.points(numberText(points))

const Cost = ({ of }: { of: Preview }) => {
  const { before, after, stageEntryCount, reward } = of
  const hasEntries = stageEntryCount > 0
  return (
    <>
      <NowAndThen
        of={[
          [texts.each, before && pointsText(before.points), pointsText(after.points)],
          ...(hasEntries
            ? [
                [
                  texts.most(numberText(stageEntryCount)),
                  before && pointsText(before.maxPoints),
                  pointsText(after.maxPoints),
                ] as const,
              ]
            : []),
        ]}
      />
      {hasEntries && (
        <Text size="sm" c="dimmed" mt={4}>
          {texts.mostHint}
        </Text>
      )}
      {reward && (
        <Text size="sm" mt={4}>
          {texts.reward(reward.name, leftText(reward))}
        </Text>
      )}
    </>
  )
}

const entriesText = ({ stageEntryCount }: Preview) =>
  stageEntryCount === 0 ? texts.noEntries : texts.entries(numberText(stageEntryCount))

const again = ({ cooldownDays }: Rule) => texts.again(numberText(cooldownDays ?? 0))

const saveOf =
  (rule: Rule, changes: FormChange | undefined) =>
  (of: Preview): Check => ({
    effects: [
      of.before ? texts.fromNow : texts.enter(humanized(rule.stage)),
      !of.before && texts.already,
      again(rule),
      entriesText(of),
    ],
    changes,
    cost: <Cost of={of} />,
  })

const resumeOf =
  (rule: Rule) =>
  (of: Preview): Check => ({
    effects: [texts.enter(humanized(rule.stage)), texts.missed, again(rule), entriesText(of)],
    cost: <Cost of={{ ...of, before: null }} />,
  })

const pauseOf = (of: Preview): Check => ({ effects: [texts.paused, texts.kept, entriesText(of)] })

/** What setting, pausing or resuming an offer rule means. */
export const OfferRuleCheck = (props: {
  frame: CheckFrame
  rule: Rule
  to: 'save' | 'pause' | 'resume'
  change?: FormChange | undefined
}) => {
  const { frame, rule, to, change } = props
  const checks = { save: saveOf(rule, change), pause: pauseOf, resume: resumeOf(rule) }
  return (
    <CheckDialog
      frame={frame}
      operation={offerRuleCheck}
      variables={{ rule }}
      checkOf={({ previewOfferRule: of }) => of && checks[to](of)}
    />
  )
}
