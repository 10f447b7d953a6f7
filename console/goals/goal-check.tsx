import { Text } from '@mantine/core'
import { useState } from 'react'
import { goalPreview } from '../generated/goal.ts'
import type { GoalPreviewQuery, GoalSetUpFragment } from '../generated/types.ts'
import { type Check, CheckDialog, type CheckFrame, scheduleOf } from '../parts/check-dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/formats.ts'
import { leftText } from '../rewards/reward-name.tsx'
import { goalCheckTexts as texts } from '../texts/check-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { repeatText } from './goal-text.ts'

type Preview = NonNullable<GoalPreviewQuery['previewGoal']>

const wouldText = ({ userCount, completionCount, accuracy }: Preview) => {
  const text = (count: number) =>
    accuracy === 'EXACT' ? numberText(count) : shellTexts.atLeast(numberText(count))
  return texts.would(text(userCount), text(completionCount))
}

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
    schedule: scheduleOf(of),
  })

const pauseOf = (): Check => ({ effects: [texts.paused, texts.kept] })

const monthMs = 30 * 86_400_000

/** What starting or pausing a goal means. */
export const GoalCheck = (props: {
  of: GoalSetUpFragment
  frame: CheckFrame
  to: 'start' | 'pause'
}) => {
  const { of, frame, to } = props
  const checks = { start: startOf(of), pause: pauseOf }
  // The same moment for each rendering, so that it is asked once.
  const [since] = useState(() => new Date(Date.now() - monthMs).toISOString())
  return (
    <CheckDialog
      frame={frame}
      operation={goalPreview}
      variables={{ id: of.id, since }}
      checkOf={({ previewGoal }) => previewGoal && checks[to](previewGoal)}
    />
  )
}
