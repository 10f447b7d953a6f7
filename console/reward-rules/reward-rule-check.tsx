import { Text } from '@mantine/core'
import { rewardRuleCheck } from '../generated/reward-rule-check.ts'
import type { RewardRuleCheckQuery, RewardRuleSettingsInput } from '../generated/types.ts'
import {
  type Check,
  CheckDialog,
  type CheckFrame,
  type FormChange,
} from '../parts/check-dialog.tsx'
import { countText, numberText } from '../parts/formats.ts'
import { NowAndThen } from '../parts/now-and-then.tsx'
import { checkTexts, rewardRuleCheckTexts as texts } from '../texts/check-texts.ts'

type Preview = NonNullable<RewardRuleCheckQuery['previewRewardRule']>

const pointsText = (points: number) => checkTexts.points(numberText(points))

const differenceText = ({ before, after, awardCount }: Preview) => {
  if (awardCount.value === 0) return texts.noAwards
  const more = after.awardedPoints - (before?.awardedPoints ?? 0)
  if (more === 0) return null
  return more < 0 ? texts.less(numberText(-more)) : texts.more(numberText(more))
}

const Cost = ({ of }: { of: Preview }) => {
  const { before, after, awardCount } = of
  return (
    <>
      <NowAndThen
        of={[
          [texts.each, before && pointsText(before.points), pointsText(after.points)],
          ...(awardCount.value > 0
            ? [
                [
                  texts.lastDays(countText(awardCount)),
                  before && pointsText(before.awardedPoints),
                  pointsText(after.awardedPoints),
                ] as const,
              ]
            : []),
        ]}
      />
      <Text size="sm" mt={4}>
        {differenceText(of)}
      </Text>
    </>
  )
}

const checkOf =
  (eventType: string, changes: FormChange | undefined) =>
  (of: Preview): Check => ({
    effects: [of.before ? texts.fromNow : texts.accepted(eventType), texts.noLimit],
    changes,
    cost: <Cost of={of} />,
  })

/** What setting a rule means. */
export const RewardRuleCheck = (props: {
  frame: CheckFrame
  rule: RewardRuleSettingsInput
  change?: FormChange | undefined
}) => {
  const { frame, rule, change } = props
  return (
    <CheckDialog
      frame={frame}
      operation={rewardRuleCheck}
      variables={{ rule }}
      checkOf={({ previewRewardRule: of }) => of && checkOf(rule.eventType, change)(of)}
    />
  )
}
