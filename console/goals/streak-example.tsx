import { Group, Stack, Text, ThemeIcon } from '@mantine/core'
import type {
  GoalSetUpFragment,
  GoalWindow,
  StreakWindowStatus,
  Weekday,
} from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { IconFlame, IconSnowflake } from '../parts/icons.ts'
import { lengthText, pastWindows, presentWindow, windowKindOf } from '../streaks/streak-text.ts'
import { StreakWindows } from '../streaks/streak-windows.tsx'
import { streakOverviewTexts as texts, streakLabels as words } from '../texts/streaks-texts.ts'
import type { GoalValues } from './goal-form.ts'

type Example = {
  window: GoalWindow
  weekdays: readonly Weekday[]
  maxFreezes: number
  milestones: readonly { length: number; reward: string }[]
}

/** What the example needs of a goal. */
export const exampleOf = ({ window, streak }: GoalSetUpFragment): Example => ({
  window,
  weekdays: streak?.weekdays ?? [],
  maxFreezes: streak?.freezes.max ?? 0,
  milestones: (streak?.milestones ?? []).map(({ length, reward }) => ({
    length,
    reward: reward.name,
  })),
})

/** The same of a goal as it is edited. */
export const exampleOfValues = ({ window, streak }: GoalValues): Example => ({
  window,
  weekdays: streak.weekdays,
  maxFreezes: streak.maxFreezes,
  milestones: streak.milestones
    .flatMap(({ length, reward }) =>
      length === '' || !reward ? [] : [{ length, reward: reward.label }],
    )
    .toSorted((first, other) => first.length - other.length),
})

const names = Object.keys(words.weekdays) as Weekday[]

const isRequired = ({ window, weekdays }: Example, date: string) =>
  window !== 'DAY' ||
  weekdays.length === 0 ||
  weekdays.includes(names[(new Date(date).getUTCDay() + 6) % 7] as Weekday)

/** A week of a user who has met everything, but for one window that a freeze covered. */
const historyOf = (of: Example) => {
  const kind = windowKindOf(of.window)
  const past = pastWindows(kind, 6).toReversed()
  const frozen =
    of.maxFreezes > 0 ? past.findLastIndex((date, n) => n < 4 && isRequired(of, date)) : -1
  const statusOf = (date: string, n: number): StreakWindowStatus => {
    if (!isRequired(of, date)) return 'NOT_REQUIRED'
    return n === frozen ? 'FROZEN' : 'MET'
  }
  return [
    ...past.map((windowStart, n) => ({ windowStart, status: statusOf(windowStart, n) })),
    { windowStart: presentWindow(kind), status: 'OPEN' as const },
  ]
}

/** How the streak of a user would look: its length, the last seven windows, freezes and the next milestone. */
export const StreakExample = ({ of }: { of: Example }) => {
  const history = historyOf(of)
  const met = history.filter(({ status }) => status === 'MET').length
  const length = Math.max(met, (of.milestones[0]?.length ?? 0) - 1)
  const next = of.milestones.find((milestone) => milestone.length > length)
  const freezes = Math.max(0, of.maxFreezes - 1)
  return (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon size={44} radius="xl" color="ember" variant="light">
          <IconFlame size={26} aria-hidden />
        </ThemeIcon>
        <div>
          <Text fz={24} fw={650} lh={1.2}>
            {lengthText(length, of.window)}
          </Text>
          {of.maxFreezes > 0 && (
            <Group gap={4} c="dimmed" fz="sm">
              <IconSnowflake size={14} aria-hidden />
              {words.freezes(numberText(freezes))}
            </Group>
          )}
        </div>
      </Group>
      <StreakWindows of={history} kind={windowKindOf(of.window)} />
      {next && (
        <Text size="sm" c="dimmed">
          {texts.next(lengthText(next.length, of.window), next.reward)}
        </Text>
      )}
    </Stack>
  )
}
