/** An event to simulate, and what each condition of a task says about it. */
import type { ConditionTest, Fact, GameType, GoalTaskRowFragment } from '../generated/types.ts'
import { gameNames } from '../texts/games-texts.ts'
import { factSimulationTexts as texts, goalWords as words } from '../texts/goals-texts.ts'
import { testText } from './goal-text.ts'

type Measure = GoalTaskRowFragment['measure']
type Value = string | number | boolean

export type SimulatedEvent = {
  fact: Fact
  eventType: string
  points: number
  gameType: GameType | null
  campaign: { id: string; name: string } | null
  /** Values of the metadata, as they were typed. */
  metadata: Record<string, string>
}

/** `12` is a number, `true` a boolean, and anything else a text. */
const parsed = (typed: string): Value => {
  if (typed === 'true' || typed === 'false') return typed === 'true'
  return /^-?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed
}

/** The metadata of an event as the API takes it. */
export const metadataOf = ({ metadata, gameType }: SimulatedEvent): Record<string, Value> => ({
  ...Object.fromEntries(Object.entries(metadata).map(([key, typed]) => [key, parsed(typed)])),
  ...(gameType && { gameType }),
})

/** The keys of the metadata that the tasks of a goal read. */
export const keysOf = (tasks: readonly Pick<GoalTaskRowFragment, 'measure'>[]): string[] => [
  ...new Set(
    tasks.flatMap(({ measure: { where, attribute } }) => [
      ...where.map(({ key }) => key),
      ...(attribute === null ? [] : [attribute]),
    ]),
  ),
]

const isMetBy: Record<
  ConditionTest,
  (value: Value | undefined, values: readonly string[], number: number) => boolean
> = {
  IS: (value, [one]) => value !== undefined && String(value) === one,
  IS_NOT: (value, [one]) => value === undefined || String(value) !== one,
  ONE_OF: (value, values) => value !== undefined && values.includes(String(value)),
  AT_LEAST: (value, _, number) => typeof value === 'number' && value >= number,
  LESS_THAN: (value, _, number) => typeof value === 'number' && value < number,
  EXISTS: (value) => value !== undefined,
}

export type Condition = { name: string; asked: string; is: string; isMet: boolean }

/** Each condition of a task: what it asks for, what the event has, and whether that meets it. */
export const conditionsOf = (measure: Measure, event: SimulatedEvent): Condition[] => {
  const { facts, eventTypes, campaign, gameType, where, of, attribute } = measure
  const metadata = metadataOf(event)
  const valueText = (key: string) => String(metadata[key] ?? texts.nothing)
  // A game that was won was also played.
  const isOfFact =
    facts.includes(event.fact) || (event.fact === 'GAME_WON' && facts.includes('GAME_PLAYED'))
  return [
    {
      name: texts.fact,
      asked: facts.map((fact) => words.facts[fact].label).join(words.or),
      is: words.facts[event.fact].label,
      isMet: isOfFact,
    },
    ...(eventTypes.length === 0
      ? []
      : [
          {
            name: texts.eventType,
            asked: eventTypes.join(words.or),
            is: event.eventType,
            isMet: eventTypes.includes(event.eventType),
          },
        ]),
    ...(campaign
      ? [
          {
            name: texts.campaign,
            asked: campaign.name,
            is: event.campaign?.name ?? texts.nothing,
            isMet: event.campaign?.id === campaign.id,
          },
        ]
      : []),
    ...(gameType
      ? [
          {
            name: texts.game,
            asked: gameNames[gameType],
            is: event.gameType ? gameNames[event.gameType] : texts.nothing,
            isMet: event.gameType === gameType,
          },
        ]
      : []),
    ...where.map((one) => ({
      name: one.key,
      asked: testText(one),
      is: valueText(one.key),
      isMet: isMetBy[one.test](metadata[one.key], one.values, one.number ?? 0),
    })),
    ...(of === 'ATTRIBUTE' && attribute !== null
      ? [
          {
            name: attribute,
            asked: texts.aNumber,
            is: valueText(attribute),
            isMet: isCountable(metadata[attribute]),
          },
        ]
      : []),
  ]
}

const isCountable = (value: Value | undefined) =>
  typeof value === 'number' && value >= 0 && value <= 1_000_000_000
