/** How events are named where some of them are wanted: by name, all of a kind as `arena.*`, or all as `*`. */
import { eventTypes } from '../core/events.ts'
import { text } from '../core/validation.ts'

const kindOf = (type: string) => `${type.slice(0, type.indexOf('.'))}.*`

const patterns: string[] = ['*', ...new Set(eventTypes.map(kindOf)), ...eventTypes]

/** One of these; `more` are names that only some may ask for. */
export const eventPattern = (...more: string[]) => {
  const known = [...patterns, ...more]
  return text(255).refine((event) => known.includes(event), `must be one of ${known.join(', ')}`)
}

/** The names of the events that a name or a kind means. */
export const typesOf = (pattern: string): string[] =>
  pattern.endsWith('.*') ? eventTypes.filter((type) => kindOf(type) === pattern) : [pattern]
