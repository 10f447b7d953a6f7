import { PageLink } from '../client/link.tsx'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/formats.ts'
import { RewardLabel } from '../rewards/reward-name.tsx'
import { lengthText } from '../streaks/streak-text.ts'
import { goalLabels } from '../texts/goals-texts.ts'
import { streakOverviewTexts as texts, streakLabels as words } from '../texts/streaks-texts.ts'

type Streak = NonNullable<GoalSetUpFragment['streak']>

const freezesText = ({ freezes }: Streak, window: GoalSetUpFragment['window']) => {
  const { initial, max, everyDays } = freezes
  if (max === 0) return texts.noFreezes
  const text = texts.freezesText(numberText(initial), numberText(max))
  return everyDays === null ? text : texts.freezesEvery(text, lengthText(everyDays, window))
}

/** How the streak of a goal works. */
export const StreakFacts = ({ of }: { of: GoalSetUpFragment }) => {
  const { streak, window } = of
  if (!streak) return null
  const { weekdays, restoreDays, atRiskHours, milestones } = streak
  return (
    <Facts
      of={[
        [texts.freezes, freezesText(streak, window)],
        [
          texts.weekdays,
          window === 'DAY' &&
            (weekdays.length === 0
              ? texts.everyDay
              : weekdays.map((day) => words.weekdays[day]).join(', ')),
        ],
        [texts.restore, restoreDays === 0 ? texts.never : goalLabels.days(numberText(restoreDays))],
        [texts.atRisk, texts.atRiskText(words.hours(numberText(atRiskHours)))],
        [
          texts.milestones,
          milestones.length > 0 &&
            milestones.map(({ length, reward }) => (
              <div key={length}>
                {lengthText(length, window)}:{' '}
                <PageLink page="rewards" id={reward.id} size="sm">
                  <RewardLabel of={reward} />
                </PageLink>
              </div>
            )),
        ],
      ]}
    />
  )
}
