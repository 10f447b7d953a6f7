/** An event to simulate, and what each condition of a task says about it. */
import type { ConditionTest, Fact, FullGoalTaskFragment, GameType } from '../generated/types.ts'
import { gameNames } from '../texts/games-texts.ts'
import { factSimulationTexts as texts, goalLabels as words } from '../texts/goals-texts.ts'
import { neededText } from './goal-text.ts'

type Measure = FullGoalTaskFragment['measure']
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

/** `12` is a number and `true` a boolean, as JSON has them. Anything else is a text. */
const parsed = (typed: string): Value => {
  try {
    const value: unknown = JSON.parse(typed)
    return typeof value === 'number' || typeof value === 'boolean' ? value : typed
  } catch {
    return typed
  }
}

/** The metadata of an event as the API takes it. */
export const metadataOf = ({ metadata, gameType }: SimulatedEvent): Record<string, Value> => ({
  ...Object.fromEntries(Object.entries(metadata).map(([key, typed]) => [key, parsed(typed)])),
  ...(gameType && { gameType }),
})

/** The keys of the metadata that the tasks of a goal read. */
export const keysOf = (tasks: readonly Pick<FullGoalTaskFragment, 'measure'>[]): string[] => [
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
  IS: (value, [item]) => value !== undefined && String(value) === item,
  IS_NOT: (value, [item]) => value === undefined || String(value) !== item,
  ONE_OF: (value, values) => value !== undefined && values.includes(String(value)),
  AT_LEAST: (value, _, number) => typeof value === 'number' && value >= number,
  LESS_THAN: (value, _, number) => typeof value === 'number' && value < number,
  EXISTS: (value) => value !== undefined,
}

export type Condition = { name: string; needed: string; is: string; isMet: boolean }

const isCountable = (value: Value | undefined) =>
  typeof value === 'number' && value >= 0 && value <= 1_000_000_000

/** The conditions on what happens, and where. Those that a task does not have are left out. */
const conditionsOnFact = (
  { facts, eventTypes, campaign, gameType }: Measure,
  event: SimulatedEvent,
): (Condition | false)[] => [
  {
    name: texts.fact,
    needed: facts.map((fact) => words.facts[fact].label).join(words.or),
    is: words.facts[event.fact].label,
    // A game that was won was also played.
    isMet:
      facts.includes(event.fact) || (event.fact === 'GAME_WON' && facts.includes('GAME_PLAYED')),
  },
  eventTypes.length > 0 && {
    name: texts.eventType,
    needed: eventTypes.join(words.or),
    is: event.eventType,
    isMet: eventTypes.includes(event.eventType),
  },
  campaign !== null && {
    name: texts.campaign,
    needed: campaign.name,
    is: event.campaign?.name ?? texts.nothing,
    isMet: event.campaign?.id === campaign.id,
  },
  gameType !== null && {
    name: texts.game,
    needed: gameNames[gameType],
    is: event.gameType ? gameNames[event.gameType] : texts.nothing,
    isMet: event.gameType === gameType,
  },
]

/** The conditions on the metadata, and on the number in it that is added up. */
const conditionsOnMetadata = (
  { where, of, attribute }: Measure,
  event: SimulatedEvent,
): (Condition | false)[] => {
  const metadata = metadataOf(event)
  const textOf = (key: string) => String(metadata[key] ?? texts.nothing)
  return [
    ...where.map((item) => ({
      name: item.key,
      needed: neededText(item),
      is: textOf(item.key),
      isMet: isMetBy[item.test](metadata[item.key], item.values, item.number ?? 0),
    })),
    of === 'ATTRIBUTE' &&
      attribute !== null && {
        name: texts.addedUp(attribute),
        needed: texts.aNumber,
        is: textOf(attribute),
        isMet: isCountable(metadata[attribute]),
      },
  ]
}

/** Each condition of a task: what it needs, what the event has, and whether that meets it. */
export const conditionsOf = (measure: Measure, event: SimulatedEvent): Condition[] =>
  [...conditionsOnFact(measure, event), ...conditionsOnMetadata(measure, event)].filter(
    (item) => item !== false,
  )
