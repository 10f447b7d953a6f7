/** The part of the form of a goal that makes it a streak, and its conversion to the input of the API. */
import type { CreateGoalInput, GoalSetUpFragment, Weekday } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import type { Choice } from '../parts/found-select.tsx'
import type { FormLines } from '../parts/use-versions.ts'
import { streakEditorTexts as texts, streakLabels as words } from '../texts/streaks-texts.ts'

export type MilestoneRow = { id: string; length: number | ''; reward: Choice | null }

export type StreakValues = {
  isStreak: boolean
  initialFreezes: number
  maxFreezes: number
  freezeEvery: number | ''
  weekdays: Weekday[]
  restoreDays: number
  atRiskHours: number
  milestones: MilestoneRow[]
}

export const newMilestone = (): MilestoneRow => ({
  id: crypto.randomUUID(),
  length: 7,
  reward: null,
})

type StreakOf = Pick<GoalSetUpFragment, 'streak'>

/** What a goal begins with when it becomes a streak. */
const standard: StreakValues = {
  isStreak: false,
  initialFreezes: 1,
  maxFreezes: 2,
  freezeEvery: '',
  weekdays: [],
  restoreDays: 3,
  atRiskHours: 6,
  milestones: [],
}

export const valuesOfStreak = ({ streak }: StreakOf): StreakValues =>
  streak === null
    ? standard
    : {
        isStreak: true,
        initialFreezes: streak.freezes.initial,
        maxFreezes: streak.freezes.max,
        freezeEvery: streak.freezes.everyDays ?? '',
        weekdays: [...streak.weekdays],
        restoreDays: streak.restoreDays,
        atRiskHours: streak.atRiskHours,
        milestones: streak.milestones.map(({ length, reward }) => ({
          id: crypto.randomUUID(),
          length,
          reward: { value: reward.id, label: reward.name },
        })),
      }

/** Weekdays are those of streaks of days. */
export const inputOfStreak = (
  of: StreakValues,
  window: GoalSetUpFragment['window'],
): CreateGoalInput['streak'] =>
  of.isStreak
    ? {
        freezes: {
          initial: of.initialFreezes,
          max: of.maxFreezes,
          everyDays: of.freezeEvery === '' ? null : of.freezeEvery,
        },
        weekdays: window === 'DAY' ? of.weekdays : [],
        restoreDays: of.restoreDays,
        atRiskHours: of.atRiskHours,
        milestones: of.milestones.map(({ length, reward }) => ({
          length: Number(length),
          reward: { id: reward?.value ?? '' },
        })),
      }
    : null

export const linesOfStreak = (of: StreakValues): FormLines =>
  of.isStreak
    ? [
        [texts.initialFreezes, numberText(of.initialFreezes)],
        [texts.maxFreezes, numberText(of.maxFreezes)],
        [texts.freezeEvery, String(of.freezeEvery)],
        [texts.weekdays, of.weekdays.map((day) => words.weekdays[day]).join(', ')],
        [texts.restoreDays, numberText(of.restoreDays)],
        [texts.atRiskHours, numberText(of.atRiskHours)],
        ...of.milestones.map(
          ({ length, reward }, n) =>
            [
              texts.milestone(n + 1),
              texts.milestoneLine(String(length), reward?.label ?? ''),
            ] as const,
        ),
      ]
    : []

/** Fields of the input whose place in the form is another one. */
const fields: Record<string, string> = {
  streak: 'streak.isStreak',
  'streak.freezes.initial': 'streak.initialFreezes',
  'streak.freezes.max': 'streak.maxFreezes',
  'streak.freezes.everyDays': 'streak.freezeEvery',
}

/** The field of the form that holds a field of the input of a streak. */
export const streakFieldOf = (path: string) => fields[path] ?? path
