/** What an input schema says beyond its description: the limits of its values, and the default that a description names. */
import { z } from 'zod'

type Schema = z.core.$ZodType

const grouped = (number: number) => number.toLocaleString('en')

type Bounds = { minimum?: number; maximum?: number }

type Check = { check: string; value?: number; minimum?: number; maximum?: number }

/** The least and the greatest number, length or count that a schema takes. */
const boundsOf = (schema: Schema): Bounds => {
  const bounds: Bounds = {}
  const { checks = [] } = schema._zod.def as { checks?: { _zod: { def: Check } }[] }
  for (const { _zod } of checks) {
    const { check, value, minimum, maximum } = _zod.def
    const least = check === 'greater_than' ? value : minimum
    const most = check === 'less_than' ? value : maximum
    if (typeof least === 'number') bounds.minimum = least
    if (typeof most === 'number') bounds.maximum = most
  }
  return bounds
}

/** Bounds that only keep numbers exact. */
const isOpen = (bound: number | undefined) =>
  bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER

const rangeText = ({ minimum, maximum }: Bounds, unit: string): string => {
  // `1 item`
  const isOne = isOpen(maximum) && minimum === 1
  const of = unit && ` ${isOne ? unit.slice(0, -1) : unit}`
  if (isOpen(maximum)) return isOpen(minimum) ? '' : `At least ${grouped(minimum as number)}${of}.`
  const most = grouped(maximum as number)
  if (isOpen(minimum)) return `Up to ${most}${of}.`
  return minimum === maximum ? `${most}${of}.` : `${grouped(minimum as number)} to ${most}${of}.`
}

const units: Record<string, string> = { string: 'characters', number: '', array: 'items' }

/** Whether a description already says a limit of this kind. */
const says = (description: string, { maximum }: Bounds, unit: string): boolean => {
  if (unit === 'characters' && description.includes('characters')) return true
  const numbers: string[] =
    description.replaceAll(/(\d),(?=\d{3})/g, '$1').match(/\d+(?:\.\d+)?/g) ?? []
  return numbers.includes(String(maximum))
}

/** `1 to 255 characters.`; empty if there is no limit, or if the description has it. */
export const limitText = (schema: Schema, description: string): string => {
  const bounds = boundsOf(schema)
  const unit = units[schema._zod.def.type]
  const isId = z.globalRegistry.get(schema)?.graphql === 'ID'
  if (unit === undefined || isId || says(description, bounds, unit)) return ''
  return rangeText(bounds, unit)
}

/** The value that a word stands for in a schema; undefined if it is none. */
const literalOf = (schema: Schema, word: string): unknown => {
  const { def } = schema._zod as { def: { type: string; entries?: Record<string, string> } }
  if (def.type === 'boolean') return word === 'true' ? true : word === 'false' ? false : undefined
  if (def.type === 'number') {
    const number = Number(word.replaceAll(',', ''))
    return Number.isNaN(number) ? undefined : number
  }
  // The values of an enum in rows may be in lower case.
  return Object.values(def.entries ?? {}).find((value) => value.toUpperCase() === word)
}

/**
 * The default that a description names: `Defaults to 900.` A default that follows from something else, such as `Defaults
 * to now.`, is none. The code that takes the value has the same default for null (`test/architecture/defaults.test.ts`).
 */
export const defaultIn = (schema: Schema, description: string): unknown => {
  const [, word] = /(?:Defaults to|Default:) ([\w.,-]+)\.(?: |$)/.exec(description) ?? []
  return word === undefined ? undefined : literalOf(schema, word)
}
