/** The data of an event in words. */

import { texts } from '../texts/shell-texts.ts'
import { humanized, moneyText, numberText, timeText } from './formats.ts'

/** One value of an event: `name` is its path in the payload, such as `reward.label`. */
export type PayloadFact = { name: string; label: string; value: string | number | boolean }

/** `pointsEarned` → `Points earned`. Ids and names are labeled as the object that they identify. */
const labelOf = (path: readonly string[]) => {
  const words = path.map((key) => (/^\d+$/.test(key) ? String(Number(key) + 1) : key))
  const text = words
    .join(' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([a-z])(\d)/g, '$1 $2')
  return humanized(text.replace(/(.) (Id|(display )?name|cents)$/i, '$1'))
}

const isList = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === 'string' || typeof item === 'number')

/** All values of an event in their order. A list of numbers or texts is one value. */
export const factsOf = (payload: unknown, path: readonly string[] = []): PayloadFact[] => {
  if (payload === null || payload === undefined) return []
  if (isList(payload))
    return payload.length === 0
      ? []
      : [{ name: path.join('.'), label: labelOf(path), value: payload.join(', ') }]
  if (typeof payload === 'object')
    return Object.entries(payload).flatMap(([key, value]) => factsOf(value, [...path, key]))
  const value = payload as PayloadFact['value']
  return [{ name: path.join('.'), label: labelOf(path), value }]
}

const isTime = ({ name, value }: PayloadFact) =>
  /At$/.test(name) && typeof value === 'string' && !Number.isNaN(Date.parse(value))

export const isUser = ({ name }: PayloadFact) => /(^|\.)(userId|referrerId|refereeId)$/.test(name)

/** All amounts of money are in this currency. */
const currency = 'USD'

/** Points whose label does not say so. */
const isPoints = ({ name }: PayloadFact) => /Balance$|^refer\w+Reward$/.test(name)

const amountText = (fact: PayloadFact, value: number) => {
  if (/Cents$/.test(fact.name)) return moneyText({ amountCents: value, currency })
  return isPoints(fact) ? texts.points(numberText(value)) : numberText(value)
}

/** Long numbers in texts for people, such as the `12500 points` of a reward. Shorter ones may be years. */
const withGroups = (text: string) =>
  text.replace(/(?<![\w.,#/-])\d{5,9}(?![\w.,/-])/g, (digits) => numberText(Number(digits)))

/** The stages of a user's journey, which are ours: `at_risk`. */
const isStage = ({ name }: PayloadFact) => /stage$/i.test(name)

const isForPeople = ({ name }: PayloadFact) => /(label|title|name|message|reason)$/i.test(name)

export const valueText = (fact: PayloadFact): string => {
  const { value } = fact
  if (typeof value === 'number') return amountText(fact, value)
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (isTime(fact)) return timeText(value)
  if (isForPeople(fact)) return withGroups(value)
  if (isStage(fact)) return humanized(value)
  return /^[A-Z]+(_[A-Z\d]+)*$/.test(value) ? humanized(value) : value
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** The values that people look for first: who, what, how much. */
const orders = [
  isUser,
  /(name|label|title)$/i,
  /(points|reward|prize|score|pool)/i,
  /type|stage|slug/i,
]

const orderOf = (fact: PayloadFact) => {
  const order = orders.findIndex((order) =>
    order instanceof RegExp ? order.test(fact.name) : order(fact),
  )
  return order === -1 ? orders.length : order
}

/** The few values by which a person recognizes the event: no ids except those of users, and no times. */
export const mainFactsOf = (payload: unknown): PayloadFact[] =>
  factsOf(payload)
    .filter(
      (fact) =>
        (isUser(fact) || !uuid.test(String(fact.value))) &&
        !isTime(fact) &&
        fact.name !== 'environment' &&
        // The window of a goal without a time limit begins at the epoch.
        fact.value !== '1970-01-01',
    )
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .slice(0, 4)
