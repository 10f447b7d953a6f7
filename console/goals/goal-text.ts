/** Goals in words. */
import type {
  ConditionTest,
  Fact,
  GoalRowFragment,
  GoalTaskRowFragment,
} from '../generated/types.ts'
import { dateText, numberText } from '../parts/formats.ts'
import { gameNames } from '../texts/games-texts.ts'
import { goalsTexts, goalLabels as words } from '../texts/goals-texts.ts'

/** The first date of the window that has all dates. */
export const everStart = '1970-01-01'

export const factNames = Object.keys(words.facts) as Fact[]

const listed = (items: readonly string[], last: string) =>
  items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')}${last}${items[items.length - 1]}`

export type ConditionText = {
  key: string
  test: ConditionTest
  values: readonly string[]
  number: number | null
}

const comparedWith = ({ values, number }: ConditionText) =>
  number === null ? listed(values, words.or) : numberText(number)

/** `is at least 50`. */
const testText = (of: ConditionText) => `${words.tests[of.test]} ${comparedWith(of)}`.trim()

/** `at least 50`. */
export const neededText = (of: ConditionText) => words.needed[of.test] + comparedWith(of)

/** `award` or, of more than one, `awards`. */
const thingsOf = (facts: readonly Fact[], isOne: boolean) =>
  listed(
    facts.map((fact) => words.facts[fact][isOne ? 'one' : 'many']),
    words.or,
  )

/** What a task counts. A list of goals leaves out the campaign and the conditions. */
type Measured = GoalTaskRowFragment['measure'] & {
  campaign?: { name: string } | null
  where?: readonly ConditionText[]
}

const limitsOf = ({ eventTypes, campaign, gameType, where = [] }: Measured) =>
  [
    eventTypes.length > 0 && words.ofType(listed(eventTypes, words.or)),
    gameType && words.inGame(gameNames[gameType]),
    campaign && words.inCampaign(campaign.name),
    where.length > 0 &&
      words.where(
        listed(
          where.map((item) => `${item.key} ${testText(item)}`),
          words.and,
        ),
      ),
  ]
    .filter(Boolean)
    .join('')

/** What a task counts, such as `5 plays in Neon Wheel`. */
export const measureText = (target: number, measure: Measured): string => {
  const count = numberText(target)
  const limits = limitsOf(measure)
  const many = thingsOf(measure.facts, false) + limits
  if (measure.of === 'POINTS') return words.points(count, many)
  if (measure.of === 'DAYS') return target === 1 ? words.onOneDay(many) : words.onDays(count, many)
  if (measure.of === 'ATTRIBUTE') return words.attribute(count, measure.attribute ?? '', many)
  return `${count} ${thingsOf(measure.facts, target === 1)}${limits}`
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What a task counts, at the beginning of a line. */
export const taskText = ({
  target,
  measure,
}: Pick<GoalTaskRowFragment, 'target'> & { measure: Measured }) =>
  capitalized(measureText(target, measure))

export const repeatText = ({
  repeat,
  maxCompletions,
}: Pick<GoalRowFragment, 'repeat' | 'maxCompletions'>) =>
  repeat === 'UNLIMITED' && maxCompletions !== null
    ? words.most(numberText(maxCompletions))
    : words.repeats[repeat]

/** The status, and whether a goal that is started waits for its first day. */
export const phaseOfGoal = ({
  status,
  startedAt,
}: Pick<GoalRowFragment, 'status' | 'startedAt'>) =>
  status === 'ACTIVE' && startedAt && new Date(startedAt) > new Date() ? 'UPCOMING' : status

export const goalDates = ({
  startsAt,
  startedAt,
  endsAt,
}: Pick<GoalRowFragment, 'startsAt' | 'startedAt' | 'endsAt'>) => {
  const start = startedAt ?? startsAt
  const [from, to] = [start && dateText(start), endsAt && dateText(endsAt)]
  if (from && to) return goalsTexts.fromTo(from, to)
  if (to) return goalsTexts.until(to)
  return from ? goalsTexts.from(from) : goalsTexts.noEnd
}
