import { Text } from '@mantine/core'
import { useState } from 'react'
import { goalPreview } from '../generated/goal.ts'
import type { GoalPreviewQuery, GoalSetUpFragment } from '../generated/types.ts'
import { type Check, CheckDialog, type CheckFrame } from '../parts/check-dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { exactTimeText, numberText } from '../parts/formats.ts'
import { checkTexts, goalCheckTexts as texts } from '../texts/check-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { repeatText } from './goal-text.ts'

type Preview = NonNullable<GoalPreviewQuery['previewGoal']>

const wouldText = ({ userCount, completionCount, accuracy }: Preview) => {
  const text = (count: number) =>
    accuracy === 'EXACT' ? numberText(count) : shellTexts.atLeast(numberText(count))
  return texts.would(text(userCount), text(completionCount))
}

const leftText = ({ stock, grantCount }: GoalSetUpFragment['rewards'][number]) =>
  stock === null
    ? checkTexts.noLimit
    : texts.left(numberText(Math.max(0, stock - (grantCount ?? 0))))

const Cost = ({ of }: { of: GoalSetUpFragment }) =>
  of.rewards.length === 0 ? (
    <Text size="sm">{texts.noRewards}</Text>
  ) : (
    <Facts
      of={[
        [texts.perUser, repeatText(of)],
        ...of.rewards.map((reward) => [reward.name, leftText(reward)] as const),
      ]}
    />
  )

const startOf =
  (of: GoalSetUpFragment) =>
  (preview: Preview): Check => ({
    effects: [
      of.joinMode === 'OPT_IN' ? texts.optIn : texts.everybody,
      of.segment ? texts.segment(of.segment.name) : false,
      of.isSecret && texts.hidden,
      wouldText(preview),
    ],
    cost: <Cost of={of} />,
    schedule: (
      <Facts
        of={[
          [
            checkTexts.starts,
            of.startsAt && new Date(of.startsAt) > new Date()
              ? exactTimeText(of.startsAt)
              : checkTexts.rightAway,
          ],
          [checkTexts.ends, of.endsAt ? exactTimeText(of.endsAt) : checkTexts.untilEnded],
        ]}
      />
    ),
  })

const pauseOf = (): Check => ({ effects: [texts.paused, texts.kept] })

type CheckProps = { of: GoalSetUpFragment; frame: CheckFrame }

const monthMs = 30 * 86_400_000

const GoalCheck = (props: CheckProps & { checkOf: (preview: Preview) => Check }) => {
  // The same moment for each rendering, so that it is asked once.
  const [since] = useState(() => new Date(Date.now() - monthMs).toISOString())
  return (
    <CheckDialog
      frame={props.frame}
      operation={goalPreview}
      variables={{ id: props.of.id, since }}
      checkOf={({ previewGoal }) => previewGoal && props.checkOf(previewGoal)}
    />
  )
}

/** What starting a goal means. */
export const GoalStartCheck = (props: CheckProps) => (
  <GoalCheck {...props} checkOf={startOf(props.of)} />
)

/** What pausing a goal means. */
export const GoalPauseCheck = (props: CheckProps) => <GoalCheck {...props} checkOf={pauseOf} />
